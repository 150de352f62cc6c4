/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/include.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "xmpcc/mark.h"

enum { INCLUDE_DEPTH_MOST = 50 };

/* Whether this path may be opened within `in`: not itself, nor below too many others. */
static int include_is_allowed(const struct input *in, const char *path)
{
  int depth = 0;
  for (; in; in = in->includer)
    if (strcmp(in->name, path) == 0 || ++depth > INCLUDE_DEPTH_MOST) return 0;
  return 1;
}

/* All bytes of a file, of which the system may not say the size. */
static char *include_bytes(FILE *f, size_t *size)
{
  char *text = NULL;
  size_t capacity = 0, got;
  *size = 0;
  do {
    capacity += 65536;
    text = memory_more(text, capacity);
    got = fread(text + *size, 1, capacity - *size, f);
    *size += got;
  } while (got && *size == capacity && *size < MARK_LINES_MOST);
  return text;
}

static char *include_open(const char *path, size_t *size)
{
  struct stat is;
  if (stat(path, &is) != 0 || !S_ISREG(is.st_mode)) return NULL;
  FILE *const f = fopen(path, "r");
  if (!f) return NULL;
  char *text = include_bytes(f, size);
  const int failed = ferror(f) || *size >= MARK_LINES_MOST;
  fclose(f);
  if (failed) return free(text), NULL;
  const size_t n = strlen(path) + 1;
  text = memory_more(text, *size + 1 + n);
  text[*size] = 0;
  memcpy(text + *size + 1, path, n);
  return text;
}

static char *include_try(
    const struct input *in, const char *directory, size_t n, const char *name, size_t length, size_t *size)
{
  char *const path = memory_get(n + length + 2);
  if (n) memcpy(path, directory, n);
  if (n && path[n - 1] != '/') path[n++] = '/';
  memcpy(path + n, name, length);
  char *const text = include_is_allowed(in, path) ? include_open(path, size) : NULL;
  free(path);
  return text;
}

char *include_read(
    const struct lines *l, const struct input *in, const char *name, size_t length, size_t *size)
{
  const struct line_options *const o = &l->options;
  const char *const main_file = l->input->name, *const slash = strrchr(main_file, '/');
  if (*name == '/') return include_try(in, "", 0, name, length, size);
  const size_t n = slash ? (size_t)(slash - main_file) + 1 : 0;
  char *text = include_try(in, main_file, n, name, length, size);
  for (size_t k = 0; !text && k < o->directories; k++)
    text = include_try(in, o->directory[k], strlen(o->directory[k]), name, length, size);
  return text;
}
