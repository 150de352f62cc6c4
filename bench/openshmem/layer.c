/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine's view of OpenSHMEM. What the engine needs beside the barrier comes from gasnet.h, whose nodes
 * the PEs are. */
#include "pe.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_library(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  setenv("SMA_SYMMETRIC_SIZE", "64M", 0);
  start_pes(0);
  bench_node.me = (unsigned)_my_pe();
  bench_node.nodes = (unsigned)_num_pes();
}

/* The heap's address is its own on each PE: that is what calls take. */
static void find_heaps(char *heap, size_t size)
{
  const unsigned n = bench_node.nodes;
  bench_node.remote = calloc(n, sizeof *bench_node.remote);
  bench_node.mapped = calloc(n, sizeof *bench_node.mapped);
  gasnet_nodeinfo_t *info = calloc(n, sizeof *info);
  if (!bench_node.remote || !bench_node.mapped || !info || gasnet_getNodeInfo(info, (int)n) != GASNET_OK)
    bench_die("no tables of %u PEs", n);
  for (unsigned i = 0; i < n; i++) {
    bench_node.remote[i] = heap;
    bench_node.mapped[i] = shmem_ptr(heap, (int)i);
    if (i < bench_node.me && info[i].host == info[bench_node.me].host) bench_node.here++;
  }
  free(info);
  bench_node.segment = heap;
  bench_node.size = size;
}

static void attach(size_t size)
{
  char *heap = shmalign(4096, size);
  if (!heap) bench_die("no room for %zu MiB on the symmetric heap; raise SMA_SYMMETRIC_SIZE", size >> 20);
  find_heaps(heap, size);
}

/* ---- among PEs ---- */

static gasnetx_nodes_t everybody(void) { return (gasnetx_nodes_t){0, 1, (gasnet_node_t)bench_node.nodes}; }

static void tell(void *data, size_t nbytes)
{
  const gasnetx_nodes_t all = everybody();
  gasnetx_team_broadcast(&all, 0, data, data, nbytes, 0);
}

static void keep_greater(void *inout, const void *in, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (((const double *)in)[i] > ((double *)inout)[i]) ((double *)inout)[i] = ((const double *)in)[i];
}

static double most(double v)
{
  const gasnetx_nodes_t all = everybody();
  double greatest;
  gasnetx_team_reduce(&all, &greatest, &v, 1, sizeof v, keep_greater);
  return greatest;
}

static void add(void *inout, const void *in, size_t n)
{
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

uint64_t bench_sum(uint64_t mine)
{
  const gasnetx_nodes_t all = everybody();
  uint64_t sum;
  gasnetx_team_reduce(&all, &sum, &mine, 1, sizeof mine, add);
  return sum;
}

static void close_job(int code)
{
  fflush(stdout);
  if (code != 0) shmem_global_exit(code);
  shmem_barrier_all();
  shmem_finalize();
  exit(0);
}

const struct bench_layer bench_layer = {.open = open_library,
    .attach = attach,
    .sync = shmem_barrier_all,
    .tell = tell,
    .most = most,
    .close = close_job,
    .mode = "shmem"};

/* ---- points ---- */

long bench_static[BENCH_VECTOR];

int bench_point_static(const char *point)
{
  const char *at = strrchr(point, '_');
  return at && !strcmp(at, "_static");
}

int bench_point_is(const char *point, const char *what)
{
  const char *at = strrchr(point, '_');
  return at && (size_t)(at - point) == strlen(what) && !strncmp(point, what, (size_t)(at - point));
}
