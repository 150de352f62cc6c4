/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The memory that the random test works on, and a model of it, byte for byte, on every thread. There are two
 * sides; a round writes to one and reads the other, and in some rounds also the first one's parts that are
 * not written. A side is a shared array in blocks and a private area of each thread: 2 * THREADS zones, in
 * which the model's bytes are numbered zone by zone. */
#ifndef TESTS_UPC_WORLD_H
#define TESTS_UPC_WORLD_H

#include "common.h"

#define ALONE UINT32_MAX /* the writer of bytes that nobody may write in this round */

struct zone {
  size_t base, size, quiet, quiet_size;
};

struct array {
  upc_pts_t base;
  size_t B, E, block, bytes; /* elements of a block, bytes of an element, of a block, of all */
};

struct world {
  struct rng r; /* the same stream on all threads */
  size_t room;  /* about the bytes of a zone */
  struct array array[2];
  char *mine[2];           /* this thread's private areas, between guards */
  struct zone *zone[2][2]; /* side, shared (0) or private (1), thread */
  size_t bytes;
  unsigned char *model;
  uint32_t *writer; /* of each byte in this round: number of the operation, from 1 */
  int to;           /* the side that is written */
};

/* ---- places ---- */

/* Byte `at` of a thread's part of the array. */
static upc_pts_t shared_at(const struct array *a, int thread, size_t at)
{
  size_t element = at / a->E,
         index = (element / a->B * (size_t)THREADS + (size_t)thread) * a->B + element % a->B;
  return pts_bytes(upc_pts_add(a->base, (ptrdiff_t)index, a->B, a->E), at % a->E);
}

/* The model's number of byte `byte` of the array. */
static size_t byte_of_array(const struct world *w, int side, size_t byte)
{
  const size_t threads = (size_t)THREADS, block = w->array[side].block, b = byte / block;
  return w->zone[side][0][b % threads].base + b / threads * block + byte % block;
}

/* ---- a new world: other arrays, other contents ---- */

static void random_array(struct world *w, struct array *a)
{
  static const size_t sizes[] = {1, 2, 3, 4, 8, 8, 8, 12, 16, 24, 100};
  a->E = sizes[rng_below(&w->r, sizeof sizes / sizeof *sizes)];
  a->B = 1 + rng_size(&w->r, w->room / a->E / 2);
  a->block = a->B * a->E;
  size_t blocks = 1 + w->room * (size_t)THREADS / a->block;
  blocks += rng_below(&w->r, (uint64_t)THREADS);
  a->bytes = blocks * a->block;
  a->base = upc_all_alloc(blocks, a->block);
}

static void place_zones(struct world *w)
{
  w->bytes = 0;
  for (int side = 0; side < 2; side++)
    for (int kind = 0; kind < 2; kind++)
      for (int t = 0; t < THREADS; t++) {
        const struct array *a = &w->array[side];
        struct zone *z = &w->zone[side][kind][t];
        z->base = w->bytes;
        z->size = kind ? w->room : upc_affinitysize(a->bytes, a->block, (size_t)t);
        w->bytes += z->size;
      }
}

static void fill_zones(struct world *w)
{
  pattern_fill(w->model, w->bytes, rng_next(&w->r));
  for (int side = 0; side < 2; side++) {
    struct zone *shared = &w->zone[side][0][MYTHREAD], *private = &w->zone[side][1][MYTHREAD];
    if (shared->size)
      memcpy(own(shared_at(&w->array[side], MYTHREAD, 0)), w->model + shared->base, shared->size);
    guard_open(w->mine[side], w->room);
    memcpy(w->mine[side], w->model + private->base, private->size);
  }
}

UNUSED static void world_open(struct world *w)
{
  for (int side = 0; side < 2; side++) {
    random_array(w, &w->array[side]);
    w->mine[side] = (char *)malloc(w->room + 2 * TEST_GUARD);
    REQUIRE(w->mine[side], "no memory for %zu bytes", w->room);
    w->mine[side] += TEST_GUARD;
    for (int i = 0; i < 2; i++)
      w->zone[side][i] = (struct zone *)calloc((size_t)THREADS, sizeof(struct zone));
  }
  place_zones(w);
  w->model = (unsigned char *)malloc(w->bytes);
  w->writer = (uint32_t *)malloc(w->bytes * sizeof *w->writer);
  REQUIRE(w->model && w->writer, "no memory for a model of %zu bytes", w->bytes);
  fill_zones(w);
  upc_barrier();
}

