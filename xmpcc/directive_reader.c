/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/directive_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xmpcc/message.h"

/* ---- memory ---- */

void *reader_take(struct reader *r, size_t size) { return memset(arena_get(&r->arena, size), 0, size); }

void *reader_grow(struct reader *r, void *list, int count, size_t size)
{
  if (count & (count - 1)) return list;
  void *larger = reader_take(r, (count ? 2 * (size_t)count : 1) * size);
  if (count) memcpy(larger, list, (size_t)count * size);
  return larger;
}

struct directive *reader_add(struct reader *r, const struct directive *d)
{
  r->directive = reader_grow(r, r->directive, r->count, sizeof *d);
  r->directive[r->count] = *d;
  return &r->directive[r->count++];
}

/* ---- messages ---- */

enum { MESSAGE_MOST = 1024 };

void reader_error(struct reader *r, const struct token *at, const char *fmt, ...)
{
  char text[MESSAGE_MOST];
  va_list arguments;
  va_start(arguments, fmt);
  vsnprintf(text, sizeof text, fmt, arguments);
  va_end(arguments);
  if (!r->failed) message_error(at, "%s", text);
  r->failed = 1;
  while (r->at->kind != TOKEN_END) r->at++;
}

const char *reader_quote_range(struct reader *r, const struct token *first, const struct token *last)
{
  enum { MOST = 60 };
  char *text = token_text(first, last);
  const size_t n = strlen(text), room = MOST + sizeof "'...'";
  char *quoted = reader_take(r, room);
  if (n > MOST) snprintf(quoted, room, "'%.*s...'", MOST, text);
  else snprintf(quoted, room, "'%s'", text);
  free(text);
  return quoted;
}

const char *reader_quote(struct reader *r, const struct token *t)
{
  return t->kind == TOKEN_END ? "the end of the directive" : reader_quote_range(r, t, t + 1);
}

/* ---- tokens ---- */

int reader_accept(struct reader *r, const char *punctuation)
{
  if (r->at->kind != TOKEN_PUNCTUATION || !token_is(r->at, punctuation)) return 0;
  r->at++;
  return 1;
}

int reader_accept_word(struct reader *r, const char *word)
{
  if (!token_is_word(r->at, word)) return 0;
  r->at++;
  return 1;
}

void reader_expect(struct reader *r, const char *punctuation, const char *right)
{
  if (reader_accept(r, punctuation)) return;
  reader_error(r, r->at, "'%s' is missing before %s; write %s", punctuation, reader_quote(r, r->at), right);
}

const struct token *reader_name(struct reader *r, const char *what)
{
  if (r->at->kind == TOKEN_NAME) return r->at++;
  if (r->at->kind == TOKEN_END) reader_error(r, r->at, "%s ends too early; %s is missing", r->name, what);
  else reader_error(r, r->at, "%s is in the place of %s; write a name", reader_quote(r, r->at), what);
  return NULL;
}

int reader_is_opening(const struct reader *r) { return token_is(r->at, "[") || token_is(r->at, "("); }

int reader_is_double_colon(const struct reader *r)
{
  return token_is(r->at, ":") && token_is(r->at + 1, ":") && !r->at[1].spaced;
}

int reader_same(const struct reader *r, const struct token *a, const struct token *b)
{
  if (a->kind != b->kind || a->length != b->length) return 0;
  return (r->fortran ? strncasecmp : strncmp)(a->text, b->text, a->length) == 0;
}

/* ---- expressions ---- */

/* 1: it opens a bracket, -1: it closes one. */
static int bracket(const struct token *t)
{
  if (t->kind != TOKEN_PUNCTUATION || t->length != 1) return 0;
  return strchr("([{", *t->text) ? 1 : strchr(")]}", *t->text) ? -1 : 0;
}

/* The token after the bracket that closes the one at t; NULL: none does. */
static const struct token *bracket_end(const struct token *t)
{
  const char close = *t->text == '(' ? ')' : *t->text == '[' ? ']' : '}';
  for (size_t depth = 0; t->kind != TOKEN_END; t++) {
    depth += (size_t)bracket(t);
    if (depth == 0) return *t->text == close ? t + 1 : NULL;
  }
  return NULL;
}

