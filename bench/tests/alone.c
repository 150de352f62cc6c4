/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The loads and stores of a strided transfer alone: bare loops pack a part of node 0's own memory, and
 * unpack it, and nothing is sent. Over a network they are shown against one contiguous transfer of as many
 * bytes. */
#include "../engine/engine.h"
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

static struct {
  struct bench_shape shape; /* the source is where the loop reads */
  int unpacks;
  char *packed;
} a;

static void loop(long n)
{
  char *const to = a.unpacks ? bench_node.local : a.packed,
              *const from = a.unpacks ? a.packed : bench_node.local;
  for (long i = 0; i < n; i++) {
    if (a.shape.count[0] == a.shape.elem) bench_loop_elements(&a.shape, to, from);
    else bench_loop_rows(&a.shape, to, from);
    bench_compiler_barrier();
  }
}

/* ---- data ---- */

enum { STREAM = 1, GAPS = 2 };

struct walk {
  char *stream;
  int wrong;
};

static void copy_in(size_t at, size_t nbytes, void *arg)
{
  struct walk *w = arg;
  memcpy(bench_node.local + at, w->stream, nbytes);
  w->stream += nbytes;
}

/* Checked bytes get the value of the gaps. */
static void take_out(size_t at, size_t nbytes, void *arg)
{
  struct walk *w = arg;
  w->wrong |= memcmp(bench_node.local + at, w->stream, nbytes) != 0;
  memset(bench_node.local + at, GAPS, nbytes);
  w->stream += nbytes;
}

static void visit(bench_visit_fn piece, struct walk *w)
{
  bench_shape_visit(&a.shape, a.unpacks ? a.shape.dst : a.shape.src, 0, piece, w);
}

static size_t extent(void) { return bench_shape_extent(&a.shape, a.unpacks ? a.shape.dst : a.shape.src); }

static char *stream(void)
{
  const size_t n = bench_shape_bytes(&a.shape);
  char *s = malloc(n);
  if (!s) bench_die("no memory for a buffer of %zu bytes", n);
  bench_fill(s, n, STREAM);
  return s;
}

static void sides_fill(void)
{
  const size_t n = bench_shape_bytes(&a.shape);
  char *const s = stream();
  struct walk w = {s, 0};
  memset(bench_node.local, GAPS, extent());
  if (a.unpacks) memcpy(a.packed, s, n);
  else visit(copy_in, &w);
  free(s);
}

static const char *check_unpacked(void)
{
  char *const s = stream();
  struct walk w = {s, 0};
  visit(take_out, &w);
  free(s);
  if (w.wrong) return "what was unpacked is not what was packed";
  return memcmp(bench_node.local, bench_node.local + 1, extent() - 1) == 0
      ? NULL
      : "bytes beside what was unpacked have changed";
}

static const char *check(void)
{
  const size_t n = bench_shape_bytes(&a.shape);
  if (bench_node.me != 0) return NULL;
  if (a.unpacks) return check_unpacked();
  return bench_filled(a.packed, n, STREAM) == n ? NULL : "what was packed is not what was there";
}

/* ---- points ---- */

static void pattern_set(const char *point, int unpacks)
{
  struct bench_pattern p;
  if (bench_pattern_named(point, &p) != 0) bench_die("there is no pattern %s", point);
  a.shape = p.shape;
  a.unpacks = unpacks;
  bench_shape_pack(&a.shape);
  if (!unpacks) return;
  memcpy(a.shape.src, a.shape.dst, sizeof a.shape.src);
  memcpy(a.shape.dst, p.shape.dst, sizeof a.shape.dst);
}

static size_t needs(const char *point, size_t bytes)
{
  (void)bytes;
  pattern_set(point, 1);
  return extent();
}

static int prepare(const char *point, int unpacks)
{
  pattern_set(point, unpacks);
  free(a.packed);
  a.packed = calloc(1, bench_shape_bytes(&a.shape));
  if (!a.packed) bench_die("no memory for a buffer of %zu bytes", bench_shape_bytes(&a.shape));
  sides_fill();
  bench_raw_shape = (struct raw_shape){.bytes = bench_shape_bytes(&a.shape), .several = 1};
  return 0;
}
static int prepare_pack(const char *point, size_t bytes) { return (void)bytes, prepare(point, 0); }
static int prepare_unpack(const char *point, size_t bytes) { return (void)bytes, prepare(point, 1); }

#define CASE(name, prepare_fn) \
  .flags = BENCH_FIRST_FREE, .needs = needs, .raw_net = {RAW_WRITE_EACH}, \
  BENCH_CASE(name, prepare_fn, check, loop)

static const struct bench_case cases[] = {
    {CASE("pack_alone", prepare_pack)},
    {CASE("unpack_alone", prepare_unpack)},
    {.test = NULL},
};

const struct bench_suite bench_suite_alone = {.cases = cases};
