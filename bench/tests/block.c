/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "block.h"
#include "../engine/engine.h"

#include <gasnet.h>
#include <gasnet_vis.h>
#include <gasnetx.h>
#include <string.h>
#include <sys/mman.h>

static struct {
  struct bench_shape shape;
  int get;
  size_t there, here;
  gasnet_node_t partner;
  char *dst, *src; /* for the library */
  char *to, *from; /* for loops */
  gasnetx_plan_t plan;
} b;

#define REPEAT(n, body) \
  for (long i = 0; i < (n); i++) { \
    body; \
    bench_compiler_barrier(); \
  }

/* ---- the library ---- */

void bench_block_move(long n)
{
  const struct bench_shape *s = &b.shape;
  if (b.get) REPEAT(n, gasnet_gets_bulk(b.dst, s->dst, b.partner, b.src, s->src, s->count, s->levels))
  else REPEAT(n, gasnet_puts_bulk(b.partner, b.dst, s->dst, b.src, s->src, s->count, s->levels))
}

static void put_rows(char *d, char *s, size_t level)
{
  const struct bench_shape *shape = &b.shape;
  if (level == 0) {
    gasnet_put_nbi_bulk(b.partner, d, s, shape->count[0]);
    return;
  }
  for (size_t i = 0; i < shape->count[level]; i++)
    put_rows(d + i * shape->dst[level - 1], s + i * shape->src[level - 1], level - 1);
}

void bench_block_put_rows(long n)
{
  REPEAT(n, put_rows(b.dst, b.src, b.shape.levels); gasnet_wait_syncnbi_puts())
}

static void make_plan(void)
{
  const struct bench_shape *s = &b.shape;
  if (b.plan) gasnetx_plan_destroy(b.plan);
  b.plan = gasnetx_plan_create();
  if (b.get) gasnetx_plan_gets(b.plan, b.dst, s->dst, b.partner, b.src, s->src, s->count, s->levels);
  else gasnetx_plan_puts(b.plan, b.partner, b.dst, s->dst, b.src, s->src, s->count, s->levels);
}

void bench_block_plan(long n) { REPEAT(n, gasnet_wait_syncnb(gasnetx_plan_start(b.plan))) }

/* ---- bare ---- */

void bench_block_loop_elements(long n) { REPEAT(n, bench_loop_elements(&b.shape, b.to, b.from)) }
void bench_block_loop_rows(long n) { REPEAT(n, bench_loop_rows(&b.shape, b.to, b.from)) }

void bench_block_loop_block(long n)
{
  const struct bench_shape *s = &b.shape;
  REPEAT(n,
      bench_loop_block(
          (double *)b.to, s->dst[0] / 8, (const double *)b.from, s->src[0] / 8, s->count[0] / 8, s->count[1]))
}

/* ---- points ---- */

static void each_row(enum bench_side side, bench_visit_fn visit, void *arg)
{
  bench_shape_visit(&b.shape, side == BENCH_DST ? b.shape.dst : b.shape.src,
      (side == BENCH_SRC) == b.get ? b.there : b.here, visit, arg);
}

static struct bench_moved moved(void)
{
  const size_t dst = bench_shape_extent(&b.shape, b.shape.dst),
               src = bench_shape_extent(&b.shape, b.shape.src);
  return (struct bench_moved){
      b.get, {dst + (b.get ? b.here : b.there), src + (b.get ? b.there : b.here)}, each_row};
}

size_t bench_block_set(const struct bench_shape *s, int get, size_t there, size_t here)
{
  b.shape = *s;
  b.get = get;
  b.there = there;
  b.here = here;
  const struct bench_moved m = moved();
  return bench_moved_needs(&m);
}

/* Memory of the same kind as the mapped segments of other nodes. */
static char *other_memory(size_t n)
{
  static char *memory;
  static size_t size;
  if (size >= n) return memory;
  if (memory) munmap(memory, size);
  memory = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) bench_die("no memory for an array of %zu bytes", n);
  size = n;
  memset(memory, 2, n);
  return memory;
}

static void find_sides(char *mapped)
{
  char *const there = bench_node.remote[b.partner], *const here = bench_node.local;
  b.dst = b.get ? here + b.here : there + b.there;
  b.src = b.get ? there + b.there : here + b.here;
  if (!mapped) return;
  b.to = b.get ? b.dst : mapped + b.there;
  b.from = b.get ? mapped + b.there : b.src;
}

int bench_block_prepare(int loops_anyway)
{
  const struct bench_moved m = moved();
  b.partner = bench_node.half;
  bench_moved_fill(&m);
  bench_raw_shape = (struct raw_shape){.bytes = bench_shape_bytes(&b.shape), .several = 1};
  if (bench_node.me != 0) return 0;
  char *mapped = bench_node.mapped[b.partner];
  if (!mapped && loops_anyway) mapped = other_memory(bench_moved_needs(&m));
  find_sides(mapped);
  make_plan();
  return 0;
}

const char *bench_block_check(void)
{
  const struct bench_moved m = moved();
  return bench_moved_check(&m);
}
