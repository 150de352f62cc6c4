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
  size_t bytes;        /* in all */
  ptrdiff_t delta;     /* what to add to each address for access here */
  size_t n;            /* STRIDED: levels, at most PST_SHAPE_LEVELS; VECTOR, INDEXED: entries */
  size_t piece;        /* bytes of a row or an entry; VECTOR: 0 where entries differ in length, or may */
  char *base;          /* STRIDED: the first row */
  const size_t *count; /* STRIDED: [n] */
  const ptrdiff_t *stride;
  const gasnet_memvec_t *vector;
  void *const *indexed;
};

void pst_side_strided(struct pst_side *s, char *base, size_t row, size_t levels, const size_t count[],
    const ptrdiff_t stride[]);
void pst_side_vector(struct pst_side *s, size_t n, const gasnet_memvec_t list[]);
/* The vector that belongs to `other`, a vector of as many bytes. Where `other` has as many entries, all of
 * one length, this one's lengths are not looked at, and `piece` is 0: a pass over them would cost as much as
 * a twentieth of a transfer of words. */
void pst_side_vector_like(
    struct pst_side *s, size_t n, const gasnet_memvec_t list[], const struct pst_side *other);
void pst_side_indexed(struct pst_side *s, size_t n, void *const list[], size_t len);
/* A contiguous range. *range must live as long as the side. */
void pst_side_flat(struct pst_side *s, gasnet_memvec_t *range, void *addr, size_t nbytes);

/* The addresses of a list whose entries have one size: where the first address is, and bytes from it to the
 * next. */
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

/* Is the side a list whose entries have one size? */
static inline int pst_side_has_entries(const struct pst_side *s)
{
  return s->kind != PST_SIDE_STRIDED && s->piece;
}

/* An address of a list, for access here. An entry without bytes may have any address: arithmetic on pointers
 * is not allowed. */
static inline char *pst_side_here(const void *addr, ptrdiff_t delta)
{
  return (char *)((uintptr_t)addr + (uintptr_t)delta);
}

/* Copies a whole side to the other; equal lengths, both mapped here. */
void pst_side_copy(const struct pst_side *dst, const struct pst_side *src);

#endif
