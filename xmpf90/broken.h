/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One statement written on as many lines as it needs. In free form a line may be broken between any two
 * characters, of names and literals, too, as the next one begins with &; blanks are preferred. In fixed form
 * it is broken at the last column, so that literals get no blanks, or between tokens. Where the source began
 * a new line this does, too: the compiler says to which line of a statement its messages belong. */
#ifndef XMPF90_BROKEN_H
#define XMPF90_BROKEN_H
#include <stdio.h>

#include "xmpf90/line.h"

struct broken_place {
  const char *file;
  unsigned line;
  int begins; /* in struct broken: a token, or what was added otherwise */
};
struct broken_out {
  FILE *f;
  struct broken_place at; /* what the compiler takes the next line for */
  int is_open;            /* the last line has no end: a file may end without one */
};
/* Ends a line that is open, and writes a line mark where one is needed. */
void broken_out_at(struct broken_out *o, struct broken_place p);

struct broken {
  const struct line_options *options;
  const struct token *label; /* NULL or of length 0: none */
  unsigned column;
  char *text;
  struct broken_place *place; /* [length] */
  size_t length, text_capacity, place_capacity;
};
/* column: where the statement begins, from 1. */
void broken_open(struct broken *b, const struct line_options *o, unsigned column);
/* Of length 0: none. In fixed form one with too many digits is written as it is, since the compiler has to
 * see it. */
void broken_label(struct broken *b, const struct token *label);
void broken_add(struct broken *b, const char *text, size_t n, const struct token *at);
/* Writes it, and frees what it has. A text that begins with ! or # is written as one line from column 1. */
void broken_write(struct broken *b, struct broken_out *o);

#endif
