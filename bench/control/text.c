/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch/arguments.h"

/* Each is kept behind the one before. */
const char *text_of(const char *format, ...)
{
  static struct kept {
    struct kept *before;
    char text[];
  } * last;
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  struct kept *k = malloc(sizeof *k + size);
  if (!k) fail(1, "out of memory");
  vsnprintf(k->text, size, format, again);
  va_end(again);
  va_end(args);
  k->before = last;
  last = k;
  return k->text;
}

const char *text_add(const char *text, const char *between, const char *more)
{
  return *text ? text_of("%s%s%s", text, between, more) : more;
}

const char *text_plain(const char *text)
{
  enum { PIECE = 255 };
  char plain[PIECE + 1];
  unsigned i = 0;
  for (; text[i] && i < PIECE; i++) plain[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
  plain[i] = '\0';
  return text_of("%s", plain);
}
