/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All pieces are in a list, in the order of their addresses. Free pieces are also in bins, one for each power
 * of two of sizes; taken pieces are also in a hash table by their addresses. A request looks at a few pieces
 * of the bin of its own size, where not all are large enough, then takes one of the next higher bin. Free
 * neighbours become one piece. */
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

static void piece_chain(struct piece **head, struct piece *p)
{
  p->next = *head;
  p->self = head;
  if (p->next) p->next->self = &p->next;
  *head = p;
}

static void piece_unchain(struct piece *p)
{
  *p->self = p->next;
  if (p->next) p->next->self = p->self;
}

/* ---- free pieces ---- */

static void piece_put_in_bin(struct pst_ranges *r, struct piece *p)
{
  const unsigned b = bin_of(p->size);
  p->taken = 0;
  piece_chain(&r->bin[b], p);
  r->bins |= (uint64_t)1 << b;
}

static void piece_take_from_bin(struct pst_ranges *r, struct piece *p)
{
  const unsigned b = bin_of(p->size);
  piece_unchain(p);
  if (!r->bin[b]) r->bins &= ~((uint64_t)1 << b);
}

/* Every piece of a higher bin is large enough. In the size's own bin all pieces are looked at only if no
 * higher bin has one. */
static struct piece *piece_find(struct pst_ranges *r, uint64_t size)
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

static struct piece *piece_look_up(const struct pst_ranges *r, uint64_t at)
{
  for (struct piece *p = *line_of(r, at); p; p = p->next)
    if (p->at == at) return p;
  return NULL;
}

/* Without memory for that, the lines get longer. */
static void table_widen(struct pst_ranges *r)
{
  struct piece **old = r->line, *p;
  const size_t lines = r->lines;
  struct piece **wider = calloc(2 * lines, sizeof *wider);
  if (!wider) return;
  r->line = wider;
  r->lines = 2 * lines;
  for (size_t i = 0; i < lines; i++)
    while ((p = old[i])) {
      piece_unchain(p);
      piece_chain(line_of(r, p->at), p);
    }
  free(old);
}

