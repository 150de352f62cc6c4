/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Inner loops whose iterations touch no memory that another one writes. In the serial program the compiler
 * sees arrays that cannot overlap; in the translation it sees pointers, and where they are many it gives up
 * and does not vectorise. So it is told. It is told only what follows from the text: global arrays have
 * memory of their own, each element that is written has a subscript that is the control variable plus a
 * constant, and the array is not referred to otherwise. */
#include <string.h>

#include "xmpcc/side.h"

struct body {
  const struct token *first, *last; /* last is included */
  const struct token *variable;     /* of the loop */
  const struct token **declared;    /* [count] names of the body's own */
  int count, memory;                /* some of them are not just values, or not just names */
};

static void declared_collect(struct unit *u, struct body *b)
{
  for (const struct token *t = b->first; t <= b->last; t++) {
    struct declaration d;
    const int begins = t == b->first || token_is(t - 1, "{") || token_is(t - 1, ";") || token_is(t - 1, "}");
    if (!begins || !declaration_begins(u->scope, t)) continue;
    scope_open(u->scope); /* the declaration's tags and enumerators are the body's */
    declaration_read(u->scope, t, &d);
    scope_close(u->scope);
    for (int i = 0; i < d.count; i++) {
      if (!d.declarator[i].name) continue;
      /* Elsewhere in the body the name may mean the outer variable. */
      b->memory |= scope_find(u->scope, d.declarator[i].name) != NULL;
      b->memory |= d.declarator[i].dims || d.declarator[i].pointer || (d.specifiers.storage & STORAGE_STATIC);
      b->declared = kept_grow(b->declared, (size_t)b->count, sizeof *b->declared);
      b->declared[b->count++] = d.declarator[i].name;
    }
  }
}

static int is_declared(const struct body *b, const struct token *name)
{
  for (int i = 0; i < b->count; i++)
    if (name_is(name, b->declared[i])) return 1;
  return 0;
}

/* Is the variable's address taken in the nest, so that it may lie in memory? */
static int is_pointed_to(const struct loop *l, const struct token *name)
{
  for (const struct token *t = l->first; t <= l->last; t++)
    if (name_is(t, name) && token_is(t - 1, "&")) return 1;
  return 0;
}

/* A variable of a reduction clause has a copy of its own in the nest, which nothing points to, and which lies
 * in a register. OpenMP's copies lie in memory, where a compiler that was told of no dependence loses sums.
 */
static int is_reduced(const struct unit *u, const struct token *name)
{
  int found = 0;
  for (const struct loop *l = u->loop; l; l = l->outer) {
    if (l->parallel || is_pointed_to(l, name)) return 0;
    for (int i = 0; i < l->reductions; i++) found |= l->reduced[i] && name_is(name, l->reduced[i]);
  }
  return found;
}

int function_is_pure(const struct unit *u, const struct token *t)
{
  static const char *const functions[] = {"acos", "asin", "atan", "atan2", "cos", "sin", "tan", "cosh",
      "sinh", "tanh", "exp", "ldexp", "log", "log10", "fabs", "pow", "sqrt", "cbrt", "ceil", "floor", "fmod",
      "fmin", "fmax", "fma", "abs", "labs"};
  const struct symbol *const own = scope_find(u->scope, t);
  if (token_is(t - 1, ".") || token_is(t - 1, "->") || (own && !own->name->system)) return 0;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const size_t n = strlen(functions[i]);
    if (t->length < n || memcmp(t->text, functions[i], n) != 0) continue;
    if (t->length == n || (t->length == n + 1 && (t->text[n] == 'f' || t->text[n] == 'l'))) return 1;
  }
  return 0;
}

static int is_assigned(const struct token *before, const struct token *after)
{
  const int by_operator = after->kind == TOKEN_PUNCTUATION && after->text[after->length - 1] == '=' &&
      !token_is(after, "==") && !token_is(after, "!=") && !token_is(after, "<=") && !token_is(after, ">=");
  return by_operator || token_is(after, "++") || token_is(after, "--") || token_is(before, "++") ||
      token_is(before, "--");
}

/* ---- references to arrays ---- */

