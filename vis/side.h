/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One side of a transfer, as a stream of bytes: contiguous pieces in the order of the description. Two sides
 * of equal length make a transfer, whatever their forms: the n-th byte of one goes to the n-th byte of the
 * other. */
#ifndef VIS_SIDE_H
#define VIS_SIDE_H
#include "gasnet.h"
#include "vis/shape.h"

enum pst_side_kind { PST_SIDE_STRIDED, PST_SIDE_VECTOR, PST_SIDE_INDEXED };

/* Refers to the caller's arrays. Empty entries and counts of 0 are allowed anywhere. */
struct pst_side {
  enum pst_side_kind kind;
  size_t bytes;    /* in all */
  ptrdiff_t delta; /* what to add to each address for access here */
  size_t n;        /* STRIDED: levels, at most PST_SHAPE_LEVELS; VECTOR, INDEXED: entries */
  size_t
      piece;  /* STRIDED: bytes of a row; INDEXED: of an entry; VECTOR: of each entry, 0 where they differ */
  char *base; /* STRIDED: the first row */
  const size_t *count; /* STRIDED: [n] */
  const ptrdiff_t *stride;
  const gasnet_memvec_t *vector;
  void *const *indexed;
};

void pst_side_strided(struct pst_side *s, char *base, size_t row, size_t levels, const size_t count[],
    const ptrdiff_t stride[]);
void pst_side_vector(struct pst_side *s, size_t n, const gasnet_memvec_t list[]);
void pst_side_indexed(struct pst_side *s, size_t n, void *const list[], size_t len);
/* A contiguous range. *range must live as long as the side. */
void pst_side_flat(struct pst_side *s, gasnet_memvec_t *range, void *addr, size_t nbytes);

/* The addresses of a list's entries, which are pieces of one size: where the first address is, and bytes from
 * it to the next. */
struct pst_side_entries {
  const char *at;
  size_t step;
};
static inline struct pst_side_entries pst_side_entries(const struct pst_side *s)
{
  if (s->kind == PST_SIDE_VECTOR)
    return (struct pst_side_entries){(const char *)&s->vector->addr, sizeof *s->vector};
  return (struct pst_side_entries){(const char *)s->indexed, sizeof *s->indexed};
}
static inline char *pst_side_entry(struct pst_side_entries e, size_t i)
{
  return *(void *const *)(e.at + i * e.step);
}

/* Is it a list of pieces of one size? */
static inline int pst_side_has_entries(const struct pst_side *s)
{
  return s->kind != PST_SIDE_STRIDED && s->piece;
}

/* A position in a side's stream. Copyable. */
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

/* Copies a whole side to the other; equal lengths, both mapped here. */
void pst_side_copy(const struct pst_side *dst, const struct pst_side *src);

#endif
