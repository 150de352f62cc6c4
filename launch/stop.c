/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/stop.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mask of signals as /proc writes it: hexadecimal, bit 0 is signal 1. */
static int has(const char *line, const char *key, int sig)
{
  const size_t n = strlen(key);
  return strncmp(line, key, n) == 0 && strtoull(line + n, NULL, 16) >> (sig - 1) & 1;
}

/* What cannot be read is not stopped. */
static int is_default(pid_t pid)
{
  char name[64], line[256];
  int seen = 0, own = 0;
  snprintf(name, sizeof name, "/proc/%ld/status", (long)pid);
  FILE *f = fopen(name, "re");
  if (!f) return 0;
  for (; fgets(line, sizeof line, f); seen = 1)
    own |= has(line, "SigIgn:", SIGTSTP) || has(line, "SigCgt:", SIGTSTP) || has(line, "SigBlk:", SIGTSTP);
  fclose(f);
  return seen && !own;
}

void stop_default(const pid_t *pid, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (pid[i] > 0 && is_default(pid[i])) kill(pid[i], SIGSTOP);
}
