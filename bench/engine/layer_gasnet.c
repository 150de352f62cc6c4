/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine's view of GASNet. */
#include "engine.h"

#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>

static void need_ok(int rc, const char *call)
{
  if (rc != GASNET_OK) bench_die("%s: %s", call, gasnet_ErrorDesc(rc));
}

static void open_library(int *argc, char ***argv)
{
  need_ok(gasnet_init(argc, argv), "gasnet_init");
  bench_node.me = gasnet_mynode();
  bench_node.nodes = gasnet_nodes();
}

/* ---- attaching ---- */

static gasnet_handlerentry_t handlers[128];

static int collect_handlers(void)
{
  int n = 0;
  for (unsigned s = 0; bench_suites[s]; s++)
    for (const struct bench_handler *h = bench_suites[s]->handlers; h && h->fn; h++)
      handlers[n++] = (gasnet_handlerentry_t){.index = h->index, .fnptr = h->fn};
  return n;
}

static void find_segments(void)
{
  const unsigned n = bench_node.nodes, me = bench_node.me;
  gasnet_seginfo_t *seg = calloc(n, sizeof *seg);
  gasnet_nodeinfo_t *info = calloc(n, sizeof *info);
  bench_node.remote = calloc(n, sizeof *bench_node.remote);
  bench_node.mapped = calloc(n, sizeof *bench_node.mapped);
  if (!seg || !info || !bench_node.remote || !bench_node.mapped)
    bench_die("no memory for tables of %u nodes", n);
  need_ok(gasnet_getSegmentInfo(seg, (int)n), "gasnet_getSegmentInfo");
  need_ok(gasnet_getNodeInfo(info, (int)n), "gasnet_getNodeInfo");
  for (unsigned i = 0; i < n; i++) {
    bench_node.remote[i] = seg[i].addr;
    if (info[i].supernode == info[me].supernode)
      bench_node.mapped[i] = (char *)((uintptr_t)seg[i].addr + (uintptr_t)info[i].offset);
    if (i < me && info[i].host == info[me].host) bench_node.here++;
  }
  bench_node.segment = seg[me].addr;
  bench_node.size = seg[me].size;
  free(seg);
  free(info);
}

static void attach_segment(size_t segment)
{
  const size_t size = (segment + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE,
               most = gasnet_getMaxGlobalSegmentSize();
  if (size > most)
    bench_die("these tests need a segment of %zu MiB, and %zu MiB is the most here; raise GASNET_MAX_SEGSIZE "
              "or measure smaller sizes",
        size >> 20, most >> 20);
  need_ok(gasnet_attach(handlers, collect_handlers(), size, 0), "gasnet_attach");
  find_segments();
}

/* ---- among nodes ---- */

static void sync_nodes(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  need_ok(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), "gasnet_barrier_wait");
}

static void fetch_segment(void *to, unsigned node, size_t at, size_t nbytes)
{
  gasnet_get(to, (gasnet_node_t)node, (char *)bench_node.remote[node] + at, nbytes);
}

static void close_job(int code)
{
  if (code == 0) sync_nodes();
  fflush(stdout);
  gasnet_exit(code);
}

const struct bench_layer bench_layer = {
    .open = open_library,
    .attach = attach_segment,
    .sync = sync_nodes,
    .fetch = fetch_segment,
    .close = close_job,
#if defined(GASNET_PAR)
    .mode = "par",
#else
    .mode = "seq",
#endif
};
