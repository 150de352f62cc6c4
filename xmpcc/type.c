/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Types, in declarations and in expressions. Lengths, and operands of typeof, may ask for the size of a
 * global array; tags, members and parameters may have its name. */
#include "xmpcc/unit.h"

enum { DEPTH_MOST = 2000 };

/* Also says so. */
static int is_too_deep(const struct unit *u, const struct token *at)
{
  if (u->depth < DEPTH_MOST) return 0;
  message_error(at, "types are nested too deeply");
  return 1;
}

/* A word and its operand in brackets: typeof(..), alignas(..), attributes. Returns the token behind. */
static const struct token *operand_walk(struct unit *u, const struct token *t)
{
  const struct token *const end = token_skip(t + 1);
  u->unevaluated++;
  walk_expression(u, t + 1, end);
  u->unevaluated--;
  return end;
}

/* The body of a structure or a union. */
static void body_walk(struct unit *u, const struct token *open)
{
  for (const struct token *t = open + 1; t->kind != TOKEN_END && !token_is(t, "}");) {
    struct declaration d;
    const struct token *const begin = t;
    declaration_read(u->scope, t, &d);
    if (!d.specifiers.first) walk_expression(u, t, d.end); /* _Static_assert */
    specifiers_walk(u, &d.specifiers);
    for (int i = 0; i < d.count; i++) {
      declarator_walk(u, &d.declarator[i]);
      members_check_inner(u, &d.declarator[i]);
    }
    t = d.end;
    if (token_is(t, ";") || t == begin) t++;
  }
}

/* A directive among them is noticed as one that is not walked. */
static void enumerators_walk(struct unit *u, const struct token *open)
{
  const struct token *const end = token_skip(open) - 1;
  for (const struct token *t = open + 1, *first; t < end; t++) {
    for (first = t; t < end && t->kind != TOKEN_DIRECTIVE;) t++;
    walk_expression(u, first, t);
  }
}

void specifiers_walk(struct unit *u, const struct specifiers *s)
{
  if (!u->directives || s->first == s->last || is_too_deep(u, s->first)) return;
  u->depth++;
  for (const struct token *t = s->first; t < s->last && t->kind != TOKEN_END;) {
    if (token_is(t, "{")) {
      if (t == s->body && s->is_enum) enumerators_walk(u, t);
      else if (t == s->body) body_walk(u, t);
      t = token_skip(t);
    } else if (t->kind == TOKEN_NAME && t + 1 < s->last && token_is(t + 1, "(")) t = operand_walk(u, t);
    else t++; /* of int (*name)[2] the bracket is the declarator's */
  }
  u->depth--;
}

/* Parameters have a scope of their own, and may have the names of arrays. */
static void parameters_walk(struct unit *u, const struct token *open)
{
  struct declaration list;
  scope_open(u->scope);
  declaration_read_parameters(u->scope, open, &list);
  for (int i = 0; i < list.count; i++) {
    struct declarator *const d = &list.declarator[i];
    specifiers_walk(u, &d->specifiers);
    declarator_walk(u, d);
    if (d->name) scope_add(u->scope, SYMBOL_ORDINARY, d->name)->declarator = d;
  }
  scope_close(u->scope);
}

/* Is the ( that of parameters? */
static int is_parameters(const struct unit *u, const struct declarator *d, const struct token *t)
{
  if (d->name ? t > d->name : token_is(t + 1, ")")) return 1;
  return !d->name && declaration_begins(u->scope, t + 1);
}

/* Brackets and parameters at t: returns the token behind. */
static const struct token *suffix_walk(struct unit *u, const struct declarator *d, const struct token *t)
{
  if (t->kind == TOKEN_NAME && token_is(t + 1, "(")) return operand_walk(u, t);
  if (t == d->codims) return d->codims_last;
  if (token_is(t, "[") && !token_is(t + 1, "[")) walk_expression(u, t + 1, token_skip(t) - 1);
  else if (token_is(t, "(") && is_parameters(u, d, t)) parameters_walk(u, t);
  else return t + 1;
  return token_skip(t);
}

void declarator_walk(struct unit *u, const struct declarator *d)
{
  const struct token *const last = d->initializer ? d->initializer : d->end,
                            *t = d->name ? d->name + 1 : d->first;
  if (!u->directives || t >= last || is_too_deep(u, t)) return;
  u->depth++;
  while (t < last && !(token_is(t, ":") && t >= d->last && t != d->codims)) t = suffix_walk(u, d, t);
  if (t < last) walk_expression(u, t + 1, last); /* a bit-field */
  u->depth--;
}

const struct token *type_walk(struct unit *u, const struct token *t)
{
  struct declaration type;
  if (!u->directives || !declaration_begins(u->scope, t + 1)) return NULL;
  declaration_read_parameters(u->scope, t, &type);
  for (int i = 0; i < type.count; i++) {
    specifiers_walk(u, &type.declarator[i].specifiers);
    declarator_walk(u, &type.declarator[i]);
  }
  return token_skip(t);
}
