/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names whose declarations were wrong, which has been said: what follows from that is not said again. Scopes
 * do not matter, since nothing is written any more. */
#include "xmpcc/unit.h"

void wrong_add(struct unit *u, const struct token *name)
{
  if (wrong_is(u, name)) return;
  u->wrong = kept_grow(u->wrong, (size_t)u->wrongs, sizeof *u->wrong);
  u->wrong[u->wrongs++] = name;
}

int wrong_is(const struct unit *u, const struct token *name)
{
  for (int i = 0; i < u->wrongs; i++)
    if (name_is(u->wrong[i], name)) return 1;
  return 0;
}

/* The names of a directive that could not be read, but for those that it refers to. */
void wrong_read(struct unit *u, const struct token *directive)
{
  static const char *const words[] = {"onto", "with", "on", "from"};
  const struct token *t = directive->list;
  if (t->kind == TOKEN_NAME) t++;
  for (int refers = 0; t->kind != TOKEN_END;) {
    if (token_is(t, "=")) refers = 1;
    if (token_is(t, "::")) refers = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) refers |= token_is_word(t, words[i]);
    if (!refers && t->kind == TOKEN_NAME) wrong_add(u, t);
    t = token_is(t, "(") || token_is(t, "[") || token_is(t, "{") ? token_skip(t) : t + 1;
  }
}
