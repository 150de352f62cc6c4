/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What an array assignment computes once, before its loops. A scalar in it has one value, so one with a call,
 * an assignment or a get in it, and one that reads what the assignment may store, goes into a variable. What
 * has a section is computed for each element. */
#include <string.h>

#include "xmpcc/once.h"

/* ---- what is in a range ---- */

/* At a (: does it call a function that may do anything? */
static int is_call(const struct unit *u, const struct token *t)
{
  if (!token_is(t, "(")) return 0;
  if (token_is(t + 1, "{")) return 1;
  return !begins_operand(u, t) && !function_is_pure(u, t - 1);
}

static int has_effects(const struct unit *u, const struct token *first, const struct token *last)
{
  for (const struct token *t = first; t < last; t++)
    if (token_is(t, "++") || token_is(t, "--") || assignment_operator(t, t + 1) || is_call(u, t)) return 1;
  return 0;
}

static int has_get(const struct token *first, const struct token *last)
{
  for (const struct token *t = first; t + 1 < last; t++)
    if (token_is(t, ":") && token_is(t + 1, "[")) return 1;
  return 0;
}

/* ---- may it see what is stored? ---- */

/* An array of its own, to which no other name leads. */
static int is_sure(const struct symbol *s)
{
  if (!s) return 0;
  if (s->kind == SYMBOL_ARRAY) return !s->of.array->late && !s->of.array->parameter;
  return s->declarator && s->declarator->dims && !s->parameter &&
      !(s->declarator->pointer && s->declarator->inner);
}

static int is_same_text(const struct unit *u, const struct side *a, const struct side *b)
{
  const struct expression first = {a->first, a->last}, second = {b->first, b->last};
  return strcmp(expression_text(&first), expression_text(&second)) == 0 && !has_effects(u, a->first, a->last);
}

/* A name alone is read where it is a variable, which a pointer may point to. */
static int name_is_seen(const struct side *left, const struct symbol *s)
{
  if (!s || (s->kind != SYMBOL_ORDINARY && s->kind != SYMBOL_COARRAY)) return 0;
  if (!s->declarator || s->declarator->function || s->declarator->dims) return 0;
  return s == left->symbol || !is_sure(left->symbol);
}

static int reference_is_seen(const struct side *left, const struct side *s)
{
  if (s->count == 0 && !s->codims && s->subscripts == s->first + 1) return name_is_seen(left, s->symbol);
  return !is_sure(left->symbol) || !is_sure(s->symbol) || s->symbol == left->symbol;
}

static int is_name(const struct token *t)
{
  return t->kind == TOKEN_NAME && !token_is(t - 1, ".") && !token_is(t - 1, "->");
}

/* An element that is stored may be seen when it is computed itself. */
int once_is_seen(struct unit *u, const struct side *left, const struct token *first, const struct token *last)
{
  for (const struct token *t = first; t < last; t++) {
    const struct token *const skip = once_skip(u, t);
    struct side s;
    if (skip) t = skip - 1;
    else if ((token_is(t, "*") && begins_operand(u, t)) || is_call(u, t)) return 1;
    else if (is_name(t) && side_read_at(u, t, last, &s) == 0) {
      if (s.sections && is_same_text(u, left, &s)) t = s.last - 1;
      else if (reference_is_seen(left, &s)) return 1;
    }
  }
  return 0;
}

/* ---- variables ---- */

const struct token *once_skip(const struct unit *u, const struct token *t)
{
  const struct once *const o = u->once;
  for (int i = 0; o && i < o->count; i++)
    if (o->unit[i].first == t) return o->unit[i].last;
  return NULL;
}

static void once_add(struct unit *u, const struct token *first, const struct token *last)
{
  struct once *const o = u->once;
  struct sections *const sections = u->sections;
  const struct expression e = {first, last};
  const int n = ++u->numbers;
  u->sections = NULL;
  walk_expression(u, first, last);
  u->sections = sections;
  /* As a value: a field of bits has no type that __auto_type could take. */
  text_add(
      &o->text, " __extension__ __auto_type _xmp_s%d = __extension__({ %s; });", n, translated_text(u, &e));
  edit_replace(u->edits, first, last - 1, "_xmp_s%d", n);
  o->unit = kept_grow(o->unit, (size_t)o->count, sizeof *o->unit);
  o->unit[o->count++] = e;
}

