/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Expressions of C as ranges of tokens: where they end, what stands in them, and the value of those whose
 * value can be seen. Nothing here needs declarations, so what is a type and what a variable is not known. No
 * function recurses without a limit, reads past the TOKEN_END, or says anything: callers have the messages.
 */
#ifndef XMPCC_EXPRESSION_H
#define XMPCC_EXPRESSION_H
#include "xmpcc/token.h"

/* A range of tokens, last not included. Empty: first == last. */
struct expression {
  const struct token *first, *last;
};
static inline int expression_is_empty(const struct expression *e) { return e->first == e->last; }

/* The bracket that closes the one at t, which is ( [ or {; NULL where none does, or one of another kind.
 * Unlike token_skip it tells a bracket that ends with the tokens from one that is not closed. */
const struct token *expression_closing(const struct token *t);

/* What ends an expression besides a semicolon, a bracket that it has not opened, one that nothing closes, a
 * directive, and the end of the tokens. */
enum {
  EXPRESSION_ENDS_COMMA = 1,
  EXPRESSION_ENDS_COLON = 2,     /* but for those of its own conditionals, and of coindices: v:[0] */
  EXPRESSION_ENDS_ASSIGNMENT = 4 /* = and all others, as += */
};
/* The first token that does not belong to the expression that begins at t: with ENDS_COMMA to an
 * assignment-expression, with ENDS_ASSIGNMENT to the left side of one. Brackets are stepped over with all
 * that is in them: calls, subscripts, casts, compound literals, generic selections, ({..}). Between ? and : a
 * comma and an assignment belong to the expression. Braces do where they follow a round bracket, or come
 * first, as in an initialiser. */
const struct token *expression_end(const struct token *t, unsigned ends);

/* Whether it is an integer constant expression, which *value is then. It may consist of integers, plain
 * characters and + - ~ ! * / % << >> < <= > >= == != & ^ | && || ?: ( ). Of type int or long as C has it; one
 * with unsigned numbers, with overflow, a division by 0 or a shift that C does not define is none. */
int expression_is_constant(const struct expression *e, long long *value);
/* Whether it is none because a value does not fit its type. */
int expression_overflows(const struct expression *e);

/* Whether the name occurs, but for members of this name. fortran: case does not matter, and % precedes
 * members. */
int expression_mentions(const struct expression *e, const struct token *name, int fortran);

/* [..] after a name. */
struct subscript {
  const struct token *open, *close; /* the brackets */
  int colons;                       /* 0: an index; 1 and 2: a section; more: neither */
  struct expression part[3];        /* the index; or base, length, step, which may be empty */
};
/* Reads the subscripts after t, which is a name or any token before brackets: `most` of them at most. Says
 * how many there are, and sets *after to the token after the last one, or after t. */
int expression_subscripts(
    const struct token *t, struct subscript *subscript, int most, const struct token **after);

#endif