static void piece_note_taken(struct pst_ranges *r, struct piece *p)
{
  if (r->taken >= r->lines) table_widen(r);
  p->taken = 1;
  r->taken++;
  piece_chain(line_of(r, p->at), p);
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
  if (size) piece_put_in_bin(r, p);
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

/* What p has beyond `size` bytes becomes a free piece. -1: there is no memory, and p is as before. */
static int piece_split(struct pst_ranges *r, struct piece *p, uint64_t size)
{
  struct piece *rest = calloc(1, sizeof *rest);
  if (!rest) return -1;
  *rest = (struct piece){.at = p->at + size, .size = p->size - size, .before = p, .after = p->after};
  if (rest->after) rest->after->before = rest;
  p->after = rest;
  p->size = size;
  piece_put_in_bin(r, rest);
  return 0;
}

static uint64_t round_up(uint64_t nbytes) { return (nbytes + GRAIN - 1) / GRAIN * GRAIN; }

/* Makes p, which is in no bin, a taken piece of `size` bytes, and the rest of it a free one. Returns its
 * address; 0: there is no memory, and p is free. */
static uint64_t piece_take(struct pst_ranges *r, struct piece *p, uint64_t size)
{
  if (p->size > size && piece_split(r, p, size) != 0) {
    piece_put_in_bin(r, p);
    return 0;
  }
  piece_note_taken(r, p);
  return p->at;
}

uint64_t pst_ranges_take(struct pst_ranges *r, uint64_t nbytes)
{
  const uint64_t size = round_up(nbytes);
  struct piece *p = size && size >= nbytes ? piece_find(r, size) : NULL;
  if (!p) return 0;
  piece_take_from_bin(r, p);
  return piece_take(r, p, size);
}

/* The bytes of p before its first multiple of alignment. */
static uint64_t bytes_in_front(const struct piece *p, uint64_t alignment) { return -p->at & (alignment - 1); }

static struct piece *piece_find_aligned(struct pst_ranges *r, uint64_t size, uint64_t alignment)
{
  for (uint64_t bins = r->bins >> bin_of(size) << bin_of(size); bins; bins &= bins - 1)
    for (struct piece *p = r->bin[__builtin_ctzll(bins)]; p; p = p->next)
      if (p->size >= size && p->size - size >= bytes_in_front(p, alignment)) return p;
  return NULL;
}

uint64_t pst_ranges_take_aligned(struct pst_ranges *r, uint64_t nbytes, uint64_t alignment)
{
  const uint64_t size = round_up(nbytes);
  struct piece *p;
  uint64_t front;
  if (alignment <= GRAIN) return pst_ranges_take(r, nbytes);
  p = size && size >= nbytes ? piece_find_aligned(r, size, alignment) : NULL;
  if (!p) return 0;
  piece_take_from_bin(r, p);
  front = bytes_in_front(p, alignment);
  if (front == 0) return piece_take(r, p, size);
  if (piece_split(r, p, front) != 0) {
    piece_put_in_bin(r, p);
    return 0;
  }
  piece_put_in_bin(r, p);
  piece_take_from_bin(r, p->after);
  return piece_take(r, p->after, size);
}

uint64_t pst_ranges_size(const struct pst_ranges *r, uint64_t at)
{
  const struct piece *p = piece_look_up(r, at);
  return p ? p->size : 0;
}

uint64_t pst_ranges_largest(const struct pst_ranges *r)
{
  uint64_t most = 0;
  for (const struct piece *p = r->bins ? r->bin[bin_of(r->bins)] : NULL; p; p = p->next)
    if (p->size > most) most = p->size;
  return most;
}

/* The piece after p becomes part of p; neither is in a bin. */
static void piece_absorb_next(struct piece *p)
{
  struct piece *gone = p->after;
  p->size += gone->size;
  p->after = gone->after;
  if (p->after) p->after->before = p;
  free(gone);
}

int pst_ranges_give_back(struct pst_ranges *r, uint64_t at)
{
  struct piece *p = piece_look_up(r, at);
  if (!p) return -1;
  piece_unchain(p);
  r->taken--;
  if (p->after && !p->after->taken) {
    piece_take_from_bin(r, p->after);
    piece_absorb_next(p);
  }
  if (p->before && !p->before->taken) {
    p = p->before;
    piece_take_from_bin(r, p);
    piece_absorb_next(p);
  }
  piece_put_in_bin(r, p);
  return 0;
}

/* Moves the boundary between p, which is taken, and the free piece after it, so that p has `size` bytes. */
static void piece_move_end(struct pst_ranges *r, struct piece *p, uint64_t size)
{
  struct piece *after = p->after;
  piece_take_from_bin(r, after);
  after->at += size - p->size;
  after->size -= size - p->size;
  p->size = size;
  if (after->size) {
    piece_put_in_bin(r, after);
  } else {
    piece_absorb_next(p);
  }
}

int pst_ranges_resize(struct pst_ranges *r, uint64_t at, uint64_t nbytes)
{
  const uint64_t size = round_up(nbytes);
  struct piece *p = piece_look_up(r, at), *after = p ? p->after : NULL;
  if (!p || !size || size < nbytes) return -1;
  if (after && after->taken) after = NULL;
  if (size > p->size && (!after || size - p->size > after->size)) return -1;
  if (size == p->size) return 0;
  if (after) piece_move_end(r, p, size);
  else piece_split(r, p, size); /* without memory it keeps what it has */
  return 0;
}

enum pst_ranges_state pst_ranges_state(const struct pst_ranges *r, uint64_t address)
{
  for (const struct piece *p = r->first; p; p = p->after)
    if (address >= p->at && address - p->at < p->size)
      return !p->taken ? PST_RANGES_FREE : address == p->at ? PST_RANGES_TAKEN : PST_RANGES_INSIDE;
  return PST_RANGES_OUTSIDE;
}
