/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tokens of preprocessed C. A token is a range of a text that lives as long as the program runs; nothing is
 * copied. Each has the place where its user wrote it, by the line marks of the preprocessor. */
#ifndef XMPCC_TOKEN_H
#define XMPCC_TOKEN_H
#include <stddef.h>

enum token_kind {
  TOKEN_END,  /* the last one of every list */
  TOKEN_NAME, /* keywords, too */
  TOKEN_NUMBER,
  TOKEN_STRING, /* with its prefix: L"..." */
  TOKEN_CHARACTER,
  TOKEN_PUNCTUATION, /* the longest that C has; digraphs are written as such */
  TOKEN_DIRECTIVE,   /* a #pragma xmp: `list` has what follows these words, with macros replaced */
  TOKEN_PRAGMA, /* any other line that begins with #, but for line marks and #define: `text` is the line */
  TOKEN_OTHER   /* a byte that no token of C begins with */
};

struct token {
  enum token_kind kind;
  const char *text;
  unsigned length;
  unsigned line, column; /* from 1. Of a token that a macro in a directive gave: of the macro's name */
  const char *file;
  unsigned char spaced; /* white space comes before it */
  unsigned char system; /* it comes from a system header */
  struct token *list;   /* of a TOKEN_DIRECTIVE: ends with a TOKEN_END */
};

/* Is it this name or punctuation? */
int token_is(const struct token *t, const char *text);
/* Is it one of these, of which NULL is the last? */
int token_is_one(const struct token *t, const char *const *texts);
/* Of words of directives, whose case does not matter. */
int token_is_word(const struct token *t, const char *word);
/* The token after the bracket that closes the one at t, which is ( [ or {. TOKEN_END where none does. */
const struct token *token_skip(const struct token *t);
/* The text of tokens first to last, last not included, as one line: a space where there was white space. The
 * caller frees it. */
char *token_text(const struct token *first, const struct token *last);

#endif
