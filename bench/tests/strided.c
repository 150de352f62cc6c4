/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Strided patterns: node 0 puts to its partner, gets from it, and puts what is packed there, against what a
 * program would write itself on the same memory, and over a network against one contiguous transfer of as
 * many bytes. */
#include "../engine/engine.h"
#include "block.h"

#include <stdio.h>
#include <string.h>

static size_t pattern_set(const char *point, int get, int packed)
{
  struct bench_pattern p;
  if (bench_pattern_named(point, &p) != 0) bench_die("there is no pattern %s", point);
  if (packed) {
    bench_shape_pack(&p.shape);
    p.received = 0;
  }
  return bench_block_set(&p.shape, get, get ? p.sent : p.received, get ? p.received : p.sent);
}

static int prepare(const char *point, int get, int packed)
{
  pattern_set(point, get, packed);
  return bench_block_prepare(0);
}

static size_t needs(const char *point, size_t bytes) { return (void)bytes, pattern_set(point, 0, 0); }
static size_t needs_packed(const char *point, size_t bytes) { return (void)bytes, pattern_set(point, 0, 1); }
static int prepare_put(const char *point, size_t bytes) { return (void)bytes, prepare(point, 0, 0); }
static int prepare_get(const char *point, size_t bytes) { return (void)bytes, prepare(point, 1, 0); }
static int prepare_pack(const char *point, size_t bytes) { return (void)bytes, prepare(point, 0, 1); }

/* The face is rows of one pitch, however many levels describe it. */
static int prepare_by_hand(const char *point, int get)
{
  struct bench_pattern p;
  bench_pattern_named(point, &p);
  prepare(point, get, 0);
  bench_raw_shape.row = p.shape.count[0];
  bench_raw_shape.pitch = p.shape.src[0];
  return 0;
}
static int prepare_put_by_hand(const char *point, size_t bytes)
{
  return (void)bytes, prepare_by_hand(point, 0);
}
static int prepare_get_by_hand(const char *point, size_t bytes)
{
  return (void)bytes, prepare_by_hand(point, 1);
}

/* ---- small calls ---- */

static void (*small)(long n);
static void call_small(long n) { small(n); }

static int prepare_small(const char *point, size_t bytes)
{
  static const struct bench_shape shape = {8, {64, 8}, {256}, {192}, 1};
  (void)bytes;
  small = strcmp(point, "plan") ? bench_block_move : bench_block_plan;
  bench_block_set(&shape, !strcmp(point, "get"), 0, 0);
  return bench_block_prepare(0);
}

/* ---- adverse shapes ---- */

static size_t set_adverse(const char *point)
{
  static const struct {
    const char *name;
    struct bench_shape shape;
  } shapes[] = {
      {"bytes", {1, {1, 65536}, {3}, {3}, 1}},
      {"pairs",
          {1, {5, 2, 2, 2, 2, 2, 2, 2, 2}, {7, 15, 33, 70, 150, 303, 617, 1250},
              {6, 13, 29, 61, 123, 250, 600, 1300}, 8}},
      {"thin", {8, {8, 2, 4096}, {16, 40}, {24, 56}, 2}},
      {"pages", {8, {8, 1024}, {4096}, {4096}, 1}},
      {"odd", {1, {67, 1000}, {71}, {99}, 1}},
      {"few", {8, {8, 4}, {16}, {16}, 1}},
  };
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (!strcmp(point, shapes[i].name)) return bench_block_set(&shapes[i].shape, 0, 1, 3);
  bench_die("there is no adverse shape %s", point);
}

static size_t needs_adverse(const char *point, size_t bytes) { return (void)bytes, set_adverse(point); }
static int prepare_adverse(const char *point, size_t bytes)
{
  (void)bytes;
  set_adverse(point);
  return bench_block_prepare(0);
}

/* ---- 256 KiB in rows of equal length, by messages ---- */

static size_t set_rows(const char *point)
{
  size_t row;
  if (sscanf(point, "rows_%zu", &row) != 1 || row < 8 || row > 256 << 10)
    bench_die("there is no pattern %s", point);
  const struct bench_shape shape = {8, {row, (256 << 10) / row}, {2 * row}, {2 * row}, 1};
  return bench_block_set(&shape, 0, 0, 0);
}

static size_t needs_rows(const char *point, size_t bytes) { return (void)bytes, set_rows(point); }
static int prepare_rows(const char *point, size_t bytes)
{
  (void)bytes;
  set_rows(point);
  return bench_block_prepare(1);
}

/* The first operation of a sample pays for what the way before it left in the caches: it is not counted. */
#define CASE(name, needs_fn, prepare_fn) \
  .flags = BENCH_FIRST_FREE, .needs = needs_fn, \
  BENCH_CASE(name, prepare_fn, bench_block_check, bench_block_move)
#define LOOPS \
  { \
    bench_block_loop_elements, bench_block_loop_rows \
  }

#define BY_HAND(direction) \
  { \
    RAW_##direction##_FACE_2, RAW_##direction##_FACE_3, RAW_##direction##_FACE_4, RAW_##direction##_FACE_8, \
        RAW_##direction##_FACE_EAGER_3, RAW_##direction##_FACE_EAGER_4, RAW_##direction##_FACE_EAGER_8, \
        RAW_##direction##_ROWS \
  }

static const struct bench_case cases[] = {
    {CASE("put_strided", needs, prepare_put), .raw_smp = LOOPS, .raw_net = {RAW_WRITE_EACH}},
    {CASE("get_strided", needs, prepare_get), .raw_smp = LOOPS, .raw_net = {RAW_WRITE_EACH}},
    {CASE("pack_strided", needs_packed, prepare_pack), .raw_smp = LOOPS, .raw_net = {RAW_WRITE_EACH}},
    {CASE("put_by_hand", needs, prepare_put_by_hand), .raw_net = BY_HAND(PUT)},
    {CASE("get_by_hand", needs, prepare_get_by_hand), .raw_net = BY_HAND(GET)},
    {BENCH_CASE("strided_small", prepare_small, bench_block_check, call_small), .flags = BENCH_FIRST_FREE,
        .raw_smp = {bench_block_loop_block, bench_block_loop_rows}},
    {CASE("put_adverse", needs_adverse, prepare_adverse), .raw_any = {bench_block_put_rows}},
    {CASE("put_packed", needs_rows, prepare_rows), .raw_any = LOOPS},
    {CASE("put_packed_rows", needs_rows, prepare_rows), .raw_any = {bench_block_put_rows}},
    {.test = NULL},
};

const struct bench_suite bench_suite_strided = {.cases = cases};
