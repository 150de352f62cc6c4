/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One put or get at a time, by node 0: each is complete before the next. The bare program's is a load or
 * store through a pointer that is looked up in a table, or memcpy. Both sides of each comparison go through
 * the same addresses in the same order, and each iteration of both ends in a compiler barrier: the table is
 * read each time and nothing becomes a vector. */
#include "transfer.h"

#include <string.h>

enum {
  WINDOW = 64,
  WORD = 8,
  FLAGS = BENCH_THREADED_CASE | BENCH_FIRST_FREE
}; /* words in turn: in the first-level cache */

/* Words in turn, larger ones at the same place. */
#define LOOP(n, body) \
  const gasnet_node_t node = transfer_node; \
  const size_t share = bench_thread * bench_node.share, steps = SIZE <= WORD ? WINDOW : 1; \
  char *remote = (char *)bench_node.remote[node] + share, *local = bench_node.local + share; \
  TRANSFER_BASES(remote, local); \
  for (long i = 0; i < (n); i++) { \
    const size_t at = (size_t)i % steps * SIZE; \
    body; \
    bench_compiler_barrier(); \
  }
#define BY_SIZE(word, any) (TRANSFER_WORD(SIZE) ? (word) : (any))
#define MAPPED             (bench_node.mapped[node] + share)
#define SERIES(name, body) \
  static void name(long n) { TRANSFER_WORDS(LOOP(n, body)) }

SERIES(put,
    BY_SIZE(gasnet_put(node, remote + at, local + at, SIZE),
        gasnet_put_bulk(node, remote + at, local + at, SIZE)))
SERIES(get,
    BY_SIZE(gasnet_get(local + at, node, remote + at, SIZE),
        gasnet_get_bulk(local + at, node, remote + at, SIZE)))
SERIES(put_nb,
    gasnet_wait_syncnb(BY_SIZE(gasnet_put_nb(node, remote + at, local + at, SIZE),
        gasnet_put_nb_bulk(node, remote + at, local + at, SIZE))))
SERIES(get_nb,
    gasnet_wait_syncnb(BY_SIZE(gasnet_get_nb(local + at, node, remote + at, SIZE),
        gasnet_get_nb_bulk(local + at, node, remote + at, SIZE))))
SERIES(put_nbi,
       BY_SIZE(gasnet_put_nbi(node, remote + at, local + at, SIZE),
           gasnet_put_nbi_bulk(node, remote + at, local + at, SIZE));
       gasnet_wait_syncnbi_puts())
SERIES(get_nbi,
       BY_SIZE(gasnet_get_nbi(local + at, node, remote + at, SIZE),
           gasnet_get_nbi_bulk(local + at, node, remote + at, SIZE));
       gasnet_wait_syncnbi_gets())
SERIES(bare_store, memcpy(MAPPED + at, local + at, SIZE))
SERIES(bare_load, memcpy(local + at, MAPPED + at, SIZE))

/* ---- lengths that the compiler does not know ---- */

/* One place, and a length that is in a register as in a program's loop. */
#define ANY(name, body) \
  static void name(long n) \
  { \
    const gasnet_node_t node = transfer_node; \
    const size_t share = bench_thread * bench_node.share; \
    char *remote = (char *)bench_node.remote[node] + share, *local = bench_node.local + share; \
    size_t length = transfer_bytes; \
    TRANSFER_BASES(remote, local); \
    for (long i = 0; i < n; i++) { \
      __asm__("" : "+r"(length)); \
      body; \
      bench_compiler_barrier(); \
    } \
  }
ANY(put_any, gasnet_put_bulk(node, remote, local, length))
ANY(get_any, gasnet_get_bulk(local, node, remote, length))
ANY(bare_store_any, memcpy(MAPPED, local, length))
ANY(bare_load_any, memcpy(local, MAPPED, length))

/* A copy as a program would inline it: a word, the two ends of what is up to 64 bytes long, and memcpy for
 * the rest. */
struct words {
  uint64_t word[2];
};
#define ENDS(type) \
  { \
    type first, last; \
    memcpy(&first, src, sizeof first), memcpy(&last, src + n - sizeof last, sizeof last); \
    memcpy(dst, &first, sizeof first), memcpy(dst + n - sizeof last, &last, sizeof last); \
  }
static inline __attribute__((always_inline)) void copy_inline(char *dst, const char *src, size_t n)
{
  if (__builtin_expect(n == 8, 1)) memcpy(dst, src, 8);
  else if (n < 8 || n > 64) memcpy(dst, src, n);
  else if (n > 32) memcpy(dst, src, 32), memcpy(dst + n - 32, src + n - 32, 32);
  else if (n >= 16) ENDS(struct words)
  else ENDS(uint64_t)
}
ANY(bare_store_inline, copy_inline(MAPPED, local, length))
ANY(bare_load_inline, copy_inline(local, MAPPED, length))

