/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/gasnet_info.h"

static void trim(char *line)
{
  size_t n = strlen(line);
  while (n && isspace((unsigned char)line[n - 1])) line[--n] = '\0';
}

int info_read(const char *path, char *line, int size)
{
  FILE *f = fopen(path, "re");
  const char *got;
  if (!f) return 0;
  got = fgets(line, size, f);
  fclose(f);
  if (!got) return 0;
  trim(line);
  return line[0] != '\0';
}

int info_read_in(const char *dir, const char *name, char *line, int size)
{
  char path[512];
  if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path) return 0;
  return info_read(path, line, size);
}

uint64_t info_read_number(const char *path, uint64_t none)
{
  char line[64], *end;
  unsigned long long n;
  if (!info_read(path, line, sizeof line) || !isdigit((unsigned char)line[0])) return none;
  n = strtoull(line, &end, 10);
  return *end ? none : n;
}

int info_read_named(const char *path, const char *name, char *value, int size)
{
  char line[1024];
  const size_t n = strlen(name);
  int found = 0;
  FILE *f = fopen(path, "re");
  if (!f) return 0;
  while (!found && fgets(line, sizeof line, f)) {
    if (strncmp(line, name, n) != 0 || !strchr(" \t:=", line[n])) continue;
    trim(line);
    snprintf(value, (size_t)size, "%s", line + n + strspn(line + n, " \t:="));
    found = 1;
  }
  fclose(f);
  return found;
}

static int is_program(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

int info_which(const char *program, char *path, int size)
{
  const char *dir = getenv("PATH");
  while (dir && *dir) {
    const size_t n = strcspn(dir, ":");
    if (snprintf(path, (size_t)size, "%.*s/%s", n ? (int)n : 1, n ? dir : ".", program) < size &&
        is_program(path))
      return 1;
    dir += n + (dir[n] == ':');
  }
  return 0;
}
