/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Compact descriptions of pieces of memory, as packed messages carry them: docs/formats.md draws them.
 *
 * Addresses are relative to an origin, the beginning of the segment where they lie. The reader of a
 * description trusts nothing: all that is addressed must lie in a window, and exactly the given number of
 * bytes must be described. */
#ifndef VIS_WIRE_H
#define VIS_WIRE_H
#include "vis/side.h"

/* The most bytes of a strided description, and of an entry of a list. */
enum { PST_WIRE_STRIDED_MOST = 2 + 10 * (3 + 2 * PST_SHAPE_LEVELS), PST_WIRE_ENTRY_MOST = 20 };

/* Describes a strided side from byte `offset` of its stream on: how many bytes were written. */
size_t pst_wire_strided(unsigned char *to, const struct pst_side *s, size_t offset, uintptr_t origin);

/* Elements of one size: each takes 2, 4 or 8 bytes, the same in all messages of a transfer. */
struct pst_wire_elements {
  const struct pst_side *side; /* pst_side_has_entries */
  uintptr_t origin, lowest;    /* address */
  unsigned shift;              /* all distances from there are multiples of 1 << shift */
  unsigned width;              /* bytes of an element's number */
};
enum { PST_WIRE_ELEMENTS_HEAD = 3 + 2 * 10 }; /* most bytes before the elements */
void pst_wire_elements_begin(struct pst_wire_elements *e, const struct pst_side *s, uintptr_t origin);
/* Describes n bytes of the stream from `offset` on, both multiples of the side's piece. How many bytes were
 * written. */
size_t pst_wire_elements(unsigned char *to, const struct pst_wire_elements *e, size_t offset, size_t n);

/* A list that is being written. Pieces that continue each other become one entry. */
struct pst_wire_list {
  unsigned char *begin, *at;
  uintptr_t behind; /* the last entry written: where it ends */
  uintptr_t addr;   /* the entry that may still grow */
  size_t len;       /* 0: none */
};
void pst_wire_list_begin(struct pst_wire_list *l, unsigned char *buffer, uintptr_t origin);
/* Bytes of the description after one more piece, at most; there must be room for them. */
static inline size_t pst_wire_list_most(const struct pst_wire_list *l)
{
  return (size_t)(l->at - l->begin) + 2 * PST_WIRE_ENTRY_MOST;
}
/* len > 0. */
void pst_wire_list_add(struct pst_wire_list *l, const void *addr, size_t len);
/* Bytes of the description. */
size_t pst_wire_list_end(struct pst_wire_list *l);

/* Where described memory may lie: from `begin` on, the origin as an address to be used here; or else, each
 * piece by itself, in one of `others`. */
struct pst_wire_window {
  uintptr_t begin;
  size_t size;
  const gasnet_seginfo_t *others; /* [count] */
  unsigned count;
};

/* Copies between described memory and a buffer of n bytes. NULL, or what is wrong with the description; the
 * pieces before that may have been copied by then. */
const char *pst_wire_unpack(
    const struct pst_wire_window *w, const void *description, size_t length, const char *from, size_t n);
const char *pst_wire_pack(
    const struct pst_wire_window *w, const void *description, size_t length, char *to, size_t n);

#endif
