/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A preprocessed file (cc -E -dD) as a list of tokens. Line marks give the tokens their places; #define and
 * #undef feed a table of macros, by which names in #pragma xmp lines are replaced as they stood at that line
 * (object-like and function-like, # and ##, variadic; __VA_OPT__, too). The words of directives are names
 * like others: a macro of such a name replaces it, as in every compiler that expands pragmas, but for the
 * words after #pragma xmp up to the first that is no word of the grammar's beginning (nodes, loop, ...). */
#ifndef XMPCC_SOURCE_H
#define XMPCC_SOURCE_H
#include "xmpcc/token.h"

struct source {
  const char *name; /* of the file that the user named */
  char *text;       /* preprocessed, zero-terminated */
  size_t size;
  struct token *token; /* [count], the last a TOKEN_END */
  size_t count;
};

/* Takes text over, which malloc gave. Errors are printed (message.h), and reading goes on. Text is hostile:
 * any bytes give a list. */
struct source *source_read(char *text, size_t size, const char *name);
void source_free(struct source *s);

#endif
