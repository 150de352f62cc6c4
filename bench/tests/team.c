/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on the list of all nodes. Two nodes that share memory have bare loops to be compared with;
 * those of the group mpi are compared with Open MPI. */
#include "../engine/engine.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <stdatomic.h>
#include <string.h>

enum { OFF_SRC = 4096, LINE = 128 };

static size_t bytes; /* that a node gives */
static char *src, *dst;

static gasnetx_nodes_t everybody(void) { return (gasnetx_nodes_t){0, 1, bench_node.nodes}; }

/* Behind a source of so many. */
static size_t dst_offset(size_t n)
{
  return OFF_SRC + (n + 2 * LINE) / LINE
  *LINE;
}

/* ---- bare: a line each; the other node's data are read in place ---- */

struct line {
  _Alignas(LINE) _Atomic uint64_t seq;
  uint64_t value;
};
static struct line *line_of(unsigned node) { return (struct line *)bench_node.mapped[node]; }
static char *src_of(unsigned node) { return bench_node.mapped[node] + OFF_SRC; }
static uint64_t seq;

static inline void post(void)
{
  atomic_store_explicit(&line_of(bench_node.me)->seq, ++seq, memory_order_release);
}
static inline void await(void)
{
  while (atomic_load_explicit(&line_of(1 - bench_node.me)->seq, memory_order_acquire) < seq) bench_pause();
}

static void bare_broadcast(long n)
{
  for (long i = 0; i < n; i++) {
    post();
    await();
    if (bench_node.me == 1) memcpy(dst, src_of(0), bytes);
    post();
    await();
  }
}

/* A second exchange, for the next value would overwrite one that has not been read. */
static void bare_sum_1(long n)
{
  uint64_t sum = 0;
  for (long i = 0; i < n; i++) {
    line_of(bench_node.me)->value = (uint64_t)i;
    post();
    await();
    sum += (uint64_t)i + line_of(1 - bench_node.me)->value;
    post();
    await();
  }
  BENCH_USE(sum);
}

static void bare_sums(long n)
{
  const long *a = (const long *)src_of(0), *b = (const long *)src_of(1);
  long *to = (long *)dst;
  const size_t longs = bytes / sizeof(long);
  for (long i = 0; i < n; i++) {
    post();
    await();
    for (size_t k = 0; k < longs; k++) to[k] = a[k] + b[k];
    bench_compiler_barrier();
    post();
    await();
  }
}

static void bare_collect(long n)
{
  for (long i = 0; i < n; i++) {
    post();
    await();
    for (unsigned k = 0; k < 2; k++) memcpy(dst + k * bytes, src_of(k), bytes);
    post();
    await();
  }
}

/* ---- ours ---- */

static void add_longs(void *a, const void *b, size_t n)
{
  for (size_t i = 0; i < n; i++) ((long *)a)[i] += ((const long *)b)[i];
}

static void broadcast(long n)
{
  const gasnetx_nodes_t all = everybody();
  for (long i = 0; i < n; i++) gasnetx_team_broadcast(&all, 0, dst, src, bytes, 0);
}

static void sum(long n)
{
  const gasnetx_nodes_t all = everybody();
  for (long i = 0; i < n; i++)
    gasnetx_team_reduce(&all, dst, src, bytes / sizeof(long), sizeof(long), add_longs);
}

static void fcollect(long n)
{
  const gasnetx_nodes_t all = everybody();
  for (long i = 0; i < n; i++) gasnetx_team_fcollect(&all, dst, src, bytes);
}

/* Bytes of a node, such that the lengths of neighbours differ. */
static size_t length_of(unsigned node) { return bytes + 8 * (node % 3) - 8; }

static void collect(long n)
{
  const gasnetx_nodes_t all = everybody();
  const size_t mine = length_of(bench_node.me);
  for (long i = 0; i < n; i++) gasnetx_team_collect(&all, dst, src, mine);
}

