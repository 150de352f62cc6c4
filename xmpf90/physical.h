/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One line of a file: whether it is a comment, begins a statement or a directive, or continues one. */
#ifndef XMPF90_PHYSICAL_H
#define XMPF90_PHYSICAL_H
#include "xmpf90/line.h"

enum physical_kind { PHYSICAL_COMMENT, PHYSICAL_HASH, PHYSICAL_TEXT, PHYSICAL_XMP, PHYSICAL_OPENMP };
struct physical {
  enum physical_kind kind;
  const char *begin, *end, *next; /* end: of the text that counts, next: of the next line */
  const char *text;               /* behind the sentinel; in fixed form the seventh column */
  const char *label, *label_end;  /* of fixed form: the first five columns */
  unsigned room; /* of fixed form: how many columns are left behind `end`, which are blanks */
  int continues; /* by column 6, or by a mark behind the sentinel */
};

/* Reads the line that begins at `at`, which is not the end. */
void physical_read(struct physical *p, const char *at, const char *end, const struct line_options *o);
/* Of PHYSICAL_TEXT: the file of an include line, NULL if it is none. */
const char *physical_include(const struct physical *p, size_t *length);

#endif
