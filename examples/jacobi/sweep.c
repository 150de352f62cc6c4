/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The arithmetic: one damped Jacobi step, which is also one explicit step of the heat equation,
 *
 *     v = (2 u + sum of the six neighbours) / 8
 *
 * The result of a cell must not depend on the decomposition, the compiler or its flags. So the order of the
 * additions is fixed by parentheses, doubling is an addition, and the one multiplication comes last, by a
 * power of two: there is no product that a compiler could fuse with a sum. */
#include "jacobi3d.h"

static inline double relax(
    double u, double west, double east, double south, double north, double below, double above)
{
  return 0.125 * (((west + east) + (south + north)) + ((below + above) + (u + u)));
}

/* Eight cells at a time in a loop of known length: compilers vectorise that at -O2 already. */
static void row(double *restrict v, const double *restrict u, ptrdiff_t pitch, ptrdiff_t plane, long n)
{
  const double *restrict south = u - pitch, *restrict north = u + pitch;
  const double *restrict below = u - plane, *restrict above = u + plane;
  const double *restrict west = u - 1, *restrict east = u + 1;
  long i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; l++)
      v[i + l] = relax(
          u[i + l], west[i + l], east[i + l], south[i + l], north[i + l], below[i + l], above[i + l]);
  for (; i < n; i++) v[i] = relax(u[i], west[i], east[i], south[i], north[i], below[i], above[i]);
}

/* So many rows that three planes of `from` and one of `to` stay in a second-level cache while z advances. */
static long tile_rows(const struct block *b)
{
  enum { CACHE_DOUBLES = 256 * 1024 / sizeof(double) };
  long rows = CACHE_DOUBLES / 4 / (long)b->pitch;
  return rows < 4 ? 4 : rows;
}

/* The cells lo <= (i,j,k) < hi of the block. */
void sweep(const struct block *b, const double *from, double *to, const long lo[DIMS], const long hi[DIMS])
{
  long tile = tile_rows(b), n = hi[X] - lo[X];
  if (n <= 0) return;
  for (long j0 = lo[Y]; j0 < hi[Y]; j0 += tile) {
    long j1 = j0 + tile < hi[Y] ? j0 + tile : hi[Y];
    for (long k = lo[Z]; k < hi[Z]; k++) {
      size_t at = cell(b, lo[X], j0, k);
      for (long j = j0; j < j1; j++, at += (size_t)b->pitch) row(to + at, from + at, b->pitch, b->plane, n);
    }
  }
}
