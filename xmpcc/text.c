/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/text.h"

#include <stdio.h>
#include <string.h>

#include "xmpcc/memory.h"

/* ---- memory ---- */

static struct arena kept;

void *kept_take(size_t size) { return memset(arena_get(&kept, size), 0, size); }

void *kept_grow(void *list, size_t count, size_t element)
{
  if (count & (count - 1)) return list;
  void *const larger = kept_take((count ? 2 * count : 1) * element);
  if (count) memcpy(larger, list, count * element);
  return larger;
}

void kept_free(void) { arena_free(&kept); }

/* ---- texts ---- */

void text_add_list(struct text *t, const char *fmt, va_list args)
{
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, fmt, args);
  const size_t need = t->length + (size_t)n + 1;
  if (need > t->room) {
    char *const s = kept_take(t->room = 2 * need);
    if (t->length) memcpy(s, t->s, t->length);
    t->s = s;
  }
  vsnprintf(t->s + t->length, (size_t)n + 1, fmt, again);
  t->length += (size_t)n;
  va_end(again);
}

void text_add(struct text *t, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  text_add_list(t, fmt, args);
  va_end(args);
}

const char *text_get(const struct text *t) { return t->s ? t->s : ""; }

const char *text_of(const char *fmt, ...)
{
  struct text t = {0};
  va_list args;
  va_start(args, fmt);
  text_add_list(&t, fmt, args);
  va_end(args);
  return text_get(&t);
}

const char *text_count(int n, const char *what) { return text_of("%d %s%s", n, what, n == 1 ? "" : "s"); }

const char *text_quoted(const char *s)
{
  struct text t = {0};
  text_add(&t, "\"");
  for (; *s; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') text_add(&t, "\\%c", c);
    else if (c < ' ' || c == 127 || c == '?') text_add(&t, "\\%03o", c);
    else text_add(&t, "%c", c);
  }
  text_add(&t, "\"");
  return text_get(&t);
}
