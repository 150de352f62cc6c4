/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A transpose, from a private matrix into the partner's. */
#include "../engine/engine.h"
#include "loops.h"
#include "moved.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <string.h>

enum { SIDE = 2048 };

static size_t elem;
static struct bench_moved moved;

static void loop(long n)
{
  char *const to = bench_node.mapped[bench_node.half];
  for (long i = 0; i < n; i++) {
    if (elem == 8) bench_loop_transpose_8((double *)to, (const double *)bench_node.local, SIDE);
    else bench_loop_transpose_4((float *)to, (const float *)bench_node.local, SIDE);
    bench_compiler_barrier();
  }
}

static void put(long n)
{
  const size_t count[2] = {SIDE, SIDE};
  const ptrdiff_t across[2] = {(ptrdiff_t)elem * SIDE, (ptrdiff_t)elem},
                  along[2] = {(ptrdiff_t)elem, (ptrdiff_t)elem * SIDE};
  for (long i = 0; i < n; i++) {
    gasnetx_puts_any_bulk(
        bench_node.half, bench_node.remote[bench_node.half], across, bench_node.local, along, elem, count, 2);
    bench_compiler_barrier();
  }
}

/* ---- points ---- */

static void each_element(enum bench_side side, bench_visit_fn visit, void *arg)
{
  for (size_t i = 0; i < SIDE; i++)
    for (size_t j = 0; j < SIDE; j++)
      visit(elem * (side == BENCH_DST ? j * SIDE + i : i * SIDE + j), elem, arg);
}

static size_t needs(const char *point, size_t bytes)
{
  (void)bytes;
  elem = !strcmp(point, "floats") ? 4 : 8;
  moved = (struct bench_moved){0, {elem * SIDE * SIDE, elem * SIDE * SIDE}, each_element};
  return bench_moved_needs(&moved);
}

static int prepare(const char *point, size_t bytes)
{
  needs(point, bytes);
  bench_moved_fill(&moved);
  return 0;
}

static const char *check(void) { return bench_moved_check(&moved); }

static const struct bench_case cases[] = {
    {BENCH_CASE("put_transpose", prepare, check, put), .flags = BENCH_FIRST_FREE, .needs = needs,
        .raw_smp = {loop}},
    {.test = NULL},
};

const struct bench_suite bench_suite_transpose = {.cases = cases};
