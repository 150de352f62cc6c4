/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How a nest may reach a variable besides by its name: by functions that it calls, and by pointers. A
 * variable of a reduction clause that is reached so cannot have a copy in the nest. Where the text leaves it
 * open, the variable is taken to be reached. */
#include "xmpcc/loop.h"

/* ---- what the nest does ---- */

/* Has the bracket at t a type in it, and is it no operand of sizeof? */
static int is_cast(const struct unit *u, const struct token *t)
{
  return token_is(t, "(") && declaration_begins(u->scope, t + 1) && t[-1].kind != TOKEN_NAME;
}

static int is_call(const struct unit *u, const struct token *t)
{
  static const char *const words[] = {"if", "for", "while", "switch", "return", "sizeof", "typeof",
      "__typeof__", "_Alignof", "__alignof__", "__attribute__", "__extension__", NULL};
  if (token_is(t, "asm") || token_is(t, "__asm__")) return 1;
  if (t->kind == TOKEN_NAME)
    return token_is(t + 1, "(") && !token_is_one(t, words) && !function_is_pure(u, t);
  if (token_is(t, "]")) return token_is(t + 1, "(");
  return token_is(t, "(") && !token_is_one(t - 1, words) && !is_cast(u, t) && token_is(token_skip(t), "(");
}

/* Subscripts behind a name go beyond what was declared as an array, or a member is subscripted. */
static int is_subscripted_pointer(const struct unit *u, const struct token *t)
{
  if (!token_is(t + 1, "[")) return 0;
  const struct symbol *const s = token_is(t - 1, ".") ? NULL : scope_find(u->scope, t);
  if (!s) return 1;
  int count = 0, dims = 0;
  for (const struct token *b = t + 1; token_is(b, "["); b = token_skip(b)) count++;
  if (s->kind == SYMBOL_ARRAY) dims = s->of.array->dims;
  else if (s->declarator && !s->parameter && !s->declarator->inner) dims = s->declarator->dims;
  return count > dims;
}

static int is_indirection(const struct unit *u, const struct token *t)
{
  if (token_is(t, "->")) return 1;
  if (t->kind == TOKEN_NAME) return is_subscripted_pointer(u, t);
  return token_is(t, ")") ? token_is(t + 1, "[") : token_is(t, "*") && begins_operand(u, t);
}

/* ---- what may point to the variable ---- */

static int address_is_taken(const struct token *first, const struct token *end, const struct token *name)
{
  for (const struct token *t = first; t < end && t->kind != TOKEN_END; t++) {
    if (!name_is(t, name)) continue;
    const struct token *before = t - 1;
    while (before > first && token_is(before, "(")) before--;
    if (token_is(before, "&")) return 1;
  }
  return 0;
}

/* Has the variable no name outside of its function's block? */
static int is_automatic(const struct symbol *s)
{
  return s->level > 0 && s->declarator &&
      !(s->declarator->specifiers.storage & (STORAGE_STATIC | STORAGE_EXTERN));
}

static int is_pointed_to(const struct unit *u, const struct symbol *s)
{
  const struct source *const all = u->source;
  if (is_automatic(s) && u->function) {
    const struct token *const brace = u->function->brace;
    return address_is_taken(brace, token_skip(brace), s->name);
  }
  if (!s->declarator || !(s->declarator->specifiers.storage & STORAGE_STATIC)) return 1;
  return address_is_taken(all->token + 1, all->token + all->count, s->name);
}

int loop_reaches(const struct unit *u, const struct loop *l, const struct token *name)
{
  const struct symbol *const s = scope_find(u->scope, name);
  const int pointed = !s || is_pointed_to(u, s), known = !s || !is_automatic(s);
  if (!pointed && !known) return 0;
  for (const struct token *t = l->first; t <= l->last; t++)
    if (is_call(u, t) || (pointed && is_indirection(u, t))) return 1;
  return 0;
}
