/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the body of a distributed loop may not do: each node has a part of the iterations alone, so where one
 * of them ended the loop, or moved its variable, the others would not know. */
#include "xmpcc/loop.h"

static int is_label(const struct token *t, const struct token *name)
{
  return name_is(t, name) && token_is(t + 1, ":") && !token_is(t - 1, "?") && !token_is(t - 1, "goto");
}

const struct token *label_find(const struct token *first, const struct token *last, const struct token *name)
{
  for (const struct token *t = first; t <= last; t++)
    if (is_label(t, name)) return t;
  return NULL;
}

static void leaving_say(const struct token *t, const char *variable)
{
  message_error(t, "'%s' leaves the distributed loop over '%s'; write continue, or a condition in its body",
      name_text(t), variable);
}

/* A break of an inner loop or switch stays in the body. */
static void breaks_check(const struct token *first, const struct token *last, const char *variable)
{
  for (const struct token *t = first; t <= last; t++) {
    if (token_is(t, "for") || token_is(t, "while") || token_is(t, "do") || token_is(t, "switch"))
      t = statement_last(t);
    else if (token_is(t, "break")) leaving_say(t, variable);
  }
}

void body_check(const struct token *first, const struct token *last, const struct token *variable)
{
  const char *const name = name_text(variable);
  breaks_check(first, last, name);
  for (const struct token *t = first; t <= last; t++)
    if (token_is(t, "return") || (token_is(t, "goto") && !label_find(first, last, t + 1)))
      leaving_say(t, name);
}

int token_is_changed(const struct token *t)
{
  const struct token *const after = t + 1, *const before = t - 1;
  const int assigned = after->kind == TOKEN_PUNCTUATION && after->text[after->length - 1] == '=' &&
      !token_is(after, "==") && !token_is(after, "!=") && !token_is(after, "<=") && !token_is(after, ">=");
  return assigned || token_is(after, "++") || token_is(after, "--") || token_is(before, "++") ||
      token_is(before, "--");
}

void loop_check_variable(const struct unit *u, const struct token *t, const struct symbol *s)
{
  if (u->unevaluated || !token_is_changed(t)) return;
  for (const struct loop *l = u->loop; l; l = l->outer)
    for (int i = 0; i < l->count; i++)
      if (l->variable[i].active && l->variable[i].symbol == s)
        message_error(
            t, "the body changes '%s', whose loop is distributed; write another variable", name_text(t));
}