static int is_array_of_its_own(const struct symbol *s)
{
  if (!s || s->parameter) return 0;
  if (s->kind == SYMBOL_ARRAY) return s->of.array->aligned && !s->of.array->parameter;
  return s->declarator && s->declarator->dims && !s->declarator->inner;
}

/* variable, variable + 1, variable - 1 */
static int is_distinct(const struct body *b, const struct expression *e)
{
  const long n = e->last - e->first;
  if (n < 1 || !name_is(e->first, b->variable)) return 0;
  return n == 1 ||
      (n == 3 && e->first[2].kind == TOKEN_NUMBER &&
          (token_is(e->first + 1, "+") || token_is(e->first + 1, "-")));
}

static int is_same_text(const struct side *a, const struct side *b)
{
  const struct expression x = {a->first, a->last}, y = {b->first, b->last};
  return strcmp(expression_text(&x), expression_text(&y)) == 0;
}

/* Is the written element another one in each iteration, and is nothing else of the array looked at? */
static int is_written_alone(const struct unit *u, const struct body *b, const struct side *written)
{
  int distinct = 0;
  for (int k = 0; k < written->count; k++) {
    distinct |= is_distinct(b, &written->subscript[k].all);
    for (const struct token *t = written->subscript[k].all.first; t < written->subscript[k].all.last; t++)
      if (token_is(t, "[") || token_is(t, "(") || is_declared(b, t)) return 0;
  }
  if (!distinct || written->count < side_dims(u, written)) return 0;
  for (const struct token *t = b->first; t <= b->last; t++) {
    struct side other;
    if (!name_is(t, written->first) || side_read_at(u, t, b->last + 1, &other)) continue;
    if (!is_same_text(&other, written)) return 0;
  }
  return 1;
}

static int name_is_harmless(const struct unit *u, const struct body *b, const struct token *t)
{
  struct side s;
  if (token_is(t - 1, ".")) return 1;
  if (token_is(t + 1, "(")) return function_is_pure(u, t) || token_is(t, "if") || token_is(t, "sizeof");
  if (token_is(t, "goto") || token_is(t, "return") || token_is(t, "break") || token_is(t, "asm") ||
      token_is(t, "__asm__") || token_is(t, "for") || token_is(t, "while") || token_is(t, "do"))
    return 0;
  const struct symbol *const symbol = scope_find(u->scope, t);
  if (side_read_at(u, t, b->last + 1, &s)) return 0;
  const struct token *after = s.last;
  while (token_is(after, ".") || token_is(after, "["))
    after = token_is(after, "[") ? token_skip(after) : after[1].kind == TOKEN_END ? after + 1 : after + 2;
  const int assigned = is_assigned(t - 1, after);
  if (is_declared(b, t) || (symbol && symbol->kind == SYMBOL_TYPE)) return 1;
  if (!symbol) return !assigned && s.count == 0;
  if (s.count == 0)
    return !(assigned && !is_reduced(u, t)) && !is_array_of_its_own(symbol) && symbol->kind != SYMBOL_ARRAY;
  if (!is_array_of_its_own(symbol) || s.codims || s.sections) return 0;
  return !assigned || is_written_alone(u, b, &s);
}

int loop_is_independent(struct unit *u, const struct token *variable, const struct token *first)
{
  struct body b = {.first = first, .last = statement_last(first), .variable = variable};
  declared_collect(u, &b);
  if (b.memory) return 0;
  for (const struct token *t = b.first; t <= b.last; t++) {
    if (t->kind == TOKEN_DIRECTIVE || t->kind == TOKEN_PRAGMA || token_is(t, "->")) return 0;
    if ((token_is(t, "*") || token_is(t, "&")) && begins_operand(u, t)) return 0;
    if (t->kind == TOKEN_NAME && !name_is_harmless(u, &b, t)) return 0;
  }
  return 1;
}

/* gcc and clang have different words for it. */
void loop_tell_independent(struct unit *u, const struct token *t)
{
  if (t > u->source->token && t[-1].kind == TOKEN_PRAGMA) return; /* which must stay next to its loop */
  edit_line_before(
      u->edits, t, u->clang ? "#pragma clang loop vectorize(assume_safety)" : "#pragma GCC ivdep");
}
