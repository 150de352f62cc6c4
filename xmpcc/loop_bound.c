/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bound of a distributed loop. C compares the variable with it in the type of both together: without
 * sign, where it is of sizeof, and with fractions, where it is a double. The text often says that it is a
 * signed integer; elsewhere the compiler is asked. */
#include <string.h>

#include "xmpcc/loop.h"

enum { TYPEDEFS_MOST = 8 };

static int is_signed_word(const struct token *t)
{
  static const char *const words[] = {"int", "long", "short", "char", "signed", "const", "volatile", "static",
      "extern", "register", "auto", "inline", "__inline", "__inline__", NULL};
  return token_is_one(t, words);
}

/* Do the specifiers, and those of a typedef among them, tell a signed integer? */
static int is_signed(const struct unit *u, const struct specifiers *s, int typedefs)
{
  if (s->first == s->last || s->body) return 0;
  for (const struct token *t = s->first; t < s->last; t++) {
    const struct symbol *const type = is_signed_word(t) ? NULL : scope_find(u->scope, t);
    if (is_signed_word(t)) continue;
    if (t->kind != TOKEN_NAME || !type || type->kind != SYMBOL_TYPE || !type->declarator ||
        type->declarator->pointer || typedefs == TYPEDEFS_MOST ||
        !is_signed(u, &type->declarator->specifiers, typedefs + 1))
      return 0;
  }
  return 1;
}

static int is_signed_number(const struct token *t)
{
  const int hexadecimal = t->length > 1 && (t->text[1] == 'x' || t->text[1] == 'X');
  for (unsigned i = 0; i < t->length; i++)
    if (strchr(hexadecimal ? ".uUpP" : ".uUeE", t->text[i])) return 0;
  return 1;
}

static int is_signed_name(const struct unit *u, const struct token *t)
{
  if (is_signed_word(t)) return 1;
  const struct symbol *const s = scope_find(u->scope, t);
  if (!s || token_is(t - 1, ".") || token_is(t - 1, "->")) return 0;
  if (s->kind == SYMBOL_ARRAY) return is_signed(u, &s->of.array->declarator.specifiers, 0);
  if (s->kind == SYMBOL_ORDINARY && !s->declarator) return 1; /* an enumerator */
  return s->declarator && is_signed(u, &s->declarator->specifiers, 0);
}

static int bound_is_signed(const struct unit *u, const struct expression *e)
{
  for (const struct token *t = e->first; t < e->last; t++)
    if ((t->kind == TOKEN_NUMBER && !is_signed_number(t)) || (t->kind == TOKEN_NAME && !is_signed_name(u, t)))
      return 0;
  return 1;
}

static int is_fraction(const struct unit *u, const struct expression *e)
{
  const struct token *const t = e->first;
  if (e->last != t + 1) return 0;
  if (t->kind == TOKEN_NUMBER) return memchr(t->text, '.', t->length) && !memchr(t->text, 'x', t->length);
  const struct symbol *const s = t->kind == TOKEN_NAME ? scope_find(u->scope, t) : NULL;
  const struct specifiers *const of = s && s->declarator ? &s->declarator->specifiers : NULL;
  for (const struct token *w = of ? of->first : NULL; of && w < of->last; w++)
    if (token_is(w, "double") || token_is(w, "float")) return 1;
  return 0;
}

const char *bound_text(struct unit *u, const struct header *h, const char *first, struct text *before)
{
  const char *const bound = translated_text(u, &h->bound);
  if (is_fraction(u, &h->bound))
    message_error(h->bound.first, "the bound of a distributed loop is an integer; convert it to one");
  if (bound_is_signed(u, &h->bound)) return h->equal ? text_of("(pst_xmp_index_t)(%s)", bound) : bound;
  const char *const both = text_of("__typeof__((%s)0 + (%s))", h->type, bound);
  text_add(before,
      " __extension__ _Static_assert(_Generic((%s)0, float: 0, double: 0, long double: 0, default: 1), \"the "
      "bound of a distributed loop is an integer; convert it to one\");",
      both);
  if (h->down || h->unequal) return text_of("(pst_xmp_index_t)(%s)", bound);
  return text_of("pst_xmp_loop_bound(%s, %s, (%s)-1 > 0)", first, bound, both);
}
