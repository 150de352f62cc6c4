/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/token.h"

#include <string.h>
#include <strings.h>

#include "xmpcc/memory.h"

int token_is(const struct token *t, const char *text)
{
  return (t->kind == TOKEN_NAME || t->kind == TOKEN_PUNCTUATION) && strlen(text) == t->length &&
      memcmp(t->text, text, t->length) == 0;
}

int token_is_one(const struct token *t, const char *const *texts)
{
  for (; *texts; texts++)
    if (token_is(t, *texts)) return 1;
  return 0;
}

int token_is_word(const struct token *t, const char *word)
{
  return t->kind == TOKEN_NAME && strlen(word) == t->length && strncasecmp(t->text, word, t->length) == 0;
}

/* 1: it opens a bracket, -1: it closes one. */
static int token_bracket(const struct token *t)
{
  if (t->kind != TOKEN_PUNCTUATION) return 0;
  if (t->length == 1) return strchr("([{", *t->text) ? 1 : strchr(")]}", *t->text) ? -1 : 0;
  if (token_is(t, "<:") || token_is(t, "<%")) return 1;
  return token_is(t, ":>") || token_is(t, "%>") ? -1 : 0;
}

const struct token *token_skip(const struct token *t)
{
  size_t depth = 0;
  for (; t->kind != TOKEN_END; t++) {
    const int bracket = token_bracket(t);
    if (bracket > 0) depth++;
    if (bracket < 0 && (depth == 0 || --depth == 0)) return t + 1;
  }
  return t;
}

char *token_text(const struct token *first, const struct token *last)
{
  size_t n = 1;
  for (const struct token *t = first; t < last; t++) n += t->length + 1;
  char *text = memory_get(n), *p = text;
  for (const struct token *t = first; t < last; t++) {
    if (t->spaced && t != first) *p++ = ' ';
    if (t->length) memcpy(p, t->text, t->length);
    p += t->length;
  }
  *p = 0;
  return text;
}
