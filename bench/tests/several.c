/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Many puts or gets in flight, each with its own memory: bandwidth and rates, one way and both ways
 * at once. */
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

enum {
  WINDOW = 32,
  WINDOW_BYTES = 8 << 20, /* in flight, for bandwidth */
  A_SYNC = 1000,          /* in flight, for rates */
  HANDLES = 256,          /* the same with a handle each */
  ONE_WAY = BENCH_HALF | BENCH_AGGREGATE | BENCH_THREADED_CASE,
  BOTH_WAYS = BENCH_ALL_NODES | BENCH_AGGREGATE | BENCH_THREADED_CASE
};

static long several; /* operations before a sync; a series is a multiple of it */

/* `body` for each operation of a sync, then `sync`. */
#define LOOP(n, body, sync) \
  const gasnet_node_t node = transfer_node; \
  const size_t share = bench_thread * bench_node.share, end = (size_t)several * SIZE; \
  char *remote = (char *)bench_node.remote[node] + share, *local = bench_node.local + share; \
  TRANSFER_BASES(remote, local); \
  for (long left = (n); left > 0; left -= several) { \
    for (size_t at = 0; at < end; at += SIZE) { \
      body; \
      bench_compiler_barrier(); \
    } \
    sync; \
  }
#define BY_SIZE(word, any) (TRANSFER_WORD(SIZE) ? (word) : (any))
#define MAPPED             (bench_node.mapped[node] + share)
#define SERIES(name, body, sync) \
  static void name(long n) { TRANSFER_WORDS(LOOP(n, body, sync)) }

SERIES(put_nbi,
    BY_SIZE(gasnet_put_nbi(node, remote + at, local + at, SIZE),
        gasnet_put_nbi_bulk(node, remote + at, local + at, SIZE)),
    gasnet_wait_syncnbi_puts())
SERIES(get_nbi,
    BY_SIZE(gasnet_get_nbi(local + at, node, remote + at, SIZE),
        gasnet_get_nbi_bulk(local + at, node, remote + at, SIZE)),
    gasnet_wait_syncnbi_gets())
SERIES(bare_put, memcpy(MAPPED + at, local + at, SIZE), bench_compiler_barrier())
SERIES(bare_get, memcpy(local + at, MAPPED + at, SIZE), bench_compiler_barrier())

#define HANDLES_OF(call) \
  gasnet_handle_t handle[HANDLES]; \
  size_t h = 0; \
  TRANSFER_WORDS(LOOP(n, handle[h++] = call, gasnet_wait_syncnb_all(handle, h); h = 0))
static void put_nb(long n)
{
  HANDLES_OF(BY_SIZE(gasnet_put_nb(node, remote + at, local + at, SIZE),
      gasnet_put_nb_bulk(node, remote + at, local + at, SIZE)))
}
static void get_nb(long n)
{
  HANDLES_OF(BY_SIZE(gasnet_get_nb(local + at, node, remote + at, SIZE),
      gasnet_get_nb_bulk(local + at, node, remote + at, SIZE)))
}

/* ---- points ---- */

static long fitting(size_t bytes, long most)
{
  const size_t fits = WINDOW_BYTES / bytes;
  return fits < 1 ? 1 : fits < (size_t)most ? (long)fits : most;
}
static size_t window_needs(const char *point, size_t bytes)
{
  (void)point;
  return (size_t)fitting(bytes, WINDOW) * bytes;
}
static size_t sync_needs(const char *point, size_t bytes)
{
  (void)point;
  return (size_t)fitting(bytes, A_SYNC) * bytes;
}

/* Where a sample is few passes over much memory, one pass does not bring back what the ways before it have
 * pushed out of a cache that many share: a way with a target of its own measured a tenth slower than another
 * that copies by the same instructions. */
static long passes(size_t window) { return window >= 1 << 20 ? 4 : 1; }

static void window_take(size_t bytes, long most)
{
  several = fitting(bytes, most);
  bench_passes = passes((size_t)several * bytes);
  bench_multiple = several;
  bench_raw_shape.bytes = bytes;
  bench_raw_shape.several = several;
}
static int prepare_put(size_t bytes, long most)
{
  window_take(bytes, most);
  transfer_prepare_put(bytes, (size_t)several * bytes);
  return 0;
}
static int prepare_get(size_t bytes, long most)
{
  window_take(bytes, most);
  transfer_prepare_get(bytes, (size_t)several * bytes);
  return 0;
}

/* A node without a partner would take part in collective calls. */
static int even(void)
{
  if (bench_node.nodes % 2 == 0) return 1;
  bench_missing("needs an even number of nodes");
  return 0;
}

#define PREPARE(name, direction, most) \
  static int prepare_##name(const char *point, size_t bytes) \
  { \
    (void)point; \
    return prepare_##direction(bytes, most); \
  }
#define PREPARE_BOTH(name, most) \
  PREPARE(put_##name, put, most) \
  PREPARE(get_##name, get, most)
PREPARE_BOTH(window, WINDOW)
PREPARE_BOTH(sync, A_SYNC)
PREPARE_BOTH(handles, HANDLES)
static int prepare_put_both(const char *point, size_t bytes)
{
  return even() ? prepare_put_window(point, bytes) : -1;
}
static int prepare_get_both(const char *point, size_t bytes)
{
  return even() ? prepare_get_window(point, bytes) : -1;
}

static const char *check_put(void) { return transfer_check_put(ONE_WAY, transfer_extent); }
static const char *check_get(void) { return transfer_check_get(ONE_WAY, transfer_extent); }
static const char *check_put_both(void) { return transfer_check_put(BOTH_WAYS, transfer_extent); }
static const char *check_get_both(void) { return transfer_check_get(BOTH_WAYS, transfer_extent); }

#define CASE(name, way, room, begin, verify, series, bare, ...) \
  { \
    .test = name, .flags = way | BENCH_FIRST_FREE, .needs = room, .prepare = begin, .check = verify, \
    .ours = series, .raw_smp = {bare}, .raw_net = { \
      __VA_ARGS__ \
    } \
  }
/* A put and a get each. */
#define BANDWIDTH(kind, series) \
  CASE("put_" kind, ONE_WAY, window_needs, prepare_put_window, check_put, put_##series, bare_put, \
      RAW_WRITE_SEVERAL, RAW_SEND_SEVERAL), \
      CASE("get_" kind, ONE_WAY, window_needs, prepare_get_window, check_get, get_##series, bare_get, \
          RAW_READ_SEVERAL, RAW_FETCH_SEVERAL)
#define RATE(kind, window, series) \
  CASE("put_" kind, ONE_WAY, sync_needs, prepare_put_##window, check_put, put_##series, bare_put, \
      RAW_WRITE_SEVERAL), \
      CASE("get_" kind, ONE_WAY, sync_needs, prepare_get_##window, check_get, get_##series, bare_get, \
          RAW_READ_SEVERAL)

static const struct bench_case cases[] = {
    BANDWIDTH("bandwidth", nbi),
    BANDWIDTH("nb_bandwidth", nb),
    CASE("put_both_ways", BOTH_WAYS, window_needs, prepare_put_both, check_put_both, put_nbi, bare_put,
        RAW_WRITE_BOTH),
    CASE("get_both_ways", BOTH_WAYS, window_needs, prepare_get_both, check_get_both, get_nbi, bare_get,
        RAW_READ_BOTH),
    RATE("rate", sync, nbi),
    RATE("nb_rate", handles, nb),
    RATE("rate_singly", sync, nbi),
    {.test = NULL},
};

const struct bench_suite bench_suite_several = {.cases = cases};
