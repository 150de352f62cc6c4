/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/arguments.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file, whose size the system does not tell, and a 0 behind it. */
static char *file_read(const char *name, size_t *size)
{
  FILE *f = fopen(name, "re");
  char *text = NULL;
  size_t room = 0;
  const ssize_t n = f ? getdelim(&text, &room, EOF, f) : -1;
  if (f) fclose(f);
  if (n < 0) {
    free(text);
    return NULL;
  }
  *size = (size_t)n;
  return text;
}

static size_t texts_count(const char *text, size_t size)
{
  size_t n = 0;
  for (size_t i = 0; i < size; i++) n += text[i] == '\0';
  return n;
}

char **pst_front_arguments_read(int *argc)
{
  size_t size, count;
  char *text = file_read("/proc/self/cmdline", &size), **argv;
  if (!text) return NULL;
  count = texts_count(text, size);
  if (!(argv = calloc(count + 1, sizeof *argv))) {
    free(text);
    return NULL;
  }
  for (size_t i = 0; i < count; i++, text += strlen(text) + 1) argv[i] = text;
  *argc = (int)count;
  return argv;
}
