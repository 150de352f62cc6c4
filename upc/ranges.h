/* Pieces of a range of addresses, handed out and given back. What is known of them lies outside of the range, so that no program can
 * overwrite it. All sizes are rounded up to 64 bytes. Not for several threads at the same time. */
#ifndef UPC_RANGES_H
#define UPC_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct pst_ranges;

/* From first to first + size, multiples of 64; NULL without memory. */
struct pst_ranges *pst_ranges_open(uint64_t first, uint64_t size);
void pst_ranges_close(struct pst_ranges *r);
/* The place of at least nbytes bytes, at least 1; 0: there is none. */
uint64_t pst_ranges_take(struct pst_ranges *r, uint64_t nbytes);
/* The bytes that were taken there; 0: it is not the first of a piece that is taken. */
uint64_t pst_ranges_size(const struct pst_ranges *r, uint64_t at);
/* 0, or -1 where nothing was taken there. */
int pst_ranges_give_back(struct pst_ranges *r, uint64_t at);

#endif
