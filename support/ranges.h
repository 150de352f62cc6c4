/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Allocates pieces of a range of addresses. Its records lie outside the range, where no program overwrites
 * them. Sizes are rounded up to 64 bytes. There is no lock: one thread at a time. */
#ifndef SUPPORT_RANGES_H
#define SUPPORT_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct pst_ranges;

/* From first to first + size, multiples of 64; NULL without memory. */
struct pst_ranges *pst_ranges_open(uint64_t first, uint64_t size);
void pst_ranges_close(struct pst_ranges *r);
/* The address of a piece of at least nbytes bytes, at least 1; 0: there is none. */
uint64_t pst_ranges_take(struct pst_ranges *r, uint64_t nbytes);
/* The same at a multiple of alignment, a power of two. */
uint64_t pst_ranges_take_aligned(struct pst_ranges *r, uint64_t nbytes, uint64_t alignment);
/* Makes a taken piece at least nbytes bytes long, at least 1, where it is. -1: there is no room behind it,
 * and it stays as it was. */
int pst_ranges_resize(struct pst_ranges *r, uint64_t at, uint64_t nbytes);
/* The bytes of the taken piece that begins there; 0: none does. */
uint64_t pst_ranges_size(const struct pst_ranges *r, uint64_t at);
/* The bytes of the largest free piece; 0: there is none. */
uint64_t pst_ranges_largest(const struct pst_ranges *r);
/* 0, or -1 where nothing was taken there. */
int pst_ranges_give_back(struct pst_ranges *r, uint64_t at);

/* What an address is. This looks at all pieces. */
enum pst_ranges_state {
  PST_RANGES_OUTSIDE,
  PST_RANGES_FREE,
  PST_RANGES_TAKEN,
  PST_RANGES_INSIDE /* of a piece that is taken */
};
enum pst_ranges_state pst_ranges_state(const struct pst_ranges *r, uint64_t address);

#endif
