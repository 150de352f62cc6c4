/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The grid cut into blocks, one for each process. */
#include "jacobi3d.h"
#include <float.h>

/* Cells on both sides of all cuts: what one step has to move. */
static double surface(const long grid[DIMS], const long procs[DIMS])
{
  double sum = 0;
  for (int d = 0; d < DIMS; d++)
    sum += 2.0 * (double)(procs[d] - 1) * (double)grid[(d + 1) % DIMS] * (double)grid[(d + 2) % DIMS];
  return sum;
}

/* Tries few cuts through x first, then few through y, and takes another split only if its surface is less: of
 * equals the one with the longest contiguous rows wins. */
int split_choose(struct split *s, long nodes)
{
  double least = DBL_MAX;
  for (long p = 1; p <= nodes && p <= s->grid[X]; p++) {
    for (long q = 1; nodes % p == 0 && q <= nodes / p && q <= s->grid[Y]; q++) {
      long r = nodes / p / q;
      if (p * q * r != nodes || r > s->grid[Z]) continue;
      const long procs[DIMS] = {p, q, r};
      double area = surface(s->grid, procs);
      if (area >= least) continue;
      least = area;
      memcpy(s->procs, procs, sizeof procs);
    }
  }
  return least < DBL_MAX ? 0 : -1;
}

/* Rows begin at multiples of 64 bytes from each other. */
void block_shape(struct block *b)
{
  b->pitch = (b->n[X] + 2 + 7) / 8 * 8;
  b->plane = b->pitch * (b->n[Y] + 2);
  b->total = (size_t)b->plane * (size_t)(b->n[Z] + 2);
}

/* Layers left over go to the first blocks, one each: node 0 has the largest block. */
void block_of(const struct split *s, long node, struct block *b)
{
  b->at[X] = node % s->procs[X];
  b->at[Y] = node / s->procs[X] % s->procs[Y];
  b->at[Z] = node / s->procs[X] / s->procs[Y];
  for (int d = 0; d < DIMS; d++) {
    long each = s->grid[d] / s->procs[d], more = s->grid[d] % s->procs[d], at = b->at[d];
    b->n[d] = each + (at < more);
    b->lo[d] = at * each + (at < more ? at : more);
  }
  block_shape(b);
}

long node_at(const struct split *s, const long at[DIMS])
{
  for (int d = 0; d < DIMS; d++)
    if (at[d] < 0 || at[d] >= s->procs[d]) return -1;
  return (at[Z] * s->procs[Y] + at[Y]) * s->procs[X] + at[X];
}
