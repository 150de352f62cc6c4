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

/* ---- words that are nearly right ---- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Two neighbours have changed places, and all else is the word. */
static int is_exchanged(const struct token *t, const char *word)
{
  size_t i = 0;
  if (t->length != strlen(word)) return 0;
  while (i < t->length && strncasecmp(t->text + i, word + i, 1) == 0) i++;
  return i + 1 < t->length && strncasecmp(t->text + i, word + i + 1, 1) == 0 &&
      strncasecmp(t->text + i + 1, word + i, 1) == 0 &&
      strncasecmp(t->text + i + 2, word + i + 2, t->length - i - 2) == 0;
}

size_t word_distance(const struct token *t, const char *word)
{
  enum { MOST = 24 };
  const size_t n = strlen(word);
  if (is_exchanged(t, word)) return 1;
  size_t row[MOST + 1];
  if (n > MOST) return n;
  for (size_t j = 0; j <= n; j++) row[j] = j;
  for (size_t i = 1; i <= t->length; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      const size_t same = diagonal + (strncasecmp(t->text + i - 1, word + j - 1, 1) != 0);
      diagonal = row[j];
      row[j] = least(least(row[j], row[j - 1]) + 1, same);
    }
  }
  return row[n];
}

/* ---- expressions ---- */

static int is_opening(const struct token *t)
{
  return token_is(t, "(") || token_is(t, "[") || token_is(t, "{");
}

static int is_floating(const struct token *t)
{
  const char *const end = t->text + t->length;
  if (t->kind != TOKEN_NUMBER) return 0;
  const int hexadecimal = t->length > 1 && t->text[0] == '0' && (t->text[1] | 0x20) == 'x';
  for (const char *s = t->text; s < end; s++)
    if (*s == '.' || (*s | 0x20) == (hexadecimal ? 'p' : 'e')) return 1;
  return 0;
}

/* Of numbers and operators alone it can be seen whether it is an integer. */
static void number_check(struct reader *r, const struct expression *e)
{
  const struct token *floating = NULL;
  if (r->fortran) return;
  for (const struct token *t = e->first; t < e->last; t++) {
    if (t->kind != TOKEN_NUMBER && t->kind != TOKEN_PUNCTUATION) return;
    if (is_floating(t)) floating = t;
  }
  if (floating)
    reader_error(r, floating, "%s is no integer, and a directive takes integers", reader_quote(r, floating));
  else if (expression_overflows(e))
    reader_error(r, e->first, "%s does not fit the type of its numbers; %s",
        reader_quote_range(r, e->first, e->last),
        e->last - e->first > 1 ? "write LL behind one of them" : "it is too large");
}

/* Compilers find what else is wrong in an expression, but their messages are about translated text. */
static void expression_check(struct reader *r, const struct expression *e)
{
  static const char *const never_first[] = {"/", "%", "<", ">", "<=", ">=", "==", "!=", "<<", ">>", "^", "|",
      "||", "?", ".", "->", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", NULL};
  static const char *const last[] = {")", "]", "}", "++", "--", NULL};
  const struct token *const end = e->last - 1;
  if (expression_is_empty(e)) return;
  if (token_is_one(e->first, never_first))
    reader_error(r, e->first, "an operand is missing before %s", reader_quote(r, e->first));
  if (end->kind == TOKEN_PUNCTUATION && !token_is_one(end, last))
    reader_error(r, end, "an operand is missing after %s", reader_quote(r, end));
  for (const struct token *t = e->first + 1; t < e->last; t++)
    if ((t->kind == TOKEN_NUMBER || t->kind == TOKEN_NAME) && t[-1].kind == TOKEN_NUMBER)
      reader_error(r, t, "an operator is missing before %s", reader_quote(r, t));
  number_check(r, e);
}

struct expression reader_expression(struct reader *r)
{
  const struct token *const last = expression_end(r->at, EXPRESSION_ENDS_COMMA | EXPRESSION_ENDS_COLON);
  const struct expression e = {r->at, last};
  r->at = last;
  if (is_opening(last) && !expression_closing(last))
    reader_error(r, last, "%s is not closed", reader_quote(r, last));
  expression_check(r, &e);
  return r->failed ? (struct expression){r->at, r->at} : e;
}

int reader_constant(const struct reader *r, const struct expression *e, long long *value)
{
  for (const struct token *t = e->first; t < e->last; t++) /* octal is C's */
    if (r->fortran && t->kind == TOKEN_NUMBER && t->length > 1 && *t->text == '0') return 0;
  return expression_is_constant(e, value);
}

/* Whether tokens after "name +" or "name -" add something to the name: whether no operator binds less than
 * these two do. */
static int is_sum(const struct token *t, const struct token *last)
{
  static const char *const loose[] = {"<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||",
      "?", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", NULL};
  for (; t < last; t = is_opening(t) ? expression_closing(t) + 1 : t + 1)
    if (token_is_one(t, loose)) return 0;
  return 1;
}

void item_split(struct item *i)
{
  const struct token *const name = i->a.first, *const last = i->a.last;
  if (i->kind != ITEM_EXPRESSION || name == last || name->kind != TOKEN_NAME) return;
  const struct token *const rest = name + 1;
  if (rest != last && !((token_is(rest, "+") || token_is(rest, "-")) && is_sum(rest, last))) return;
  i->b = (struct expression){name, rest};
  i->c = (struct expression){rest, last};
}