static void barrier(long n)
{
  for (long i = 0; i < n; i++) gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

static void team_barrier(long n)
{
  const gasnetx_nodes_t all = everybody();
  for (long i = 0; i < n; i++) gasnetx_team_barrier(&all);
}

/* Until all have the data: node 0's time alone is that of its sends. */
static void broadcast_to_end(long n)
{
  for (long i = 0; i < n; i++) gasnetx_coll_broadcast(GASNET_TEAM_ALL, dst, 0, src, bytes);
  gasnetx_coll_barrier(GASNET_TEAM_ALL);
}

static void all_reduce(long n)
{
  const gasnetx_reduction_t longs = {.type = GASNETX_TYPE_INT64, .op = GASNETX_OP_SUM};
  for (long i = 0; i < n; i++)
    gasnetx_coll_allreduce(GASNET_TEAM_ALL, dst, src, bytes / sizeof(long), &longs);
}

static void all_to_all(long n)
{
  for (long i = 0; i < n; i++) gasnetx_coll_alltoall(GASNET_TEAM_ALL, dst, src, bytes);
}

/* ---- data ---- */

static const char *check_broadcast(void)
{
  return bench_node.me == 0 || bench_filled(dst, bytes, 1) == bytes ? NULL
                                                                    : "what was broadcast did not arrive";
}

static long summand(unsigned node, size_t k) { return (long)node * 1000003 + (long)k; }

static const char *check_sum(void)
{
  const unsigned n = bench_node.nodes;
  const long nodes = (long)n * (n - 1) / 2;
  for (size_t k = 0; k < bytes / sizeof(long); k++)
    if (((const long *)dst)[k] != nodes * 1000003 + (long)n * (long)k) return "a sum is wrong";
  return NULL;
}

static const char *check_parts(size_t (*length)(unsigned node))
{
  const char *at = dst;
  for (unsigned i = 0; i < bench_node.nodes; i++) {
    const size_t n = length(i);
    if (bench_filled(at, n, i + 1) != n) return "what was collected is not what was given";
    at += n;
  }
  return NULL;
}

static size_t same_length(unsigned node) { return (void)node, bytes; }
static const char *check_fcollect(void) { return check_parts(same_length); }
static const char *check_collect(void) { return check_parts(length_of); }

/* Each node has the same data for all others. */
static const char *check_all_to_all(void)
{
  for (unsigned i = 0; i < bench_node.nodes; i++)
    if (bench_filled(dst + i * bytes, bytes, i + 1) != bytes) return "what came is not what was sent";
  return NULL;
}

/* ---- points ---- */

static int prepare(size_t nbytes)
{
  bytes = nbytes;
  src = bench_node.segment + OFF_SRC;
  dst = bench_node.segment + dst_offset(bytes);
  bench_fill(src, bytes + 8, bench_node.me + 1);
  if (bench_node.nodes != 2) bench_raw_taken = 0;
  return 0;
}

static int prepare_sum(size_t longs)
{
  prepare(longs * sizeof(long));
  for (size_t k = 0; k < longs; k++) ((long *)src)[k] = summand(bench_node.me, k);
  return 0;
}

#define PREPARE(name, call) \
  static int name(const char *point, size_t unused) \
  { \
    (void)point, (void)unused; \
    return call; \
  }
PREPARE(prepare_8, prepare(8))
PREPARE(prepare_8k, prepare(8 << 10))
PREPARE(prepare_1m, prepare(1 << 20))
PREPARE(prepare_sum_1, prepare_sum(1))
PREPARE(prepare_sum_8192, prepare_sum(8192))

static size_t needs_broadcast_1m(const char *point, size_t unused)
{
  return (void)point, (void)unused, dst_offset(1 << 20) + (1 << 20);
}
static size_t needs_collect(const char *point, size_t unused)
{
  (void)point, (void)unused;
  return dst_offset(8 << 10) + bench_node.nodes * ((8 << 10) + 8);
}

/* Beside Open MPI. A point is a size, or for barriers a count of nodes, which does no harm as a size. */
static int prepare_blocks(size_t nbytes, size_t blocks)
{
  bytes = nbytes;
  src = bench_node.segment + OFF_SRC;
  dst = bench_node.segment + dst_offset(blocks * bytes);
  for (size_t i = 0; i < blocks; i++) bench_fill(src + i * bytes, bytes, bench_node.me + 1);
  bench_raw_shape.bytes = bytes;
  return 0;
}
static int prepare_mpi(const char *point, size_t nbytes) { return (void)point, prepare_blocks(nbytes, 1); }
static int prepare_mpi_all(const char *point, size_t nbytes)
{
  return (void)point, prepare_blocks(nbytes, bench_node.nodes);
}

static int prepare_mpi_sum(const char *point, size_t nbytes)
{
  if (nbytes % sizeof(long)) {
    bench_missing("it is of longs, of %zu bytes each", sizeof(long));
    return -1;
  }
  prepare_mpi(point, nbytes);
  for (size_t k = 0; k < nbytes / sizeof(long); k++) ((long *)src)[k] = summand(bench_node.me, k);
  return 0;
}

/* Half of it is room for both sides of MPI's. */
static size_t needs_mpi(const char *point, size_t nbytes) { return (void)point, 2 * dst_offset(nbytes); }
static size_t needs_mpi_all(const char *point, size_t nbytes)
{
  return (void)point, 2 * dst_offset(nbytes * bench_node.nodes);
}

#define CASE(name, prepare_fn, check_fn, ours_fn, bare) \
  .flags = BENCH_ALL_NODES, .raw_smp = {bare}, BENCH_CASE(name, prepare_fn, check_fn, ours_fn)

/* At least ten operations a series: of fewer broadcasts most of the time would be that of the barrier after
 * them. */
#define MPI(name, room, begin, verify, series, way) \
  .flags = BENCH_ALL_NODES, .least = 10, .needs = room, .raw_net = {way}, \
  BENCH_CASE(name, begin, verify, series)

static const struct bench_case cases[] = {
    {CASE("team_broadcast_8", prepare_8, check_broadcast, broadcast, bare_broadcast)},
    {CASE("team_broadcast_8K", prepare_8k, check_broadcast, broadcast, bare_broadcast)},
    {CASE("team_broadcast_1M", prepare_1m, check_broadcast, broadcast, bare_broadcast),
        .needs = needs_broadcast_1m},
    {CASE("team_sum_1", prepare_sum_1, check_sum, sum, bare_sum_1)},
    {CASE("team_sum_8192", prepare_sum_8192, check_sum, sum, bare_sums)},
    {CASE("team_fcollect_8", prepare_8, check_fcollect, fcollect, bare_collect)},
    {CASE("team_fcollect_8K", prepare_8k, check_fcollect, fcollect, bare_collect), .needs = needs_collect},
    {CASE("team_collect_8K", prepare_8k, check_collect, collect, bare_collect), .needs = needs_collect},
    {MPI("mpi_barrier", NULL, prepare_mpi, NULL, barrier, RAW_BARRIER)},
    {MPI("mpi_team_barrier", NULL, prepare_mpi, NULL, team_barrier, RAW_BARRIER)},
    {MPI("mpi_broadcast", needs_mpi, prepare_mpi, check_broadcast, broadcast_to_end, RAW_BROADCAST)},
    {MPI("mpi_sum", needs_mpi, prepare_mpi_sum, check_sum, all_reduce, RAW_SUM)},
    {MPI("mpi_alltoall", needs_mpi_all, prepare_mpi_all, check_all_to_all, all_to_all, RAW_ALL_TO_ALL)},
    {.test = NULL},
};

const struct bench_suite bench_suite_team = {.cases = cases};
