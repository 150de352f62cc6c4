/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transposes, block by block. A block has so few lines and pages of both sides that they are still in the
 * caches for the next row of elements. Within a block whole tiles go through registers. */
#include "vis/kernel_set.h"

#include <stdint.h>
#include <string.h>

#include "support/copy.h"
#include "support/integers.h"
#include "vis/kernel_move.h"

enum {
  LINE_BYTES = 64,
  LARGEST = 32,   /* bytes of an element; an element of a whole line needs no blocks */
  LEAST = 8,      /* elements along each level */
  BLOCK = 64,     /* lines of the destination in a block: at worst as many pages */
  BLOCK_PLAIN = 8 /* elements along the destination in a block without tiles: the source's lines stay */
};

static ptrdiff_t magnitude(ptrdiff_t stride) { return stride < 0 ? -stride : stride; }

/* The level along which the source is nearest to contiguous. */
static unsigned source_level(const struct pst_shape *s)
{
  unsigned best = 0;
  for (unsigned l = 1; l < s->levels; l++)
    if (magnitude(s->src[l]) < magnitude(s->src[best])) best = l;
  return best;
}

int pst_transpose_suits(const struct pst_shape *s)
{
  const unsigned b = source_level(s);
  return b > 0 && s->row <= LARGEST && s->count[0] >= LEAST && s->count[b] >= LEAST &&
      s->dst[0] < LINE_BYTES && magnitude(s->src[b]) < LINE_BYTES && magnitude(s->src[0]) >= LINE_BYTES;
}

/* The two levels: i runs along the destination, j along the source. */
struct plane {
  size_t ni, nj, elemsz;
  ptrdiff_t di, dj, si, sj;
};

/* ---- without tiles ---- */

#define COPY_BLOCK(copy, bytes) \
  for (size_t j = 0; j < nj; j++) \
    for (size_t i = 0; i < ni; i++) \
  copy(d + (ptrdiff_t)j * dj + (ptrdiff_t)i * di, s + (ptrdiff_t)j * sj + (ptrdiff_t)i * si, bytes)

static void copy_block(const struct plane *p, char *d, const char *s, size_t ni, size_t nj)
{
  const ptrdiff_t di = p->di, dj = p->dj, si = p->si, sj = p->sj;
  const size_t elemsz = p->elemsz;
  switch (elemsz) {
  case 1: COPY_BLOCK(memcpy, 1); break;
  case 2: COPY_BLOCK(memcpy, 2); break;
  case 4: COPY_BLOCK(memcpy, 4); break;
  case 8: COPY_BLOCK(memcpy, 8); break;
  case 16: COPY_BLOCK(memcpy, 16); break;
  default: COPY_BLOCK(pst_move_short, elemsz);
  }
}

static void copy_plain(const struct plane *p, char *d, const char *s, size_t ni, size_t nj)
{
  for (size_t j = 0; j < nj; j += BLOCK)
    for (size_t i = 0; i < ni; i += BLOCK_PLAIN)
      copy_block(p, d + (ptrdiff_t)j * p->dj + (ptrdiff_t)i * p->di,
          s + (ptrdiff_t)j * p->sj + (ptrdiff_t)i * p->si, pst_least(ni - i, BLOCK_PLAIN),
          pst_least(nj - j, BLOCK));
}

/* ---- with tiles ---- */

static void prefetch_columns(const char *s, ptrdiff_t pitch, size_t n)
{
  for (size_t i = 0; i < n; i++) __builtin_prefetch(s + (ptrdiff_t)i * pitch);
}

/* ni and nj are multiples of the tile's. Where a tile takes whole lines of the source, the next lines along
 * the destination are prefetched: the processor would not foresee them. */
