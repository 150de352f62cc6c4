/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names and expressions as text. */
#include <stdlib.h>
#include <string.h>

#include "xmpcc/unit.h"

static const char *text_keep(char *s)
{
  const char *const kept = text_of("%s", s);
  free(s);
  return kept;
}

const char *name_text(const struct token *name) { return text_of("%.*s", (int)name->length, name->text); }

int name_is(const struct token *a, const struct token *b)
{
  return a && b && a->kind == TOKEN_NAME && a->length == b->length &&
      memcmp(a->text, b->text, a->length) == 0;
}

const char *expression_text(const struct expression *e)
{
  return e->first == e->last ? "" : text_keep(token_text(e->first, e->last));
}

const char *translated_text(const struct unit *u, const struct expression *e)
{
  return e->first == e->last ? "" : text_keep(edits_text(u->edits, e->first, e->last - 1));
}

int expression_is_literal(const struct expression *e)
{
  for (const struct token *t = e->first; t < e->last; t++)
    if (t->kind != TOKEN_NUMBER && t->kind != TOKEN_CHARACTER && t->kind != TOKEN_PUNCTUATION) return 0;
  return e->first != e->last;
}

int expression_varies(const struct unit *u, const struct expression *e)
{
  for (const struct token *t = e->first; t < e->last; t++) {
    const struct symbol *const s = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
    if (s && s->kind == SYMBOL_ORDINARY && s->declarator) return 1;
  }
  return 0;
}

const struct token *section_colon(const struct token *first, const struct token *last)
{
  const struct token *const t = expression_end(first, EXPRESSION_ENDS_COLON);
  return t < last && token_is(t, ":") ? t : NULL;
}

const struct token *bracket_opening(const struct unit *u, const struct token *t)
{
  size_t depth = 0;
  for (; t >= u->source->token; t--) {
    depth += token_is(t, ")") || token_is(t, "]") || token_is(t, "}");
    if ((token_is(t, "(") || token_is(t, "[") || token_is(t, "{")) && --depth == 0) return t;
  }
  return NULL;
}

/* Words with an expression behind them. */
static int is_before_expression(const struct token *t)
{
  static const char *const words[] = {"return", "else", "do", "case", "__extension__", NULL};
  return token_is_one(t, words);
}

/* Is the ) at t that of a cast, or of a condition? */
static int closes_no_operand(const struct unit *u, const struct token *t)
{
  static const char *const words[] = {"if", "while", "for", "switch", NULL};
  const struct token *const open = bracket_opening(u, t);
  if (!open || open == u->source->token) return 0;
  if (token_is_one(open - 1, words)) return 1;
  const int is_argument = open[-1].kind == TOKEN_NAME && !is_before_expression(open - 1);
  return !is_argument && declaration_begins(u->scope, open + 1);
}

int begins_operand(const struct unit *u, const struct token *t)
{
  const struct token *const before = t - 1;
  if (t == u->source->token) return 1;
  if (token_is(before, "++") || token_is(before, "--")) return begins_operand(u, before);
  if (token_is(before, ")")) return closes_no_operand(u, before);
  switch (before->kind) {
  case TOKEN_NAME: return is_before_expression(before) || token_is(before, "sizeof");
  case TOKEN_NUMBER:
  case TOKEN_STRING:
  case TOKEN_CHARACTER: return 0;
  default: return !token_is(before, "]");
  }
}

int has_section(const struct token *first, const struct token *last)
{
  for (const struct token *t = first; t < last; t++)
    if (token_is(t, "[") && section_colon(t + 1, token_skip(t) - 1)) return 1;
  return 0;
}

const struct token *assignment_operator(const struct token *first, const struct token *last)
{
  const struct token *const t = expression_end(first, EXPRESSION_ENDS_ASSIGNMENT);
  return t < last && t->kind == TOKEN_PUNCTUATION && t->text[t->length - 1] == '=' ? t : NULL;
}

/* ---- types ---- */

/* The words of a type that the runtime knows, in any order, as PST_XMP_...; NULL: it is none, or a typedef.
 */
static const char *words_type(const char *words)
{
  int counts[11] = {0};
  static const char *const known[] = {
      "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "_Complex", "const"};
  while (*words) {
    const size_t n = strcspn(words, " ");
    size_t k = 0;
    while (k < 11 && !(strlen(known[k]) == n && memcmp(known[k], words, n) == 0)) k++;
    if (k == 11) return NULL;
    counts[k]++;
    words += n + strspn(words + n, " ");
  }
  const int is_unsigned = counts[7];
  if (counts[8]) return "BOOL";
  if (counts[4]) return counts[9] ? "CFLOAT" : "FLOAT";
  if (counts[5]) return counts[3] ? counts[9] ? "CLDOUBLE" : "LDOUBLE" : counts[9] ? "CDOUBLE" : "DOUBLE";
  if (counts[9]) return NULL;
  if (counts[0]) return is_unsigned ? "UCHAR" : counts[6] ? "SCHAR" : "CHAR";
  if (counts[1]) return is_unsigned ? "USHORT" : "SHORT";
  if (counts[3] > 1) return is_unsigned ? "ULLONG" : "LLONG";
  if (counts[3]) return is_unsigned ? "ULONG" : "LONG";
  return is_unsigned ? "UINT" : "INT";
}

/* typedef double real; */
static const struct declarator *typedef_find(const struct unit *u, const struct declarator *d)
{
  for (const struct token *t = d->specifiers.first; t < d->specifiers.last; t++) {
    const struct symbol *const s = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
    if (s && s->kind == SYMBOL_TYPE && s->declarator)
      return s->declarator->dims || s->declarator->pointer || s->declarator->function ? NULL : s->declarator;
  }
  return NULL;
}

static const char *type_words(const struct unit *u, const struct declarator *d)
{
  enum { CHAIN_MOST = 20 };
  const char *words = NULL;
  for (int i = 0; d && !d->function && i < CHAIN_MOST && !words; i++) {
    const char *const element = declarator_element(d);
    if (strpbrk(element, "*(^")) break;
    words = words_type(element);
    d = d->pointer && (d->dims || d->rows) ? NULL : typedef_find(u, d);
  }
  return words;
}

int type_is_known(const struct unit *u, const struct declarator *d) { return type_words(u, d) != NULL; }

const char *type_text(const struct unit *u, const struct declarator *d, const char *expression)
{
  const char *const words = type_words(u, d);
  if (words) return text_of("PST_XMP_%s", words);
  return text_of(
      "__extension__ _Generic((%s), _Bool: PST_XMP_BOOL, char: PST_XMP_CHAR, signed char: PST_XMP_SCHAR, "
      "unsigned char: "
      "PST_XMP_UCHAR, short: PST_XMP_SHORT, unsigned short: PST_XMP_USHORT, int: PST_XMP_INT, unsigned: "
      "PST_XMP_UINT, "
      "long: PST_XMP_LONG, unsigned long: PST_XMP_ULONG, long long: PST_XMP_LLONG, unsigned long long: "
      "PST_XMP_ULLONG, "
      "float: PST_XMP_FLOAT, double: PST_XMP_DOUBLE, long double: PST_XMP_LDOUBLE, float _Complex: "
      "PST_XMP_CFLOAT, "
      "double _Complex: PST_XMP_CDOUBLE, long double _Complex: PST_XMP_CLDOUBLE, default: PST_XMP_OTHER)",
      expression);
}
