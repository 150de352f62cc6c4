/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The engine's view of XcalableMP, whose nodes are those of gasnet.h. The job has begun before main. */
#include "node.h"

#include <stdio.h>
#include <xmp.h>

#pragma xmp nodes p[*]
#pragma xmp template bytes[ : ]
#pragma xmp distribute bytes[block] onto p
static char *memory; /* its parts are the engine's segments */
#pragma xmp align memory[i] with bytes[i]

static void open_library(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  bench_node.me = (unsigned)xmpc_all_node_num();
  bench_node.nodes = (unsigned)xmp_all_num_nodes();
}

static void attach_memory(size_t size)
{
  const size_t all = size * bench_node.nodes;
  void *mine;
#pragma xmp template_fix bytes[all]
  memory = (char *)xmp_malloc(xmp_desc_of(memory), all);
  if (xmp_array_laddr(xmp_desc_of(memory), &mine) != XMP_SUCCESS) bench_die("no memory of %zu bytes", size);
  bench_places_attach(mine, size);
}

static void close_job(int code)
{
  fflush(stdout);
  xmp_exit(code);
}

const struct bench_layer bench_layer = {
    .open = open_library, .attach = attach_memory, .sync = xmp_barrier, .close = close_job, .mode = "xmp"};
