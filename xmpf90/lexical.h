/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The text of one logical line, its continuation lines joined, and the tokens in it. Operators such as .and.
 * and // are one token, ** and :: are two, as C's reader has them. In fixed form blanks mean nothing, and are
 * not in the text, but for those in literals. */
#ifndef XMPF90_LEXICAL_H
#define XMPF90_LEXICAL_H
#include "xmpcc/memory.h"
#include "xmpcc/token.h"

enum form { FORM_FREE, FORM_FIXED };

/* Where a character was written, and what is known of it. */
enum { PLACE_SPACED = 1, PLACE_HOLLERITH = 2 /* the H of 4Habcd */ };
struct place {
  const char *file;
  unsigned line, column;
  unsigned flags;
};
struct joined {
  enum form form;
  size_t length;
  const char *text;          /* [length], and a 0 */
  const struct place *place; /* [length], and that of the end */
};

/* What joins. `start` is where the present statement begins in the text. */
struct joiner {
  char *text;
  struct place *place;
  size_t length, text_capacity, place_capacity, start;
  char quote;       /* the literal that has not ended, or 0 */
  size_t hollerith; /* how many characters of one are left */
  int keeps_blanks; /* free form, and directives */
  int spaced;       /* blanks came before */
};
/* Adds a character that is no part of a comment or a continuation mark. */
void joiner_add(struct joiner *j, char c, const char *file, unsigned line, unsigned column);
static inline int joiner_in_literal(const struct joiner *j) { return j->quote || j->hollerith; }
/* The result, which lives in the arena, and a joiner as new. */
const struct joined *joiner_take(struct joiner *j, enum form form, struct arena *a, struct place end);
void joiner_free(struct joiner *j);

/* Reads the token at `at`, or one blank before it; gives the offset behind it. At the end a TOKEN_END. */
size_t lexical_token(const struct joined *j, size_t at, size_t end, struct token *t);
/* The token of the first n characters at `at`. */
struct token lexical_piece(const struct joined *j, size_t at, size_t n, enum token_kind kind);
/* The digits that begin there. */
size_t lexical_digits(const struct joined *j, size_t at, size_t end);

static inline int lexical_is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
static inline int lexical_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline int lexical_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline int lexical_is_name(char c)
{
  return lexical_is_letter(c) || lexical_is_digit(c) || c == '_' || c == '$';
}

#endif
