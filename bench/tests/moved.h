/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A transfer between node 0's own memory and its partner's segment, checked by value: what arrives is what
 * was at the source, in the order of the stream, and nothing else of the destination has changed. */
#ifndef BENCH_TESTS_MOVED_H
#define BENCH_TESTS_MOVED_H
#include <stddef.h>

enum bench_side { BENCH_DST, BENCH_SRC };

typedef void (*bench_visit_fn)(size_t at, size_t nbytes, void *arg);

struct bench_moved {
  int get;          /* the partner's segment is the source */
  size_t extent[2]; /* in bytes: a side's pieces lie below it, in the memory of that side's node */
  /* Visits the pieces of a side in the stream's order, by their offsets in that memory. */
  void (*each)(enum bench_side side, bench_visit_fn visit, void *arg);
};

/* How much memory the larger side needs. */
size_t bench_moved_needs(const struct bench_moved *m);
/* Called on all nodes: fills both sides, a destination also between and behind its pieces. */
void bench_moved_fill(const struct bench_moved *m);
/* Called on all nodes when the transfer has been made, any number of times. Returns NULL, or on the node
 * that owns the destination what is wrong. */
const char *bench_moved_check(const struct bench_moved *m);
#endif
