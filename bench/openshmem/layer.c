/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine's view of OpenSHMEM. Beside the barrier it uses gasnet.h, whose nodes are the PEs. */
#include "pe.h"

#include <gasnet.h>
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

/* Calls take the caller's own address of the heap for every PE. */
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

static void attach_heap(size_t size)
{
  char *heap = shmalign(4096, size);
  if (!heap) bench_die("no room for %zu MiB on the symmetric heap; raise SMA_SYMMETRIC_SIZE", size >> 20);
  find_heaps(heap, size);
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
    .attach = attach_heap,
    .sync = shmem_barrier_all,
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