/* lazy: a condition may leave it out. A name alone may be read all the same. */
static int is_needed(struct unit *u, const struct token *first, const struct token *last, int lazy)
{
  const struct expression e = {first, last};
  if (expression_is_literal(&e)) return 0;
  if (has_effects(u, first, last)) {
    if (lazy)
      message_error(first,
          "this is computed once, for all elements, and a condition may leave it out; compute it before, "
          "into a variable");
    return !lazy;
  }
  if (lazy && last > first + 1) return 0;
  return has_get(first, last) || once_is_seen(u, u->once->left, first, last);
}

/* ---- operands ---- */

static void range_find(struct unit *u, const struct token *first, const struct token *last, int lazy);

static void bracket_find(struct unit *u, const struct token *open, int lazy)
{
  const struct token *const last = token_skip(open) - 1, *const colon = section_colon(open + 1, last),
                            *const second = colon ? section_colon(colon + 1, last) : NULL;
  range_find(u, open + 1, colon ? colon : last, lazy);
  if (second) range_find(u, second + 1, last, lazy);
}

static int is_prefix(const struct unit *u, const struct token *t)
{
  static const char *const all[] = {"*", "&", "+", "-", "!", "~", "++", "--"};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    if (token_is(t, all[k])) return begins_operand(u, t);
  return 0;
}

static int is_cast(const struct unit *u, const struct token *t)
{
  return token_is(t, "(") && declaration_begins(u->scope, t + 1) && !token_is(token_skip(t), "{");
}

/* Behind the operand that begins at t; t where none does. */
static const struct token *operand_end(const struct unit *u, const struct token *t)
{
  if (t->kind == TOKEN_PUNCTUATION && (!token_is(t, "(") || is_cast(u, t))) return t;
  t = token_is(t, "(") ? token_skip(t) : t + 1;
  for (;;) {
    if (token_is(t, "[") || token_is(t, "(") || token_is(t, "{")) t = token_skip(t);
    else if ((token_is(t, ".") || token_is(t, "->")) && t[1].kind == TOKEN_NAME) t += 2;
    else if (token_is(t, "++") || token_is(t, "--") || (token_is(t, ":") && token_is(t + 1, "["))) t++;
    else return t;
  }
}

/* Of (v)[..]: is a name alone in the brackets? */
static int is_name_alone(const struct token *t)
{
  const struct token *const end = token_skip(t);
  while (token_is(t, "(")) t++;
  return t->kind == TOKEN_NAME && token_is(t + 1, ")") && token_is(end, "[");
}

/* An operand with a section: its subscripts and arguments. A structure in round brackets stays where it is,
 * since its member may be stored, and a name, which the section is of. */
static void operand_find(struct unit *u, const struct token *first, const struct token *last, int lazy)
{
  for (const struct token *t = first; t < last;)
    if (token_is(t, "[")) bracket_find(u, t, lazy), t = token_skip(t);
    else if (token_is(t, "(")) {
      const struct token *const end = token_skip(t);
      if (!token_is(end, ".") && !is_name_alone(t)) range_find(u, t + 1, end - 1, lazy);
      t = end;
    } else t++;
}

static void unit_find(struct unit *u, const struct token *first, const struct token *last, int lazy)
{
  if (has_section(first, last)) operand_find(u, first, last, lazy);
  else if (is_needed(u, first, last, lazy)) once_add(u, first, last);
}

/* An expression without commas at its top. */
static void part_find(struct unit *u, const struct token *first, const struct token *last, int lazy)
{
  if (first >= last) return;
  if (!has_section(first, last)) {
    unit_find(u, first, last, lazy);
    return;
  }
  for (const struct token *t = first; t < last;) {
    const struct token *const begin = t;
    while (t < last && is_prefix(u, t)) t++;
    const struct token *const end = operand_end(u, t);
    if (end > t) unit_find(u, begin, end, lazy);
    lazy |= token_is(t, "?") || token_is(t, "&&") || token_is(t, "||");
    t = end > t ? end : is_cast(u, t) ? token_skip(t) : t + 1;
  }
}

static void range_find(struct unit *u, const struct token *first, const struct token *last, int lazy)
{
  for (const struct token *t = first; t < last;) {
    const struct token *end = expression_end(t, EXPRESSION_ENDS_COMMA);
    if (end > last) end = last;
    part_find(u, t, end, lazy);
    t = end + 1;
  }
}

void once_begin(struct unit *u, struct once *o, const struct side *left, const struct token *first,
    const struct token *last)
{
  *o = (struct once){.left = left};
  u->once = o;
  operand_find(u, left->first, left->last, 0);
  range_find(u, first, last, 0);
}