static void copy_tiles(
    const struct plane *p, const struct pst_tile *t, char *d, const char *s, size_t ni, size_t nj, int stream)
{
  const size_t along = LINE_BYTES / p->elemsz;
  const int whole = t->across * p->elemsz == LINE_BYTES;
  for (size_t jb = 0; jb < nj; jb += BLOCK)
    for (size_t i = 0; i < ni; i += along)
      for (size_t j = jb; j < pst_least(nj, jb + BLOCK); j += t->across) {
        const char *from = s + (ptrdiff_t)i * p->si + (ptrdiff_t)j * p->sj;
        if (whole && i + along < ni) prefetch_columns(from + (ptrdiff_t)along * p->si, p->si, along);
        t->copy(d + (ptrdiff_t)i * p->di + (ptrdiff_t)j * p->dj, p->dj, from, p->si, stream);
      }
}

/* How many elements come before the first aligned line of the destination. */
static size_t elements_before_line(const struct plane *p, const char *d)
{
  const size_t off = -(uintptr_t)d & (LINE_BYTES - 1);
  return off % p->elemsz ? 0 : pst_least(off / p->elemsz, p->ni);
}

static void copy_plane(const struct plane *p, const struct pst_tile *t, char *d, const char *s, int large)
{
  const size_t along = LINE_BYTES / p->elemsz, head = elements_before_line(p, d),
               nj = p->nj / t->across * t->across;
  const size_t ni = (p->ni - head) / along * along, tail = head + ni;
  char *body = d + (ptrdiff_t)head * p->di;
  const int stream = large && ((uintptr_t)body | (uintptr_t)p->dj) % LINE_BYTES == 0;
  copy_plain(p, d, s, head, p->nj);
  copy_tiles(p, t, body, s + (ptrdiff_t)head * p->si, ni, nj, stream);
  copy_plain(
      p, body + (ptrdiff_t)nj * p->dj, s + (ptrdiff_t)head * p->si + (ptrdiff_t)nj * p->sj, ni, p->nj - nj);
  copy_plain(p, d + (ptrdiff_t)tail * p->di, s + (ptrdiff_t)tail * p->si, p->ni - tail, p->nj);
}

/* ---- all levels ---- */

static void plane_split(const struct pst_shape *s, struct plane *p, struct pst_shape *outer)
{
  const unsigned b = source_level(s);
  *p = (struct plane){s->count[0], s->count[b], s->row, s->dst[0], s->dst[b], s->src[0], s->src[b]};
  outer->levels = 0;
  for (unsigned l = 1; l < s->levels; l++) {
    if (l == b) continue;
    outer->count[outer->levels] = s->count[l];
    outer->dst[outer->levels] = s->dst[l];
    outer->src[outer->levels++] = s->src[l];
  }
}

/* Makes lines of the source run forwards; the order of the destination's lines does not matter. */
static void plane_reflect(struct plane *p, char **dst, const char **src)
{
  if (p->sj >= 0) return;
  *dst += p->dj * (ptrdiff_t)(p->nj - 1);
  *src += p->sj * (ptrdiff_t)(p->nj - 1);
  p->dj = -p->dj;
  p->sj = -p->sj;
}

static const struct pst_tile *tile_of(const struct pst_tile tiles[], const struct plane *p)
{
  if (p->di != (ptrdiff_t)p->elemsz || p->sj != p->di) return NULL;
  for (; tiles->elemsz; tiles++)
    if (tiles->elemsz == p->elemsz) return tiles;
  return NULL;
}

void pst_transpose_copy(const struct pst_tile tiles[], const struct pst_shape *s, char *dst, const char *src)
{
  struct plane p;
  struct pst_shape outer;
  size_t position[PST_SHAPE_LEVELS];
  const int large = pst_shape_bytes(s) >= pst_copy_large();
  plane_split(s, &p, &outer);
  for (unsigned l = 0; l < outer.levels; l++) position[l] = 0;
  plane_reflect(&p, &dst, &src);
  const struct pst_tile *t = tile_of(tiles, &p);
  do {
    if (t) copy_plane(&p, t, dst, src, large);
    else copy_plain(&p, dst, src, p.ni, p.nj);
  } while (pst_kernel_advance(&outer, 0, position, &dst, &src));
}
