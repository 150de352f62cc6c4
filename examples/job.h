/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How the larger GASNet examples begin and end: options, the segments of all nodes, errors. hello.c and
 * halo.c show the calls alone. Exit codes: 0 right, 1 wrong, 2 a wrong command line, 3 no room. */
#ifndef EXAMPLES_JOB_H
#define EXAMPLES_JOB_H

#include <gasnetx.h>
#include <stdarg.h>
#include <time.h>

#include "options.h"

static gasnet_node_t me, nodes;
static gasnetx_nodes_t everybody; /* the list of all nodes, for collectives */
static gasnet_seginfo_t *segment; /* [nodes]; addresses are valid on their node, and in calls naming it */
static const char *program;

static inline double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void barrier(void) { gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); }

/* This node has found something wrong, and ends the job for all. */
static inline void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *fmt, ...)
{
  char text[256];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  fprintf(stderr, "%s: node %d: %s\n", program, (int)me, text);
  gasnet_exit(1);
}

/* Before attach, on all nodes alike. None ends the job before node 0 has printed why. */
static inline void leave(int code)
{
  if (gasnet_attach(NULL, 0, 0, 0) != GASNET_OK) fail("cannot attach");
  barrier();
  gasnet_exit(code);
}

/* The list of options ends with one that has no name. */
static inline void join(int argc, char **argv, const char *does, const struct option *options)
{
  program = options_program(argv);
  if (gasnet_init(&argc, &argv) != GASNET_OK) {
    fprintf(stderr, "%s: cannot join a job\n", program);
    exit(1);
  }
  me = gasnet_mynode(), nodes = gasnet_nodes();
  everybody = (gasnetx_nodes_t){0, 1, nodes};
  int code = options_read(argc, argv, "gasnetrun -n N", does, options, me == 0);
  if (code >= 0) leave(code);
}

/* All nodes ask for as many bytes. */
static inline void attach(gasnet_handlerentry_t *table, int handlers, size_t bytes)
{
  size_t size = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE,
         most = gasnet_getMaxGlobalSegmentSize();
  if (size > most) {
    if (me == 0)
      fprintf(stderr,
          "%s: needs segments of %zu bytes, but there is room for %zu: choose smaller sizes, or raise "
          "GASNET_MAX_SEGSIZE\n",
          program, size, most);
    leave(3);
  }
  int result = gasnet_attach(table, handlers, size, 0);
  segment = calloc(nodes, sizeof *segment);
  if (result != GASNET_OK || !segment) fail("cannot attach: %s", gasnet_ErrorDesc(result));
  gasnet_getSegmentInfo(segment, (int)nodes);
}

/* Private memory, zeroed. */
static inline void *room(size_t count, size_t size)
{
  void *p = calloc(count ? count : 1, size);
  if (!p) fail("no memory for %zu times %zu bytes", count, size);
  return p;
}

static inline void add_longs(void *inout, const void *in, size_t count)
{
  for (size_t i = 0; i < count; i++) ((long *)inout)[i] += ((const long *)in)[i];
}

/* The sum of what all nodes have; all call it. */
static inline long total(long mine)
{
  long sum;
  gasnetx_team_reduce(&everybody, &sum, &mine, 1, sizeof sum, add_longs);
  return sum;
}

/* Looks random; different for different x. */
static inline uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 32;
}

#endif
