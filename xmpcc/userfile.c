/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/userfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Only of plain files: to read from others would take their text away, or wait. */
static FILE *userfile_open(const char *file)
{
  struct stat s;
  return file && stat(file, &s) == 0 && S_ISREG(s.st_mode) ? fopen(file, "r") : NULL;
}

char *userfile_line(const char *file, unsigned line, size_t *length)
{
  FILE *f = line ? userfile_open(file) : NULL;
  char *text = NULL;
  size_t capacity = 0;
  ssize_t n = -1;
  if (!f) return NULL;
  for (unsigned k = 0; k < line && (n = getline(&text, &capacity, f)) >= 0; k++) {}
  fclose(f);
  if (n < 0) return free(text), NULL;
  while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r')) n--;
  *length = (size_t)n;
  return text;
}
