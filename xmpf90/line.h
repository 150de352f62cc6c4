/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A source of Fortran as logical lines and their statements. Any bytes are a list of statements.
 *
 * Free form, or fixed form with text up to a width; line marks as # 12 "file" say where lines come from, and
 * may stand within continued lines. Directives are !$xmp, c$xmp and *$xmp; blanks have a meaning in them in
 * both forms. Where !$ lines are not to be compiled they are comments, as !$omp lines are.
 *
 * An include line whose file is found is a line with an input of its own, whose statements are in the same
 * list. Where the file is not found, or includes itself, the line stays a comment for us, and the compiler
 * has the message. */
#ifndef XMPF90_LINE_H
#define XMPF90_LINE_H
#include "xmpf90/statement.h"

struct line_options {
  enum form form;
  unsigned width;               /* of fixed form: what is behind this column is no text; 0: all is */
  int is_openmp;                /* !$ lines are text */
  const char *const *directory; /* [directories]: where include lines look, beside the source's own */
  size_t directories;
};
/* What the suffix says: .f .for .ftn .f77 .fpp, else free. preprocess: whether it is upper-case. */
enum form line_form(const char *name, int *preprocess);

/* One file, or a preprocessed one. */
struct input {
  const char *name, *text, *end;
  struct line *line; /* [lines] */
  size_t lines, capacity;
  const struct input *includer;
};
/* A logical line: from its first byte to behind its last end of a line. Between two of them are comments. */
struct line {
  const char *begin, *end;
  size_t first, count;    /* of its statements */
  struct input *included; /* of an include line; NULL: none */
  const char *file;       /* of its first line */
  unsigned number;
  const char *file_after; /* and what stands behind it */
  unsigned number_after;
};

struct lines {
  struct line_options options;
  struct input *input;
  struct statement *statement; /* [count] */
  size_t count, capacity;
  struct arena arena; /* what all of it consists of */
};

/* Takes text over, which malloc gave. Errors are printed (message.h). The options' directories must live as
 * long as the lines do. */
struct lines *lines_read(char *text, size_t size, const char *name, const struct line_options *o);
void lines_free(struct lines *l);

#endif
