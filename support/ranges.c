/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Pieces in the order of their addresses; free ones also in bins by the power of two of their sizes, taken
 * ones also in a table by their places. A piece is taken from the smallest bin that has one large enough; of
 * the first, where not all are, a few are looked at. Neighbours that are free become one. */
#include "support/ranges.h"

#include <stdlib.h>

enum { GRAIN = 64, BINS = 64, LOOKS = 32 };

struct piece {
  uint64_t at, size;
  struct piece *before, *after; /* by address */
  struct piece *next, **self;   /* in its bin, or its line of the table */
  int taken;
};

struct pst_ranges {
  struct piece *first, *bin[BINS], **line;
  uint64_t bins; /* bit i: bin i has something */
  size_t lines, taken;
};

static unsigned bin_of(uint64_t size) { return 63 - (unsigned)__builtin_clzll(size); }

static void chain(struct piece **head, struct piece *p)
{
  p->next = *head;
  p->self = head;
  if (p->next) p->next->self = &p->next;
  *head = p;
}

static void unchain(struct piece *p)
{
  *p->self = p->next;
  if (p->next) p->next->self = p->self;
}

/* ---- free pieces ---- */

static void put_in_bin(struct pst_ranges *r, struct piece *p)
{
  const unsigned b = bin_of(p->size);
  p->taken = 0;
  chain(&r->bin[b], p);
  r->bins |= (uint64_t)1 << b;
}

static void out_of_bin(struct pst_ranges *r, struct piece *p)
{
  const unsigned b = bin_of(p->size);
  unchain(p);
  if (!r->bin[b]) r->bins &= ~((uint64_t)1 << b);
}

/* All of a bin above the size's own are large enough; of its own, all are looked at only where nothing else
 * is left. */
static struct piece *find(struct pst_ranges *r, uint64_t size)
{
  const unsigned own = bin_of(size);
  const uint64_t above = own == 63 ? 0 : r->bins >> (own + 1) << (own + 1);
  int looks = 0;
  for (struct piece *p = r->bin[own]; p && (looks++ < LOOKS || !above); p = p->next)
    if (p->size >= size) return p;
  return above ? r->bin[__builtin_ctzll(above)] : NULL;
}

/* ---- taken pieces ---- */

static struct piece **line_of(const struct pst_ranges *r, uint64_t at)
{
  return &r->line[(at / GRAIN * 0x9e3779b97f4a7c15u >> 20) & (r->lines - 1)];
}

static struct piece *look_up(const struct pst_ranges *r, uint64_t at)
{
  for (struct piece *p = *line_of(r, at); p; p = p->next)
    if (p->at == at) return p;
  return NULL;
}

/* Without memory the lines only get longer. */
static void widen(struct pst_ranges *r)
{
  struct piece **old = r->line, *p;
  const size_t lines = r->lines;
  struct piece **wider = calloc(2 * lines, sizeof *wider);
  if (!wider) return;
  r->line = wider;
  r->lines = 2 * lines;
  for (size_t i = 0; i < lines; i++)
    while ((p = old[i])) {
      unchain(p);
      chain(line_of(r, p->at), p);
    }
  free(old);
}

static void note_taken(struct pst_ranges *r, struct piece *p)
{
  if (r->taken >= r->lines) widen(r);
  p->taken = 1;
  r->taken++;
  chain(line_of(r, p->at), p);
}

/* ---- */

struct pst_ranges *pst_ranges_open(uint64_t first, uint64_t size)
{
  struct pst_ranges *r = calloc(1, sizeof *r);
  struct piece *p = calloc(1, sizeof *p);
  if (r) r->line = calloc(r->lines = 64, sizeof *r->line);
  if (!r || !p || !r->line) {
    if (r) free(r->line);
    free(r);
    free(p);
    return NULL;
  }
  r->first = p;
  p->at = first;
  p->size = size;
  if (size) put_in_bin(r, p);
  return r;
}

void pst_ranges_close(struct pst_ranges *r)
{
  for (struct piece *p = r->first, *after; p; p = after) {
    after = p->after;
    free(p);
  }
  free(r->line);
  free(r);
}

/* What is too much of p becomes a piece of its own. */
static int split(struct pst_ranges *r, struct piece *p, uint64_t size)
{
  struct piece *rest = calloc(1, sizeof *rest);
  if (!rest) return -1;
  *rest = (struct piece){.at = p->at + size, .size = p->size - size, .before = p, .after = p->after};
  if (rest->after) rest->after->before = rest;
  p->after = rest;
  p->size = size;
  put_in_bin(r, rest);
  return 0;
}

