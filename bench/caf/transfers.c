/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts and gets of coarrays between image 1 and its partner, against stores, memcpy, and the calls of
 * gasnet.h that move the same between the same variables. Over a network each put is completed. */
#include <gasnet.h>
#include <gasnet_vis.h>
#include <string.h>

#include "fortran.h"

enum { WORDS = 64, BLOCK = 1 << 17, SIDE = 512, LINE = 6, SQUARE = 32, REST = -1 };
enum { ELEMENT = sizeof(double) };
static const size_t elements_of[] = {WORDS, BLOCK, (size_t)SIDE *SIDE};

/* What is moved: `first` is the first element of the variable. The calls count and step in bytes. */
struct section {
  int variable;
  size_t first, count[2], stride[2];
  size_t levels, call_count[3], call_stride[2];
};
static const struct section words = {BENCH_CAF_WORDS, 0, {WORDS, 1}, {1, 0}, 0, {0}, {0}},
                            block = {BENCH_CAF_BLOCK, 0, {BLOCK, 1}, {1, 0}, 0, {BLOCK * ELEMENT}, {0}},
                            column = {BENCH_CAF_GRID, (size_t)LINE *SIDE, {SIDE, 1}, {1, 0}, 0,
                                {SIDE * ELEMENT}, {0}},
                            row = {BENCH_CAF_GRID, LINE, {SIDE, 1}, {SIDE, 0}, 1, {ELEMENT, SIDE},
                                {SIDE * ELEMENT}},
                            square = {BENCH_CAF_GRID, 0, {SQUARE, SQUARE}, {2, 2 * SIDE}, 2,
                                {ELEMENT, SQUARE, SQUARE}, {2 * ELEMENT, 2 * SIDE *ELEMENT}};

static const struct access {
  const char *name;
  const struct section *section;
  int puts;
  void (*ours)(long n, int image); /* NULL: puts of words */
} accesses[] = {
    {"put_8", &words, 1, NULL},
    {"get_8", &words, 0, bench_caf_get_words},
    {"put_1M", &block, 1, bench_caf_put_block},
    {"get_1M", &block, 0, bench_caf_get_block},
    {"put_column", &column, 1, bench_caf_put_column},
    {"get_column", &column, 0, bench_caf_get_column},
    {"put_row", &row, 1, bench_caf_put_row},
    {"get_row", &row, 0, bench_caf_get_row},
    {"put_square", &square, 1, bench_caf_put_square},
    {"get_square", &square, 0, bench_caf_get_square},
};
static const struct access *a;
static struct bench_places places; /* of the coarray */
static double *there, *here;       /* the coarray, and the variable that is moved there or back */
static int partner, is_network;

/* ---- ours ---- */

static void ours(long n)
{
  const int image = partner + 1;
  if (!a->ours) bench_caf_put_words(n, image, is_network);
  else if (!is_network || !a->puts) a->ours(n, image);
  else
    for (long i = 0; i < n; i++) {
      a->ours(1, image);
      bench_caf_complete();
    }
}

/* ---- bare ---- */

/* Each iteration ends in a compiler barrier, so that nothing becomes a vector. */
#define LOOP(n, body) \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % WORDS; \
    (void)k; \
    body; \
    bench_compiler_barrier(); \
  }

static void bare(long n)
{
  double *const to = (double *)(void *)places.mapped[partner];
  if (a->section == &words && a->puts) LOOP(n, to[k] = here[k])
  else if (a->section == &words) LOOP(n, here[k] = to[k])
  else if (a->puts) LOOP(n, memcpy(to, here, BLOCK * ELEMENT))
  else LOOP(n, memcpy(here, to, BLOCK * ELEMENT))
}

/* ---- by calls ---- */

static void call_strided(long n, gasnet_node_t node, char *far, double *near)
{
  const struct section *const s = a->section;
  if (a->puts)
    LOOP(n, gasnet_puts_bulk(node, far, s->call_stride, near, s->call_stride, s->call_count, s->levels))
  else LOOP(n, gasnet_gets_bulk(near, s->call_stride, node, far, s->call_stride, s->call_count, s->levels))
}

static void call(long n)
{
  const gasnet_node_t node = (gasnet_node_t)partner;
  char *const far = places.remote[partner] + a->section->first * ELEMENT;
  double *const near = here + a->section->first;
  if (a->section == &words && a->puts) LOOP(n, gasnet_put(node, far + k * ELEMENT, &near[k], ELEMENT))
  else if (a->section == &words) LOOP(n, gasnet_get(&near[k], node, far + k * ELEMENT, ELEMENT))
  else if (a->section == &block && a->puts) LOOP(n, gasnet_put_bulk(node, far, near, BLOCK * ELEMENT))
  else if (a->section == &block) LOOP(n, gasnet_get_bulk(near, node, far, BLOCK * ELEMENT))
  else call_strided(n, node, far, near);
}

/* ---- data ---- */

static long seed;

static double element(unsigned node, size_t i)
{
  return (double)(seed + 1000 * (long)node + (long)(i % 977));
}

static void fill(void)
{
  double *const from = a->puts ? here : there, *const to = a->puts ? there : here;
  seed++;
  for (size_t i = 0; i < elements_of[a->section->variable]; i++) {
    from[i] = element(bench_node.me, i);
    to[i] = REST;
  }
}

static int prepare(const char *point, size_t bytes)
{
  double *coarrays[BENCH_CAF_VARIABLES], *variables[BENCH_CAF_VARIABLES];
  (void)bytes;
  a = accesses;
  while (strcmp(a->name, point) != 0) a++;
  bench_caf_variables(coarrays, variables);
  there = coarrays[a->section->variable];
  here = variables[a->section->variable];
  partner = (int)bench_node.half;
  is_network = !bench_is_mapped();
  bench_places_find(&places, there);
  bench_multiple = a->section == &words ? WORDS : 1;
  fill();
  return 0;
}

/* Elements that were moved are looked at and forgotten; all others have stayed. */
static const char *check(void)
{
  const struct section *const s = a->section;
  double *const to = a->puts ? there : here;
  const unsigned target = a->puts ? bench_node.half : 0, source = a->puts ? 0 : bench_node.half;
  int wrong = 0;
  if (bench_node.me != target) return NULL;
  for (size_t j = 0; j < s->count[1]; j++)
    for (size_t i = 0; i < s->count[0]; i++) {
      const size_t at = s->first + i * s->stride[0] + j * s->stride[1];
      wrong |= to[at] != element(source, at);
      to[at] = REST;
    }
  for (size_t i = 0; i < elements_of[s->variable]; i++) wrong |= to[i] != REST;
  return wrong ? "an element is not what was moved there" : NULL;
}

/* By the call where it is measured, and once more by ours. */
static const char *after(void)
{
  return bench_move_again((const bench_series_fn[]){bench_node.raw ? call : ours, ours}, fill, check);
}

#define TRANSFERS(name) \
  BENCH_CASE(name, prepare, check, ours), .flags = BENCH_FIRST_FREE, .after = after, .raw_any = {call}, \
                                          .warm = 8
static const struct bench_case cases[] = {
    {TRANSFERS("caf_words"), .raw_smp = {bare}},
    {TRANSFERS("caf_blocks"), .raw_smp = {bare}},
    {TRANSFERS("caf_sections")},
    {.test = NULL},
};

const struct bench_suite bench_suite_caf_transfers = {.cases = cases};
