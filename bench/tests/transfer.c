/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "transfer.h"

#include <string.h>

size_t transfer_bytes, transfer_extent;
volatile gasnet_node_t transfer_node;
static unsigned point; /* so that data left by one point are wrong at the next */

static unsigned seed_of(unsigned node, unsigned thread)
{
  return point * 31 + node * bench_node.threads + thread;
}

static void begin(size_t bytes, size_t extent)
{
  transfer_bytes = bytes;
  transfer_extent = extent;
  transfer_node = (gasnet_node_t)bench_node.peer;
  point++;
}

static void prepare(size_t bytes, size_t extent, char *source, char *target)
{
  begin(bytes, extent);
  for (unsigned t = 0; t < bench_node.threads; t++) {
    bench_fill(source + t * bench_node.share, extent, seed_of(bench_node.me, t));
    memset(target + t * bench_node.share, 0, extent);
  }
}

void transfer_prepare_put(size_t bytes, size_t extent)
{
  prepare(bytes, extent, bench_node.local, bench_node.segment);
}
void transfer_prepare_get(size_t bytes, size_t extent)
{
  prepare(bytes, extent, bench_node.segment, bench_node.local);
}

static int runs(unsigned flags, unsigned node)
{
  if (flags & BENCH_ALL_NODES) return 1;
  return flags & BENCH_HALF ? node < bench_node.half : node == 0;
}

static const char *check(const char *memory, unsigned flags, size_t nbytes)
{
  const unsigned threads = flags & BENCH_THREADED_CASE ? bench_node.threads : 1;
  for (unsigned t = 0; t < threads; t++)
    if (bench_filled(memory + t * bench_node.share, nbytes, seed_of(bench_node.peer, t)) != nbytes)
      return "data are wrong";
  return NULL;
}

const char *transfer_check_put(unsigned flags, size_t nbytes)
{
  return bench_node.peer != bench_node.me && runs(flags, bench_node.peer)
      ? check(bench_node.segment, flags, nbytes)
      : NULL;
}

const char *transfer_check_get(unsigned flags, size_t nbytes)
{
  return bench_node.peer != bench_node.me && runs(flags, bench_node.me)
      ? check(bench_node.local, flags, nbytes)
      : NULL;
}
