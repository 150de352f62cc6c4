/* Pieces in the order of their addresses; free ones also in bins by the power of two of their sizes, taken ones also in a table by their
 * places. A piece is taken from the smallest bin that has one large enough; of the first, where not all are, a few are looked at. Neighbours
 * that are free become one. */
#include "upc/ranges.h"

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

/* All of a bin above the size's own are large enough; of its own, all are looked at only where nothing else is left. */
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
  *rest = (struct piece){ .at = p->at + size, .size = p->size - size, .before = p, .after = p->after };
  if (rest->after) rest->after->before = rest;
  p->after = rest;
  p->size = size;
  put_in_bin(r, rest);
  return 0;
}

uint64_t pst_ranges_take(struct pst_ranges *r, uint64_t nbytes)
{
  const uint64_t size = (nbytes + GRAIN - 1) / GRAIN * GRAIN;
  struct piece *p = size && size >= nbytes ? find(r, size) : NULL;
  if (!p) return 0;
  out_of_bin(r, p);
  if (p->size > size && split(r, p, size) != 0) {
    put_in_bin(r, p);
    return 0;
  }
  note_taken(r, p);
  return p->at;
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