/* ---- values ---- */

static const uint64_t value = 0x0807060504030201;

SERIES(put_val, gasnet_put_val(node, remote + at, value + (uint64_t)i, SIZE))
SERIES(get_val, BENCH_USE(gasnet_get_val(node, remote + at, SIZE)))
SERIES(get_nb_val, BENCH_USE(gasnet_wait_syncnb_valget(gasnet_get_nb_val(node, remote + at, SIZE))))

#define BARE_STORE(type) *(type *)(MAPPED + at) = (type)(value + (uint64_t)i)
#define BARE_LOAD(type)  BENCH_USE((uint64_t) * (type *)(MAPPED + at))
#define VALUES(name, body) \
  static void name(long n) \
  { \
    switch (transfer_bytes) { \
    case 1: { \
      const size_t SIZE = 1; \
      LOOP(n, body(uint8_t)) \
      break; \
    } \
    case 2: { \
      const size_t SIZE = 2; \
      LOOP(n, body(uint16_t)) \
      break; \
    } \
    case 4: { \
      const size_t SIZE = 4; \
      LOOP(n, body(uint32_t)) \
      break; \
    } \
    default: { \
      const size_t SIZE = 8; \
      LOOP(n, body(uint64_t)) \
    } \
    } \
  }
VALUES(bare_store_value, BARE_STORE)
VALUES(bare_load_value, BARE_LOAD)

/* ---- points ---- */

static void shape(size_t bytes) { bench_raw_shape.bytes = bytes; }
static size_t extent_of(size_t bytes) { return bytes <= WORD ? WINDOW * bytes : bytes; }

static int prepare_put(const char *point, size_t bytes)
{
  (void)point;
  transfer_prepare_put(bytes, extent_of(bytes));
  shape(bytes);
  return 0;
}
static int prepare_get(const char *point, size_t bytes)
{
  (void)point;
  transfer_prepare_get(bytes, extent_of(bytes));
  shape(bytes);
  return 0;
}
static const char *check_put(void) { return transfer_check_put(FLAGS, transfer_bytes); }
static const char *check_get(void) { return transfer_check_get(FLAGS, transfer_bytes); }

static int prepare_value(const char *point, size_t bytes)
{
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) return prepare_put(point, bytes);
  bench_missing("a value has 1, 2, 4 or 8 bytes");
  return -1;
}
static const char *check_put_val(void)
{
  if (bench_node.peer != 0 || bench_node.me == 0) return NULL;
  return memcmp(bench_node.segment, &value, transfer_bytes) ? "data are wrong" : NULL;
}
static const char *check_get_val(void)
{
  uint64_t expected = 0;
  gasnet_get(&expected, transfer_node, bench_node.remote[transfer_node], transfer_bytes);
  const uint64_t got = gasnet_get_val(transfer_node, bench_node.remote[transfer_node], transfer_bytes);
  return got == expected ? NULL : "a value is wrong";
}

#define CASE(name, direction, series, bare, way) \
  { \
    .test = name, .flags = FLAGS, .warm = 8, .prepare = prepare_##direction, .check = check_##direction, \
    .ours = series, .raw_smp = {bare}, .raw_net = { \
      way \
    } \
  }
#define ANY_LENGTH(name, direction, bare) \
  { \
    .test = name, .flags = FLAGS, .warm = 8, .prepare = prepare_##direction, .check = check_##direction, \
    .ours = direction##_any, .raw_smp = { \
      bare##_any, \
      bare##_inline \
    } \
  }
#define VALUE(name, series, verify, bare, way) \
  { \
    .test = name, .flags = FLAGS, .prepare = prepare_value, .check = verify, .ours = series, \
    .raw_smp = {bare}, .raw_net = { \
      way \
    } \
  }

static const struct bench_case cases[] = {
    CASE("put_latency", put, put, bare_store, RAW_WRITE_EACH),
    CASE("get_latency", get, get, bare_load, RAW_READ_EACH),
    CASE("put_nb_latency", put, put_nb, bare_store, RAW_WRITE_EACH),
    CASE("get_nb_latency", get, get_nb, bare_load, RAW_READ_EACH),
    CASE("put_nbi_latency", put, put_nbi, bare_store, RAW_WRITE_EACH),
    CASE("get_nbi_latency", get, get_nbi, bare_load, RAW_READ_EACH),
    ANY_LENGTH("put_any_length", put, bare_store),
    ANY_LENGTH("get_any_length", get, bare_load),
    VALUE("put_val", put_val, check_put_val, bare_store_value, RAW_WRITE_EACH),
    VALUE("get_val", get_val, check_get_val, bare_load_value, RAW_READ_EACH),
    VALUE("get_nb_val", get_nb_val, check_get_val, bare_load_value, RAW_READ_EACH),
    {.test = NULL},
};

const struct bench_suite bench_suite_latency = {.cases = cases};
