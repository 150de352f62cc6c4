/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Jumps past directives. What a block declares is made where its directive stands, and some directives do
 * something before their statement and after it. A goto or a switch that comes from outside would leave that
 * out. */
#include "xmpcc/unit.h"

/* A directive, and the last token that it has an effect on. */
struct reach {
  const struct token *directive, *last;
};
struct reaches {
  struct reach *reach;
  int count;
};

static int declares(enum directive_kind kind)
{
  return kind == DIRECTIVE_NODES || kind == DIRECTIVE_TEMPLATE || kind == DIRECTIVE_DISTRIBUTE ||
      kind == DIRECTIVE_ALIGN;
}

static int surrounds(enum directive_kind kind)
{
  return kind == DIRECTIVE_LOOP || kind == DIRECTIVE_TASK || kind == DIRECTIVE_TASKS ||
      kind == DIRECTIVE_IMAGE;
}

static const struct token *block_last(const struct token *t, const struct token *last)
{
  while (t < last && !token_is(t, "}")) t = token_is(t, "{") ? token_skip(t) : t + 1;
  return t;
}

static void reaches_read(
    const struct unit *u, const struct token *brace, const struct token *last, struct reaches *r)
{
  for (const struct token *t = brace; t < last; t++) {
    if (t->kind != TOKEN_DIRECTIVE) continue;
    const struct parsed *const p = unit_directives(u, t);
    const enum directive_kind kind = p->count ? p->directive[0].kind : DIRECTIVE_HINT;
    if (!declares(kind) && !surrounds(kind)) continue;
    r->reach = kept_grow(r->reach, (size_t)r->count, sizeof *r->reach);
    r->reach[r->count++] = (struct reach){
        t, declares(kind) ? block_last(t + 1, last) : statement_last(t + 1)};
  }
}

/* A jump from one token to another; at is the one that is shown. */
static void jump_check(
    const struct reaches *r, const struct token *from, const struct token *to, const struct token *at)
{
  for (int i = 0; i < r->count; i++) {
    const struct reach *const one = &r->reach[i];
    if (to <= one->directive || to > one->last || (from > one->directive && from <= one->last)) continue;
    message_error(at,
        "'%s' jumps past the directive in line %u, which then does nothing; write { } around what is jumped "
        "past, or the directive before",
        name_text(at), one->directive->line);
    return;
  }
}

/* The cases of a switch, without those of one within it. */
static void cases_check(const struct reaches *r, const struct token *at)
{
  const struct token *const body = token_skip(at + 1), *const last = statement_last(at);
  for (const struct token *t = body; t < last; t++) {
    if (token_is(t, "switch")) t = statement_last(t);
    else if (token_is(t, "(") || token_is(t, "[")) t = token_skip(t) - 1;
    else if (token_is(t, "case") || (token_is(t, "default") && token_is(t + 1, ":"))) jump_check(r, at, t, t);
  }
}

void jumps_check(const struct unit *u, const struct token *brace)
{
  const struct token *const last = token_skip(brace) - 1;
  struct reaches r = {NULL, 0};
  if (!u->directives) return;
  reaches_read(u, brace, last, &r);
  for (const struct token *t = brace; r.count && t < last; t++) {
    if (token_is(t, "switch") && token_is(t + 1, "(")) cases_check(&r, t);
    if (!token_is(t, "goto")) continue;
    const struct token *const label = label_find(brace, last, t + 1);
    if (label) jump_check(&r, t, label, t);
  }
}
