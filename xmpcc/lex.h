/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A text as the tokens of C, one after the other, in one pass. Any bytes are a list of tokens: what is not
 * closed (strings, comments) ends with the line or the text. */
#ifndef XMPCC_LEX_H
#define XMPCC_LEX_H
#include "xmpcc/token.h"

struct lex {
  const char *at, *end;
  const char *line_begin; /* of the physical line, for columns */
  const char *file;
  unsigned line;
  unsigned char system;
};

/* Steps over white space, comments and joined lines; over ends of lines, too, where `lines` is not 0. Says
 * whether there was any, and adds to *ended how many lines have ended outside of comments. */
int lex_space(struct lex *l, int lines, unsigned *ended);
/* Reads the token at l->at, which is neither the end nor white space. */
void lex_token(struct lex *l, struct token *t);
/* The end of the logical line: lines that a backslash joins are one. */
const char *lex_line_end(const char *at, const char *end);
/* Goes there, and counts the lines. */
void lex_go(struct lex *l, const char *to);

/* What a line that begins with # is. at: behind the #. */
enum lex_line { LEX_MARK, LEX_DEFINE, LEX_UNDEF, LEX_XMP, LEX_OTHER };
/* *rest: behind the words. */
enum lex_line lex_line_kind(const char *at, const char *end, const char **rest);

static inline int lex_is_name_begin(unsigned char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}
static inline int lex_is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
static inline int lex_is_name(unsigned char c) { return lex_is_name_begin(c) || lex_is_digit(c); }

#endif
