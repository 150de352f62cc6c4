/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Where in the client's source a thread is. */
#include <stdio.h>
#include <string.h>

#include "gasnet_tools.h"

/* A message may name a few places at once. */
#define TEXTS 4

const char *pst_current_loc(const char *function, const char *file, int line)
{
  static __thread char text[TEXTS][256];
  static __thread unsigned turn;
  char *buf = text[turn++ % TEXTS];
  snprintf(buf, sizeof text[0], "%s %s:%d", function, file, line);
  return buf;
}

static __thread struct {
  const char *file;
  unsigned line;
  int frozen;
} here;

void pst_sourceline_set(const char *file, unsigned line)
{
  if (here.frozen) return;
  here.file = file;
  here.line = line;
}

void pst_sourceline_get(const char **file, unsigned *line)
{
  *file = here.file;
  *line = here.line;
}

/* Calls nest: a library that freezes the line may call another that does. */
void pst_sourceline_freeze(int frozen)
{
  if (frozen) here.frozen++;
  else if (here.frozen) here.frozen--;
}