static int is_one_of(const struct token *t, const char *const *list)
{
  for (; t->kind == TOKEN_PUNCTUATION && *list; list++)
    if (token_is(t, *list)) return 1;
  return 0;
}

/* Compilers find what else is wrong in an expression, but their messages are about translated text. */
static void expression_check(struct reader *r, const struct expression *e)
{
  static const char *const never_first[] = {"/", "%", "<", ">", "<=", ">=", "==", "!=", "<<", ">>", "^", "|",
      "||", "?", ".", "->", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", NULL};
  static const char *const last[] = {")", "]", "}", "++", "--", NULL};
  const struct token *const end = e->last - 1;
  if (expression_is_empty(e)) return;
  if (is_one_of(e->first, never_first))
    reader_error(r, e->first, "an operand is missing before %s", reader_quote(r, e->first));
  if (end->kind == TOKEN_PUNCTUATION && !is_one_of(end, last))
    reader_error(r, end, "an operand is missing after %s", reader_quote(r, end));
  for (const struct token *t = e->first + 1; t < e->last; t++)
    if ((t->kind == TOKEN_NUMBER || t->kind == TOKEN_NAME) && t[-1].kind == TOKEN_NUMBER)
      reader_error(r, t, "an operator is missing before %s", reader_quote(r, t));
}

struct expression reader_expression(struct reader *r)
{
  struct expression e = {r->at, r->at};
  size_t conditionals = 0;
  while (r->at->kind != TOKEN_END && bracket(r->at) >= 0) {
    const int colon = token_is(r->at, ":");
    if (token_is(r->at, ",") || (colon && !conditionals)) break;
    conditionals += (size_t)token_is(r->at, "?") - (size_t)colon;
    const struct token *after = bracket(r->at) > 0 ? bracket_end(r->at) : r->at + 1;
    if (!after) reader_error(r, r->at, "%s is not closed", reader_quote(r, r->at));
    else r->at = after;
  }
  if (r->failed) return (struct expression){r->at, r->at};
  e.last = r->at;
  expression_check(r, &e);
  return e;
}

int reader_mentions(const struct reader *r, const struct expression *e, const struct token *name)
{
  for (const struct token *t = e->first; t < e->last; t++) {
    const int member = t > e->first && (token_is(t - 1, ".") || token_is(t - 1, "->"));
    if (!member && reader_same(r, t, name)) return 1;
  }
  return 0;
}

int reader_constant(const struct reader *r, const struct expression *e, long long *value)
{
  const int minus = e->first < e->last && token_is(e->first, "-");
  const struct token *t = e->first + minus;
  char text[24], *end;
  (void)r;
  if (t + 1 != e->last || t->kind != TOKEN_NUMBER || t->length >= sizeof text) return 0;
  memcpy(text, t->text, t->length);
  text[t->length] = 0;
  *value = strtoll(text, &end, 0);
  if (minus) *value = -*value;
  return *end == 0;
}

/* Whether tokens after "name +" or "name -" add something to the name: whether no operator binds less than
 * these two do. */
static int is_sum(const struct token *t, const struct token *last)
{
  static const char *const loose[] = {"<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||",
      "?", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", NULL};
  size_t depth = 0;
  for (; t < last; t++) {
    depth += (size_t)bracket(t);
    if (!depth && is_one_of(t, loose)) return 0;
  }
  return 1;
}

void item_split(struct item *i)
{
  const struct token *const name = i->a.first, *const rest = name + 1, *const last = i->a.last;
  if (i->kind != ITEM_EXPRESSION || i->a.first == last || name->kind != TOKEN_NAME) return;
  if (rest != last && !((token_is(rest, "+") || token_is(rest, "-")) && is_sum(rest, last))) return;
  i->b = (struct expression){name, rest};
  i->c = (struct expression){rest, last};
}
