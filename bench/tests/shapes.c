/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "shapes.h"

#include <stdio.h>
#include <string.h>

enum { K = 1024, ROW = 256 * 8, PLANE = 256 * ROW, SIDE = 128 * 8 };

static const struct {
  const char *name;
  struct bench_pattern p;
} patterns[] = {
    {"col_1K", {{8, {8, 4096}, {K}, {K}, 1}, 0, 0}},
    {"col_8K", {{8, {8, 4096}, {8 * K}, {8 * K}, 1}, 0, 0}},
    {"block16",
        {{8, {16 * 8, 16, 16}, {ROW, PLANE}, {ROW, PLANE}, 2}, 100 * PLANE + 100 * ROW + 800,
            120 * PLANE + 20 * ROW + 640}},
    {"rows512", {{8, {512, 2048}, {K}, {K}, 1}, 0, 0}},
    {"block8",
        {{8, {8 * 8, 8, 8, 8}, {32 * 8, 32 * 32 * 8, 32 * 32 * 32 * 8},
             {32 * 8, 32 * 32 * 8, 32 * 32 * 32 * 8}, 3},
            0, 0}},
    {"elem3", {{3, {3, 4096}, {8}, {8}, 1}, 0, 0}},
    {"big_4K", {{8, {4096, 8192}, {8192}, {8192}, 1}, 0, 0}},
    {"big_512", {{8, {512, 65536}, {1024}, {1024}, 1}, 0, 0}},
    {"big_64", {{8, {64, 262144}, {128}, {128}, 1}, 0, 0}},
    /* Of a cube of 128 doubles each way, without ghosts. */
    {"face_8", {{8, {8, 128, 128}, {SIDE, 128 * SIDE}, {SIDE, 128 * SIDE}, 2}, 0, 0}},
    {"face_1K", {{8, {SIDE, 128}, {128 * SIDE}, {128 * SIDE}, 1}, 0, 0}},
};

/* The boundary layer of a cube of n doubles each way, to the ghost layer on the other side of
 * the partner's. */
static void face(unsigned n, char axis, struct bench_pattern *p)
{
  const size_t x = 8, y = (n + 2) * x, z = (n + 2) * y, inside = x + y + z;
  const struct bench_shape along_x = {8, {8, n, n}, {y, z}, {y, z}, 2},
                           along_y = {8, {8 * n, n}, {z}, {z}, 1}, along_z = {8, {8 * n, n}, {y}, {y}, 1};
  const size_t step = axis == 'x' ? x : axis == 'y' ? y : z;
  p->shape = axis == 'x' ? along_x : axis == 'y' ? along_y : along_z;
  p->sent = inside + (n - 1) * step;
  p->received = inside - step;
}

int bench_pattern_named(const char *name, struct bench_pattern *p)
{
  unsigned n;
  char axis;
  for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++)
    if (!strcmp(name, patterns[i].name)) {
      *p = patterns[i].p;
      return 0;
    }
  if (sscanf(name, "face%u_%c", &n, &axis) != 2 || n < 1 || n > 256 || axis < 'x' || axis > 'z') return -1;
  face(n, axis, p);
  return 0;
}

size_t bench_shape_bytes(const struct bench_shape *s)
{
  size_t n = s->count[0];
  for (size_t i = 1; i <= s->levels; i++) n *= s->count[i];
  return n;
}

size_t bench_shape_extent(const struct bench_shape *s, const size_t strides[])
{
  size_t n = s->count[0];
  for (size_t i = 0; i < s->levels; i++) n += (s->count[i + 1] - 1) * strides[i];
  return n;
}

void bench_shape_pack(struct bench_shape *s)
{
  size_t extent = s->count[0];
  for (size_t i = 0; i < s->levels; i++) {
    s->dst[i] = extent;
    extent *= s->count[i + 1];
  }
}

static void visit_level(const struct bench_shape *s, const size_t strides[], size_t level, size_t at,
    bench_visit_fn visit, void *arg)
{
  if (level == 0) {
    visit(at, s->count[0], arg);
    return;
  }
  for (size_t i = 0; i < s->count[level]; i++)
    visit_level(s, strides, level - 1, at + i * strides[level - 1], visit, arg);
}

void bench_shape_visit(
    const struct bench_shape *s, const size_t strides[], size_t at, bench_visit_fn visit, void *arg)
{
  visit_level(s, strides, s->levels, at, visit, arg);
}
