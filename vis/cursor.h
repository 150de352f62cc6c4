/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A position in a side's stream of bytes. */
#ifndef VIS_CURSOR_H
#define VIS_CURSOR_H
#include "vis/side.h"

/* Copyable. */
struct pst_cursor {
  const struct pst_side *side;
  size_t left;                       /* bytes from here to the end */
  size_t within;                     /* bytes of the current piece passed */
  size_t index;                      /* VECTOR, INDEXED: entry */
  char *row;                         /* STRIDED: current row, before delta */
  size_t position[PST_SHAPE_LEVELS]; /* STRIDED: [n] are valid */
};

/* offset: bytes to skip, at most side->bytes. Costs a pass over the entries where they differ in length. */
void pst_cursor_begin(struct pst_cursor *c, const struct pst_side *side, size_t offset);
/* The contiguous bytes from here: *addr with delta added, and how many; 0 at the end. */
size_t pst_cursor_piece(struct pst_cursor *c, char **addr);
/* Moves on by n bytes of the piece. */
void pst_cursor_skip(struct pst_cursor *c, size_t n);

/* Moves the next n bytes of the side, at most what is left, to or from a buffer, and the cursor on. */
void pst_cursor_pack(struct pst_cursor *c, char *to, size_t n);
void pst_cursor_unpack(struct pst_cursor *c, const char *from, size_t n);

#endif
