/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists of random pieces: each lies in a cell of its own, and the cells are visited in random order on both
 * sides. An operation is a piece. */
#include "../engine/engine.h"
#include "loops.h"
#include "moved.h"

#include <gasnet.h>
#include <gasnet_vis.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8192, PIECE = 40 };

/* Where pieces lie: `cells` of `pitch` bytes, each with a piece of `least` to `most` bytes or none. */
struct layout {
  const char *point;
  unsigned pitch, cells, least, most;
};

static size_t there[N], here[N], length[N];     /* offsets in the partner's segment and in local memory */
static void *dst[N], *src[N], *to[N], *from[N]; /* for the library and for loops */
static gasnet_memvec_t dstv[N], srcv[N], tov[N], fromv[N];
static size_t total;

/* ---- drawing: all nodes draw the same ---- */

static uint64_t state;

static uint64_t draw(uint64_t n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

/* N different cells of so many, in random order. */
static void draw_cells(size_t at[N], const struct layout *l)
{
  unsigned *all = malloc(l->cells * sizeof *all);
  if (!all) bench_die("no memory for a list of %u cells", l->cells);
  for (unsigned i = 0; i < l->cells; i++) all[i] = i;
  for (unsigned i = 0; i < N; i++) {
    const unsigned j = i + (unsigned)draw(l->cells - i), cell = all[j];
    all[j] = all[i];
    at[i] = (size_t)cell * l->pitch;
  }
  free(all);
}

static void draw_pieces(const struct layout *l)
{
  state = 1;
  total = 0;
  draw_cells(there, l);
  draw_cells(here, l);
  for (unsigned i = 0; i < N; i++) total += length[i] = l->least + draw((l->most - l->least) / 8 + 1) * 8;
}

static void make_lists(int get)
{
  char *const far = bench_node.remote[bench_node.half], *const mapped = bench_node.mapped[bench_node.half],
              *const near = bench_node.local;
  for (unsigned i = 0; i < N; i++) {
    dst[i] = get ? near + here[i] : far + there[i];
    src[i] = get ? far + there[i] : near + here[i];
    to[i] = get || !mapped ? dst[i] : mapped + there[i];
    from[i] = !get || !mapped ? src[i] : mapped + there[i];
    dstv[i] = (gasnet_memvec_t){dst[i], length[i]};
    srcv[i] = (gasnet_memvec_t){src[i], length[i]};
    tov[i] = (gasnet_memvec_t){to[i], length[i]};
    fromv[i] = (gasnet_memvec_t){from[i], length[i]};
  }
}

/* ---- a destination in other pieces than the source: PIECE bytes at the beginning of each line ---- */

static gasnet_memvec_t chopv[2 * N], common[2 * N][2]; /* and what both lists have in one piece */
static size_t chops, commons;

/* Adds n bytes from `within` of a source piece, which go to `at` of the destination. */
static void add_common(size_t at, size_t piece, size_t within, size_t n)
{
  char *const mapped = bench_node.mapped[bench_node.half];
  common[commons][0] = (gasnet_memvec_t){mapped ? mapped + at : NULL, n};
  common[commons++][1] = (gasnet_memvec_t){(char *)src[piece] + within, n};
}

static void chop(void)
{
  size_t left = total, piece = 0, within = 0;
  commons = 0;
  for (chops = 0; left; chops++) {
    const size_t len = left < PIECE ? left : PIECE, at = chops * 64;
    chopv[chops] = (gasnet_memvec_t){(char *)bench_node.remote[bench_node.half] + at, len};
    for (size_t done = 0, n; done < len; done += n, within += n) {
      if (within == length[piece]) {
        piece++;
        within = 0;
      }
      n = length[piece] - within < len - done ? length[piece] - within : len - done;
      add_common(at + done, piece, within, n);
    }
    left -= len;
  }
}

/* ---- series ---- */

#define LISTS(n, body) \
  for (long k = 0; k < (n) / N; k++) { \
    body; \
    bench_compiler_barrier(); \
  }

static void loop_words(long n) { LISTS(n, bench_loop_list_8(to, from, N)) }
static void loop_vector(long n)
{
  LISTS(n, for (unsigned i = 0; i < N; i++) memcpy(tov[i].addr, fromv[i].addr, tov[i].len))
}
static void loop_common(long n)
{
  LISTS(
      n, for (size_t i = 0; i < commons; i++) memcpy(common[i][0].addr, common[i][1].addr, common[i][0].len))
}

static void puti(long n) { LISTS(n, gasnet_puti_bulk(bench_node.half, N, dst, 8, N, src, 8)) }
static void geti(long n) { LISTS(n, gasnet_geti_bulk(N, dst, 8, bench_node.half, N, src, 8)) }
static void putv(long n) { LISTS(n, gasnet_putv_bulk(bench_node.half, N, dstv, N, srcv)) }
static void getv(long n) { LISTS(n, gasnet_getv_bulk(N, dstv, bench_node.half, N, srcv)) }
static void putv_chop(long n) { LISTS(n, gasnet_putv_bulk(bench_node.half, chops, chopv, N, srcv)) }

static void (*ours)(long n), (*loop)(long n);
static void call_ours(long n) { ours(n); }
static void call_loop(long n) { loop(n); }

/* ---- points ---- */

static const struct layout layouts[] = {
    {"words", 8, 2 * N, 8, 8}, /* among 128 KiB */
    {"words_16M", 8, 256 * N, 8, 8},
    {"words_L3", 64, 64 * N, 8, 8}, /* one a line of 32 MiB */
    {"mixed", 64, 2 * N, 8, 64},
    {"chopped", 64, 2 * N, 8, 64},
};

static const struct layout *layout(const char *point)
{
  for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (!strcmp(point, layouts[i].point)) return &layouts[i];
  bench_die("there is no list %s", point);
}

static void each_piece(int of_partner, bench_visit_fn visit, void *arg)
{
  for (unsigned i = 0; i < N; i++) visit(of_partner ? there[i] : here[i], length[i], arg);
}
static void each_put(enum bench_side side, bench_visit_fn visit, void *arg)
{
  each_piece(side == BENCH_DST, visit, arg);
}
static void each_get(enum bench_side side, bench_visit_fn visit, void *arg)
{
  each_piece(side == BENCH_SRC, visit, arg);
}

static void each_chop(enum bench_side side, bench_visit_fn visit, void *arg)
{
  if (side == BENCH_SRC) each_piece(0, visit, arg);
  else
    for (size_t i = 0; i < chops; i++) visit(64 * i, chopv[i].len, arg);
}

static struct bench_moved moved;

static size_t needs(const char *point, size_t bytes)
{
  const struct layout *l = layout(point);
  const size_t n = (size_t)l->cells * l->pitch;
  (void)bytes;
  moved.extent[0] = moved.extent[1] = n;
  return bench_moved_needs(&moved);
}

static int prepare(const char *point, int get, void (*series)(long n), void (*bare)(long n))
{
  needs(point, 0);
  draw_pieces(layout(point));
  make_lists(get);
  ours = series;
  loop = bare;
  moved.get = get;
  moved.each = get ? each_get : each_put;
  if (!strcmp(point, "chopped")) {
    chop();
    ours = putv_chop;
    loop = loop_common;
    moved.each = each_chop;
  }
  bench_moved_fill(&moved);
  bench_raw_shape = (struct raw_shape){.bytes = total, .several = 1, .per = N};
  return 0;
}

static int prepare_puti(const char *point, size_t bytes)
{
  return (void)bytes, prepare(point, 0, puti, loop_words);
}
static int prepare_geti(const char *point, size_t bytes)
{
  return (void)bytes, prepare(point, 1, geti, loop_words);
}
static int prepare_putv(const char *point, size_t bytes)
{
  return (void)bytes, prepare(point, 0, putv, loop_vector);
}
static int prepare_getv(const char *point, size_t bytes)
{
  return (void)bytes, prepare(point, 1, getv, loop_vector);
}

/* The same words by either list: points name directions, not lists. */
static void (*as_indexed)(long n);
static void call_indexed(long n) { as_indexed(n); }
static size_t needs_words(const char *point, size_t bytes) { return (void)point, needs("words", bytes); }
static int prepare_both(const char *point, size_t bytes)
{
  const int get = !strcmp(point, "get");
  (void)bytes;
  as_indexed = get ? geti : puti;
  return prepare("words", get, get ? getv : putv, loop_vector);
}
static const char *check(void) { return bench_moved_check(&moved); }

#define CASE(name, prepare_fn) \
  .flags = BENCH_FIRST_FREE, .needs = needs, .raw_smp = {call_loop}, .multiple = N, \
  BENCH_CASE(name, prepare_fn, check, call_ours)

static const struct bench_case cases[] = {
    {CASE("put_indexed", prepare_puti), .raw_net = {RAW_WRITE_EACH}},
    {CASE("get_indexed", prepare_geti), .raw_net = {RAW_WRITE_EACH}},
    {CASE("put_vector", prepare_putv), .raw_net = {RAW_WRITE_EACH}},
    {CASE("get_vector", prepare_getv), .raw_net = {RAW_WRITE_EACH}},
    {BENCH_CASE("vector_words", prepare_both, check, call_ours), .flags = BENCH_FIRST_FREE,
        .needs = needs_words, .raw_any = {call_indexed}, .multiple = N},
    {.test = NULL},
};

const struct bench_suite bench_suite_lists = {.cases = cases};
