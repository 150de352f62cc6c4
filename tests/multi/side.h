/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random sides of transfers, as offsets from a base, and the plain copy from one side to another. */
#ifndef TESTS_MULTI_SIDE_H
#define TESTS_MULTI_SIDE_H

#include "vis_call.h"

enum { PIECES_MOST = 600 };

/* One side of a transfer: its bytes in order. */
struct side {
  size_t n, at[PIECES_MOST], len[PIECES_MOST];
};

static void side_add(struct side *s, size_t at, size_t len)
{
  s->at[s->n] = at;
  s->len[s->n++] = len;
}

/* Pieces of any lengths, up to `most` before the last one; offset and gaps are less than the given ones. */
static void side_vector(struct side *s, struct rng *r, size_t total, size_t most, size_t offset, size_t gap)
{
  size_t at = rng_below(r, offset);
  do {
    const size_t len = s->n == most ? total : rng_size(r, total);
    at += rng_below(r, gap);
    side_add(s, at, len);
    at += len;
    total -= len;
  } while (total);
}

/* n pieces of one length, equally far apart. */
static void side_regular(struct side *s, struct rng *r, size_t n, size_t len, size_t offset, size_t gap)
{
  const size_t at = rng_below(r, offset), step = len + rng_below(r, gap);
  for (size_t i = 0; i < n; i++) side_add(s, at + i * step, len);
}

/* A row of `len` at each position of the loops, innermost first. A stride may be negative, modulo 2^64. */
static void side_rows(
    struct side *s, size_t levels, const size_t *count, const void *strides, size_t base, size_t len)
{
  size_t n = 1, stride[4];
  memcpy(stride, strides, levels * sizeof *stride);
  for (size_t l = 0; l < levels; l++) n *= count[l];
  for (size_t i = 0; i < n; i++) {
    size_t index = i, at = base;
    for (size_t l = 0; l < levels; l++) {
      at += index % count[l] * stride[l];
      index /= count[l];
    }
    side_add(s, at, len);
  }
}

/* Strides without overlap, some with gaps. */
static void side_strides(size_t *strides, struct rng *r, size_t levels, const size_t *count, size_t row)
{
  for (size_t i = 0; i < levels; i++) {
    strides[i] = row + rng_below(r, 9);
    row = strides[i] * count[i];
  }
}

/* Both ends of a strided block: strides for its counts, and the rows. */
static void side_block(struct side *dst, size_t *dst_strides, struct side *src, size_t *src_strides,
    struct rng *r, size_t levels, const size_t *count, size_t offset)
{
  side_strides(dst_strides, r, levels, count + 1, count[0]);
  side_strides(src_strides, r, levels, count + 1, count[0]);
  side_rows(dst, levels, count + 1, dst_strides, rng_below(r, offset), count[0]);
  side_rows(src, levels, count + 1, src_strides, rng_below(r, offset), count[0]);
}

static void side_copy(
    unsigned char *dst, const struct side *to, const unsigned char *src, const struct side *from)
{
  size_t d = 0, f = 0, done = 0, used = 0;
  while (d < to->n && f < from->n) {
    size_t n = to->len[d] - done, m = from->len[f] - used;
    if (m < n) n = m;
    memcpy(dst + to->at[d] + done, src + from->at[f] + used, n);
    done += n, used += n;
    if (done == to->len[d]) d++, done = 0;
    if (used == from->len[f]) f++, used = 0;
  }
}

/* A side at an address, as calls take it. */
struct side_list {
  gasnet_memvec_t v[PIECES_MOST];
  void *at[PIECES_MOST];
};

static void side_list(struct side_list *l, unsigned char *base, const struct side *s)
{
  for (size_t i = 0; i < s->n; i++) {
    l->v[i].addr = l->at[i] = base + s->at[i];
    l->v[i].len = s->len[i];
  }
}

#endif