UNUSED static void world_close(struct world *w)
{
  for (int side = 0; side < 2; side++) {
    upc_all_free(w->array[side].base);
    free(w->mine[side] - TEST_GUARD);
    for (int i = 0; i < 2; i++) free(w->zone[side][i]);
  }
  free(w->model);
  free(w->writer);
}

/* ---- rounds ---- */

/* A part of each zone is not written in some rounds, but read. */
static void leave_alone(struct world *w, struct zone *z, int some)
{
  z->quiet_size = some ? rng_below(&w->r, z->size / 4 + 1) : 0;
  z->quiet = rng_below(&w->r, z->size - z->quiet_size + 1);
  for (size_t i = 0; i < z->quiet_size; i++) w->writer[z->base + z->quiet + i] = ALONE;
}

UNUSED static void round_open(struct world *w)
{
  int some = rng_below(&w->r, 2) == 0;
  w->to = (int)rng_below(&w->r, 2);
  memset(w->writer, 0, w->bytes * sizeof *w->writer);
  for (int kind = 0; kind < 2; kind++)
    for (int t = 0; t < THREADS; t++) leave_alone(w, &w->zone[w->to][kind][t], some);
}

/* Takes a place for `extent` bytes: number of its first byte, address here or pointer; 0: no room. */
struct spot {
  size_t base;
  upc_pts_t shared;
  char *private;
};

static int world_find(struct world *w, struct spot *s, int written, int private, int thread, size_t extent)
{
  for (int tries = 0; tries < 8; tries++) {
    int quiet = !written && rng_below(&w->r, 4) == 0, side = written || quiet ? w->to : !w->to;
    if (!private) thread = (int)rng_below(&w->r, (uint64_t)THREADS);
    const struct zone *z = &w->zone[side][private][thread];
    size_t first = quiet ? z->quiet : 0, size = quiet ? z->quiet_size : z->size, edge = rng_below(&w->r, 16);
    if (size < extent || size == 0) continue;
    size_t slack = size - extent,
           at = first +
        (edge == 0          ? 0
                : edge == 1 ? slack
                            : rng_below(&w->r, slack + 1));
    s->base = z->base + at;
    s->private = private ? w->mine[side] + at : NULL;
    s->shared = private ? UPC_PTS_NULL : shared_at(&w->array[side], thread, at);
    return 1;
  }
  return 0;
}

/* ---- comparing ---- */

struct name {
  char text[100];
};

/* Where byte `at` of the model lies; its address here if it is in this thread's private area. */
UNUSED static struct name world_where(
    const struct world *w, size_t at, upc_pts_t *shared, char **private, size_t *left)
{
  struct name n = {""};
  for (int i = 0; i < 4 * THREADS; i++) {
    int side = i / (2 * THREADS), is_private = i / THREADS % 2, t = i % THREADS;
    const struct zone *z = &w->zone[side][is_private][t];
    if (at - z->base >= z->size) continue;
    *left = z->size - (at - z->base);
    *private = is_private ? w->mine[side] + (at - z->base) : NULL;
    *shared = is_private ? UPC_PTS_NULL : shared_at(&w->array[side], t, at - z->base);
    snprintf(n.text, sizeof n.text, "byte %zu of %zu of thread %d's %s memory, side %d", at - z->base,
        z->size, t, is_private ? "private" : "shared", side);
  }
  return n;
}

/* The first byte from `base` on that differs from the model, or n. */
UNUSED static size_t world_bad(const struct world *w, const void *got, size_t base, size_t n)
{
  const unsigned char *p = (const unsigned char *)got;
  if (!memcmp(p, w->model + base, n)) return n;
  size_t i = 0;
  while (p[i] == w->model[base + i]) i++;
  return i;
}

#endif
