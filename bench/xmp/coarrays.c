/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts and gets of coarrays between node 0 and its partner, against stores, memcpy, and the calls of gasnet.h
 * that move the same between the same variables. Over a network each put is completed. */
#include "node.h"

#include <gasnet.h>
#include <gasnet_vis.h>
#include <string.h>
#include <xmp.h>

enum { WORDS = 64, BLOCK = (1 << 20) / 8, EDGE = 66, FACE = EDGE - 2, REST = -1 };

#pragma xmp nodes p[*]

static double word[WORDS] : [*];
static double block[BLOCK] : [*];
static double cube[EDGE][EDGE][EDGE] : [*];
static double my_word[WORDS], my_block[BLOCK], my_cube[EDGE][EDGE][EDGE];

static struct bench_places places; /* of the coarray */
static volatile int partner;       /* not known to the compiler */

/* Each iteration ends in a compiler barrier, so that nothing becomes a vector. */
#define LOOP(n, body) \
  const int to = partner; \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % WORDS; \
    (void)k; \
    body; \
    bench_compiler_barrier(); \
  }
#define SERIES(name, body) \
  static void name(long n) { LOOP(n, body) }

/* ---- ours ---- */

static void put_word(long n) { LOOP(n, word[k] : [to] = my_word[k]) }
static void get_word(long n) { LOOP(n, my_word[k] = word[k] : [to]) }
static void put_block(long n) { LOOP(n, block [0:BLOCK] : [to] = my_block [0:BLOCK]) }
static void get_block(long n) { LOOP(n, my_block [0:BLOCK] = block [0:BLOCK] : [to]) }
static void put_face(long n)
{
  LOOP(n, cube [1:FACE] [1:FACE] [1:1] : [to] = my_cube [1:FACE] [1:FACE] [1:1])
}
static void get_face(long n)
{
  LOOP(n, my_cube [1:FACE] [1:FACE] [1:1] = cube [1:FACE] [1:FACE] [1:1] : [to])
}

static void put_word_through(long n) { LOOP(n, word[k] : [to] = my_word[k]; xmp_sync_memory(NULL)) }
static void put_block_through(long n)
{
  LOOP(n, block [0:BLOCK] : [to] = my_block [0:BLOCK]; xmp_sync_memory(NULL))
}
static void put_face_through(long n)
{
  LOOP(n, cube [1:FACE] [1:FACE] [1:1] : [to] = my_cube [1:FACE] [1:FACE] [1:1]; xmp_sync_memory(NULL))
}

/* ---- bare ---- */

SERIES(store_word, ((double *)(void *)places.mapped[to])[k] = my_word[k])
SERIES(load_word, my_word[k] = ((double *)(void *)places.mapped[to])[k])
SERIES(copy_there, memcpy(places.mapped[to], my_block, sizeof my_block))
SERIES(copy_here, memcpy(my_block, places.mapped[to], sizeof my_block))

/* ---- by calls ---- */

static const size_t strides[] = {sizeof(double) * EDGE, sizeof(double) * EDGE *EDGE},
                    counts[] = {sizeof(double), FACE, FACE};

static char *place(int node, size_t at) { return places.remote[node] + at * sizeof(double); }
#define CORNER (&my_cube[1][1][1] - &my_cube[0][0][0])

SERIES(call_put_word, gasnet_put((gasnet_node_t)to, place(to, k), &my_word[k], sizeof(double)))
SERIES(call_get_word, gasnet_get(&my_word[k], (gasnet_node_t)to, place(to, k), sizeof(double)))
SERIES(call_put_block, gasnet_put_bulk((gasnet_node_t)to, place(to, 0), my_block, sizeof my_block))
SERIES(call_get_block, gasnet_get_bulk(my_block, (gasnet_node_t)to, place(to, 0), sizeof my_block))
SERIES(call_put_face,
    gasnet_puts_bulk((gasnet_node_t)to, place(to, CORNER), strides, &my_cube[1][1][1], strides, counts, 2))
SERIES(call_get_face,
    gasnet_gets_bulk(&my_cube[1][1][1], strides, (gasnet_node_t)to, place(to, CORNER), strides, counts, 2))

/* ---- points and data ---- */

static const struct access {
  const char *name;
  double *there, *here; /* the coarray and the variable */
  size_t elements;
  int puts, face;
  bench_series_fn ours, through, bare, call;
} accesses[] = {
    {"put_8", word, my_word, WORDS, 1, 0, put_word, put_word_through, store_word, call_put_word},
    {"get_8", word, my_word, WORDS, 0, 0, get_word, get_word, load_word, call_get_word},
    {"put_1M", block, my_block, BLOCK, 1, 0, put_block, put_block_through, copy_there, call_put_block},
    {"get_1M", block, my_block, BLOCK, 0, 0, get_block, get_block, copy_here, call_get_block},
    {"put_face", cube[0][0], my_cube[0][0], EDGE *EDGE *EDGE, 1, 1, put_face, put_face_through, NULL,
        call_put_face},
    {"get_face", cube[0][0], my_cube[0][0], EDGE *EDGE *EDGE, 0, 1, get_face, get_face, NULL, call_get_face},
};
static const struct access *a;
static bench_series_fn way;
static long seed;

static void ours(long n) { way(n); }
static void bare(long n) { a->bare(n); }
static void call(long n) { a->call(n); }

static double element(unsigned node, size_t i)
{
  return (double)(seed + 1000 * (long)node + (long)(i % 977));
}

/* Both sides of a face lie in the same places of a cube. */
static int is_moved(size_t i)
{
  const size_t x = i / EDGE / EDGE, y = i / EDGE % EDGE;
  return !a->face || (i % EDGE == 1 && x >= 1 && x <= FACE && y >= 1 && y <= FACE);
}

static void fill(void)
{
  double *const from = a->puts ? a->here : a->there, *const to = a->puts ? a->there : a->here;
  seed++;
  for (size_t i = 0; i < a->elements; i++) {
    from[i] = element(bench_node.me, i);
    to[i] = REST;
  }
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  a = accesses;
  while (strcmp(a->name, point) != 0) a++;
  way = bench_is_mapped() ? a->ours : a->through;
  if (!a->bare) bench_raw_taken = 0;
  partner = (int)bench_node.half;
  bench_places_find(&places, a->there);
  bench_multiple = a->elements == WORDS ? WORDS : 1;
  fill();
  return 0;
}

static const char *check(void)
{
  const double *const to = a->puts ? a->there : a->here;
  const unsigned target = a->puts ? bench_node.half : 0, source = a->puts ? 0 : bench_node.half;
  int wrong = 0;
  if (bench_node.me != target) return NULL;
  for (size_t i = 0; i < a->elements; i++) wrong |= to[i] != (is_moved(i) ? element(source, i) : REST);
  return wrong ? "an element is not what was moved there" : NULL;
}

/* By the call, and once more by ours. */
static const char *after(void)
{
  return bench_move_again((const bench_series_fn[]){call, ours}, fill, check);
}

#define COARRAYS(name) \
  { \
    BENCH_CASE(name, prepare, check, ours), .flags = BENCH_FIRST_FREE, .after = after, .raw_smp = {bare}, \
                                            .raw_any = {call}, .warm = 8 \
  }
static const struct bench_case cases[] = {
    COARRAYS("xmp_words"), COARRAYS("xmp_blocks"), COARRAYS("xmp_faces"), {.test = NULL}};

const struct bench_suite bench_suite_xmp_coarrays = {.cases = cases};
