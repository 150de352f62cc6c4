/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/preprocessed.h"

#include <string.h>

#include "xmpcc/lex.h"

static int is_empty(const char *p, const char *end)
{
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return p == end;
}

static int is_mark(const char *p, const char *end)
{
  const char *rest;
  return p < end && *p == '#' && lex_line_kind(p + 1, end, &rest) == LEX_MARK;
}

/* Empty lines before a mark go, for it says the line anew. Without marks their number says nothing. */
void preprocessed_write(const char *text, size_t size, FILE *out, int marks)
{
  const char *end = text + size, *line_end;
  size_t empty = 0;
  for (const char *p = text; p < end; p = line_end + 1) {
    line_end = memchr(p, '\n', (size_t)(end - p));
    if (!line_end) line_end = end;
    const int mark = is_mark(p, line_end);
    if (is_empty(p, line_end)) {
      empty++;
      continue;
    }
    if (mark && !marks) continue;
    if (!marks && empty > 1) empty = 1;
    for (; empty && !mark; empty--) fputc('\n', out);
    empty = 0;
    fwrite(p, 1, (size_t)(line_end - p), out);
    fputc('\n', out);
  }
}
