/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Members of structures: how v.m and p->q[2].m are declared. */
#include "xmpcc/unit.h"

/* The { of the structure that a declaration's words name, also by typedefs; NULL. */
static const struct token *body_of(const struct unit *u, const struct specifiers *s)
{
  enum { CHAIN_MOST = 20 };
  for (int i = 0; s && i < CHAIN_MOST; i++) {
    if (s->body) return s->body;
    if (s->tag) {
      const struct symbol *const tag = scope_find_tag(u->scope, s->tag);
      return tag ? tag->of.body : NULL;
    }
    const struct specifiers *const words = s;
    s = NULL;
    for (const struct token *t = words->first; t < words->last && !s; t++) {
      const struct symbol *const type = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
      if (type && type->kind == SYMBOL_TYPE && type->declarator) s = &type->declarator->specifiers;
    }
  }
  return NULL;
}

int type_is_structure(const struct unit *u, const struct specifiers *s)
{
  enum { CHAIN_MOST = 20 };
  for (int i = 0; s && i < CHAIN_MOST; i++) {
    const struct specifiers *const words = s;
    s = NULL;
    for (const struct token *t = words->first; t < words->last && !s; t++) {
      if (token_is(t, "struct") || token_is(t, "union")) return 1;
      if (t == words->body) break;
      const struct symbol *const type = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
      const struct declarator *const d = type && type->kind == SYMBOL_TYPE ? type->declarator : NULL;
      if (d && !d->pointer && !d->function) s = &d->specifiers;
    }
  }
  return 0;
}

static const struct declarator *body_search(
    const struct unit *u, const struct token *body, const struct token *name, int depth);

/* A structure without a name lends its members to the one around it. */
static const struct declarator *declaration_search(
    const struct unit *u, struct declaration *d, const struct token *name, int depth)
{
  for (int i = 0; i < d->count; i++) {
    if (!name_is(d->declarator[i].name, name)) continue;
    declarator_complete(u->scope, &d->declarator[i]);
    return &d->declarator[i];
  }
  return d->count == 0 && d->specifiers.body ? body_search(u, d->specifiers.body, name, depth + 1) : NULL;
}

static const struct declarator *body_search(
    const struct unit *u, const struct token *body, const struct token *name, int depth)
{
  enum { DEPTH_MOST = 20 };
  const struct declarator *found = NULL;
  if (!body || depth == DEPTH_MOST) return NULL;
  for (const struct token *t = body + 1; !found && t->kind != TOKEN_END && !token_is(t, "}");) {
    struct declaration d;
    declaration_read(u->scope, t, &d);
    found = declaration_search(u, &d, name, depth);
    t = d.end > t ? d.end + token_is(d.end, ";") : t + 1;
  }
  return found;
}

/* What the members declare has been added to the scope where they stand. */
const struct declarator *member_declarator(
    const struct unit *u, const struct token *first, const struct token *last)
{
  const struct symbol *const s = scope_find(u->scope, first);
  const struct declarator *d = s && s->kind != SYMBOL_TYPE ? s->declarator : NULL;
  scope_open(u->scope);
  for (const struct token *t = first + 1; d && t < last; t += 2) {
    while (t < last && token_is(t, "[")) t = token_skip(t);
    if (t >= last || !(token_is(t, ".") || token_is(t, "->")) || t[1].kind != TOKEN_NAME) d = NULL;
    else d = body_search(u, body_of(u, &d->specifiers), t + 1, 0);
  }
  scope_close(u->scope);
  return d;
}
