/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Heaps in shared memory. A heap is an account of a range of places, which are addresses or distances, as its
 * user likes; 0 is no place. Its records lie outside the range, where no program overwrites them.
 *
 * A heap on whose members all nodes make the same calls is symmetric: all nodes find the same places without
 * communication, as the account depends on nothing but the calls. A heap that one node uses alone is local.
 * Both lie in one segment as two shares whose sizes are fixed at the start, so what a node does with its
 * local heap never decides whether a collective allocation succeeds.
 *
 * A sub-heap is a block of another heap with an account of its own, which teams use: all nodes make it, and
 * those of each team then make the team's calls. Teams that have no node in common use one sub-heap's places
 * at the same time. All threads may call these functions at any time, but for pst_front_heap_close, which
 * comes when no other call of that heap, or of a sub-heap of it, is under way. */
#ifndef FRONT_HEAP_H
#define FRONT_HEAP_H

#include <stdint.h>

struct pst_front_heap;

/* From first to first + size, multiples of 64; NULL without memory. */
struct pst_front_heap *pst_front_heap_open(uint64_t first, uint64_t size);
/* nbytes of a heap, or with 0 the largest piece that is free. NULL: there is no such piece. */
struct pst_front_heap *pst_front_heap_open_sub(struct pst_front_heap *heap, uint64_t nbytes);
/* Frees all blocks as a whole; a sub-heap's place becomes free. -1: it has sub-heaps, and nothing happens. */
int pst_front_heap_close(struct pst_front_heap *heap);

/* What a place is, and what calls answer that need the beginning of a block. */
enum pst_front_place {
  PST_FRONT_BLOCK = 0,
  PST_FRONT_FREE = -1,
  PST_FRONT_INSIDE = -2, /* not at the beginning of a block, or of a sub-heap */
  PST_FRONT_OUTSIDE = -3,
  PST_FRONT_FULL = -4 /* resize: no room behind the block */
};

/* A block of at least nbytes, at a multiple of alignment, a power of two, and of 64. 0: there is none. */
uint64_t pst_front_heap_take(struct pst_front_heap *heap, uint64_t nbytes, uint64_t alignment);
/* The block's bytes; 0: no block begins there. */
uint64_t pst_front_heap_size(struct pst_front_heap *heap, uint64_t place);
/* Makes a block at least nbytes, at least 1, long where it is. */
enum pst_front_place pst_front_heap_resize(struct pst_front_heap *heap, uint64_t place, uint64_t nbytes);
enum pst_front_place pst_front_heap_give_back(struct pst_front_heap *heap, uint64_t place);

#endif
