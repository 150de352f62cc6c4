/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Words of statements, in both forms. */
#include <string.h>
#include <strings.h>

#include "xmpf90/statement.h"

int statement_is(const struct statement *s, size_t k, const char *punctuation)
{
  return k < s->count && s->token[k].kind == TOKEN_PUNCTUATION && token_is(&s->token[k], punctuation);
}

int statement_is_double(const struct statement *s, size_t k, const char *character)
{
  return statement_is(s, k, character) && statement_is(s, k + 1, character) &&
      s->token[k + 1].text == s->token[k].text + 1;
}

size_t statement_skip(const struct statement *s, size_t k)
{
  const struct token *const after = token_skip(&s->token[k]);
  return (size_t)(after - s->token);
}

/* A number took letters of the name behind it: REAL*8D1D2 is 8D1 and D2. Of its parted rest and what follows
 * directly one name is made. */
static void word_join(struct statement *s, size_t k)
{
  struct token *const t = &s->token[k];
  while (k + 1 < s->count && t->kind == TOKEN_NAME && t[1].text == t->text + t->length &&
      (t[1].kind == TOKEN_NAME || t[1].kind == TOKEN_NUMBER) && lexical_is_name(*t[1].text)) {
    t->length += t[1].length;
    memmove(t + 1, t + 2, (s->count - k - 1) * sizeof *t);
    s->count--;
  }
}

void statement_part(struct statement *s, size_t k, unsigned n)
{
  const struct joined *const j = s->joined;
  const size_t begin = (size_t)(s->token[k].text - j->text), end = begin + s->token[k].length;
  size_t at = begin + n;
  if (n >= s->token[k].length) return;
  s->token[k].length = n;
  while (at < end) {
    const size_t digits = lexical_digits(j, at, end);
    struct token rest;
    if (digits > at) rest = lexical_piece(j, at, digits - at, TOKEN_NUMBER), at = digits;
    else at = lexical_token(j, at, end, &rest);
    s->token = memory_more(s->token, (s->count + 2) * sizeof *s->token);
    k++;
    memmove(&s->token[k + 1], &s->token[k], (s->count + 1 - k) * sizeof *s->token);
    s->token[k] = rest;
    s->count++;
  }
  word_join(s, k);
}

/* In fixed form: whether the name begins with the letters of the words. Gives how many these are. */
static unsigned word_letters(const struct token *t, const char *words)
{
  unsigned n = 0;
  for (; *words; words++) {
    if (*words == ' ') continue;
    if (n >= t->length || (t->text[n] | 0x20) != (*words | 0x20)) return 0;
    n++;
  }
  return n;
}

/* The name may have been parted between the two words before. */
static int word_fixed(struct statement *s, size_t *at, const char *words)
{
  const struct token *const t = &s->token[*at];
  const char *const blank = strchr(words, ' ');
  unsigned n = word_letters(t, words);
  if (n) return statement_part(s, *at, n), ++*at, 1;
  if (!blank || t->length != blank - words || strncasecmp(t->text, words, t->length) != 0) return 0;
  if (t[1].kind != TOKEN_NAME || !(n = word_letters(t + 1, blank + 1))) return 0;
  statement_part(s, *at + 1, n);
  *at += 2;
  return 1;
}

/* Both parts of "end do" in one token, or in two. */
static int word_free(const struct statement *s, size_t *at, const char *words)
{
  const struct token *const t = &s->token[*at];
  const char *const blank = strchr(words, ' ');
  const unsigned whole = word_letters(t, words);
  if (whole && whole == t->length) return ++*at, 1;
  if (!blank) return 0;
  const size_t n = (size_t)(blank - words);
  if (t->length != n || strncasecmp(t->text, words, n) != 0 || !token_is_word(t + 1, blank + 1)) return 0;
  *at += 2;
  return 1;
}

int statement_word(struct statement *s, size_t *at, const char *words)
{
  if (*at >= s->count || s->token[*at].kind != TOKEN_NAME) return 0;
  return s->joined->form == FORM_FIXED ? word_fixed(s, at, words) : word_free(s, at, words);
}

/* ---- types ---- */

/* Behind (..), *8, *(..), or nothing. */
static size_t word_kind_end(struct statement *s, size_t k)
{
  if (statement_is(s, k, "(")) return statement_skip(s, k);
  if (!statement_is(s, k, "*")) return k;
  if (statement_is(s, k + 1, "(")) return statement_skip(s, k + 1);
  if (k + 1 == s->count || s->token[k + 1].kind != TOKEN_NUMBER) return k;
  const struct token *const t = &s->token[k + 1];
  statement_part(s, k + 1, (unsigned)strspn(t->text, "0123456789")); /* REAL*8D1 */
  return k + 2;
}

size_t statement_type(struct statement *s, size_t k)
{
  static const char *const plain[] = {"double precision", "double complex"};
  static const char *const types[] = {"integer", "real", "complex", "logical", "character", "byte"};
  static const char *const derived[] = {"type", "class"};
  size_t at = k;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (statement_word(s, &at, plain[i])) return at;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (statement_word(s, &at, types[i])) return word_kind_end(s, at);
  for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
    if (k < s->count && token_is_word(&s->token[k], derived[i]) && statement_is(s, k + 1, "("))
      return statement_skip(s, k + 1);
  return k;
}
