/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/mark.h"

#include <stddef.h>

#include "xmpcc/lex.h"
#include "xmpcc/memory.h"

static int mark_is_octal(const char *p, const char *end) { return p < end && *p >= '0' && *p <= '7'; }

/* Reads \\, \" and \303, behind the backslash. */
static char mark_escape(const char **at, const char *end)
{
  const char *p = *at;
  unsigned c = 0;
  if (!mark_is_octal(p, end)) return *at = p + 1, *p;
  for (int k = 0; k < 3 && mark_is_octal(p, end); k++) c = c * 8 + (unsigned)(*p++ - '0');
  return *at = p, (char)c;
}

/* p is behind the quote; *at goes behind the closing one. */
static char *mark_file(const char *p, const char *end, const char **at)
{
  char *name = memory_get((size_t)(end - p) + 1);
  size_t n = 0;
  while (p < end && *p != '"') {
    const char c = *p++;
    name[n++] = c == '\\' && p < end ? mark_escape(&p, end) : c;
  }
  *at = p < end ? p + 1 : end;
  return name;
}

static unsigned mark_flags(const char *p, const char *end)
{
  unsigned flags = 0;
  for (; p < end && (*p == ' ' || *p == '\t' || (*p >= '1' && *p <= '4')); p++)
    flags |= *p == '1' ? MARK_ENTER : *p == '2' ? MARK_LEAVE : *p == '3' ? MARK_SYSTEM : 0;
  return flags;
}

struct mark mark_read(const char *at, const char *end)
{
  struct mark m = {0};
  unsigned long long line = 0;
  for (; at < end && lex_is_digit((unsigned char)*at); at++)
    if (line < MARK_LINES_MOST) line = line * 10 + (unsigned)(*at - '0');
  m.line = line < MARK_LINES_MOST ? (unsigned)line : MARK_LINES_MOST;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  if (at < end && *at == '"') m.file = mark_file(at + 1, end, &at);
  m.flags = mark_flags(at, end);
  return m;
}