static uint64_t rounded(uint64_t nbytes) { return (nbytes + GRAIN - 1) / GRAIN * GRAIN; }

/* p, which is in no bin, becomes a taken piece of `size` bytes, and what is too much goes into one; 0: no
 * memory, and p is free. */
static uint64_t take(struct pst_ranges *r, struct piece *p, uint64_t size)
{
  if (p->size > size && split(r, p, size) != 0) {
    put_in_bin(r, p);
    return 0;
  }
  note_taken(r, p);
  return p->at;
}

uint64_t pst_ranges_take(struct pst_ranges *r, uint64_t nbytes)
{
  const uint64_t size = rounded(nbytes);
  struct piece *p = size && size >= nbytes ? find(r, size) : NULL;
  if (!p) return 0;
  out_of_bin(r, p);
  return take(r, p, size);
}

/* What p, a free piece, has before its first multiple of alignment. */
static uint64_t in_front(const struct piece *p, uint64_t alignment) { return -p->at & (alignment - 1); }

static struct piece *find_aligned(struct pst_ranges *r, uint64_t size, uint64_t alignment)
{
  for (uint64_t bins = r->bins >> bin_of(size) << bin_of(size); bins; bins &= bins - 1)
    for (struct piece *p = r->bin[__builtin_ctzll(bins)]; p; p = p->next)
      if (p->size >= size && p->size - size >= in_front(p, alignment)) return p;
  return NULL;
}

uint64_t pst_ranges_take_aligned(struct pst_ranges *r, uint64_t nbytes, uint64_t alignment)
{
  const uint64_t size = rounded(nbytes);
  struct piece *p;
  uint64_t front;
  if (alignment <= GRAIN) return pst_ranges_take(r, nbytes);
  p = size && size >= nbytes ? find_aligned(r, size, alignment) : NULL;
  if (!p) return 0;
  out_of_bin(r, p);
  front = in_front(p, alignment);
  if (front == 0) return take(r, p, size);
  if (split(r, p, front) != 0) {
    put_in_bin(r, p);
    return 0;
  }
  put_in_bin(r, p);
  out_of_bin(r, p->after);
  return take(r, p->after, size);
}

uint64_t pst_ranges_size(const struct pst_ranges *r, uint64_t at)
{
  const struct piece *p = look_up(r, at);
  return p ? p->size : 0;
}

/* What comes after p, which is in no bin, becomes part of it. */
static void absorb(struct piece *p)
{
  struct piece *gone = p->after;
  p->size += gone->size;
  p->after = gone->after;
  if (p->after) p->after->before = p;
  free(gone);
}

int pst_ranges_give_back(struct pst_ranges *r, uint64_t at)
{
  struct piece *p = look_up(r, at);
  if (!p) return -1;
  unchain(p);
  r->taken--;
  if (p->after && !p->after->taken) {
    out_of_bin(r, p->after);
    absorb(p);
  }
  if (p->before && !p->before->taken) {
    p = p->before;
    out_of_bin(r, p);
    absorb(p);
  }
  put_in_bin(r, p);
  return 0;
}

/* The boundary between p, which is taken, and the free piece after it moves; p gets `size` bytes. */
static void move_boundary(struct pst_ranges *r, struct piece *p, uint64_t size)
{
  struct piece *after = p->after;
  out_of_bin(r, after);
  after->at += size - p->size;
  after->size -= size - p->size;
  p->size = size;
  if (after->size) {
    put_in_bin(r, after);
  } else {
    absorb(p);
  }
}

int pst_ranges_resize(struct pst_ranges *r, uint64_t at, uint64_t nbytes)
{
  const uint64_t size = rounded(nbytes);
  struct piece *p = look_up(r, at), *after = p ? p->after : NULL;
  if (!p || !size || size < nbytes) return -1;
  if (after && after->taken) after = NULL;
  if (size > p->size && (!after || size - p->size > after->size)) return -1;
  if (size == p->size) return 0;
  if (after) move_boundary(r, p, size);
  else split(r, p, size); /* without memory it keeps what it has */
  return 0;
}

enum pst_ranges_state pst_ranges_state(const struct pst_ranges *r, uint64_t address)
{
  for (const struct piece *p = r->first; p; p = p->after)
    if (address >= p->at && address - p->at < p->size)
      return !p->taken ? PST_RANGES_FREE : address == p->at ? PST_RANGES_TAKEN : PST_RANGES_INSIDE;
  return PST_RANGES_OUTSIDE;
}
