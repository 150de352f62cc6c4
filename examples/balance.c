/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A square matrix of positive numbers in blocks, on nodes in rows and columns. Its rows and its columns are
 * divided by their sums, in turns, until all sums are 1. A row lies on the nodes of one row of nodes, which
 * are a team, and so is each column of nodes. The sums of a few lines travel while this node adds up the next
 * ones, and while it divides the ones before. */
#define GASNET_SEQ 1
#include "job.h"

enum { ROWS, COLUMNS, STRIPS = 8 };
static long n = 240, steps = 30;

/* This node's block, as lines of its rows, or of its columns. */
static double *block;
static struct side {
  gasnetx_team_t team; /* of all nodes that have a part of the same lines */
  size_t lines, next;  /* next: elements from a line to the next one */
  double *sums;        /* [lines] */
} side[2];

static const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_DOUBLE, .op = GASNETX_OP_SUM};

/* As square as can be: the number of nodes in a row of nodes. */
static size_t grid_width(void)
{
  size_t width = nodes;
  for (size_t w = nodes; w * w >= nodes; w--)
    if (nodes % w == 0) width = w;
  return width;
}

static size_t share_begin(size_t i, size_t parts) { return i * (size_t)n / parts; }

/* The lines are cut into `parts`; this node has the i-th one. */
static void side_make(struct side *s, size_t i, size_t parts, gasnetx_team_t team)
{
  s->team = team;
  s->lines = share_begin(i + 1, parts) - share_begin(i, parts);
  s->sums = room(s->lines, sizeof *s->sums);
}

static void make_blocks(void)
{
  const size_t width = grid_width(), extent[] = {width, nodes / width}, column = me % width, row = me / width;
  side_make(&side[ROWS], row, extent[1], gasnetx_team_axis(GASNET_TEAM_ALL, extent, 2, 0));
  side_make(&side[COLUMNS], column, extent[0], gasnetx_team_axis(GASNET_TEAM_ALL, extent, 2, 1));
  side[ROWS].next = side[COLUMNS].lines;
  side[COLUMNS].next = 1;
  block = room(side[ROWS].lines * side[COLUMNS].lines, sizeof *block);
  for (size_t i = 0; i < side[ROWS].lines; i++)
    for (size_t j = 0; j < side[COLUMNS].lines; j++)
      block[i * side[COLUMNS].lines + j] = 1 +
          (double)(mix((share_begin(row, extent[1]) + i) * (size_t)n + share_begin(column, width) + j) %
              1000);
}

static double line_sum(const struct side *s, const struct side *across, size_t line)
{
  double total = 0;
  for (size_t k = 0; k < across->lines; k++) total += block[line * s->next + k * across->next];
  return total;
}

static void line_divide(const struct side *s, const struct side *across, size_t line)
{
  for (size_t k = 0; k < across->lines; k++) block[line * s->next + k * across->next] /= s->sums[line];
}

static size_t strip_begin(const struct side *s, size_t i) { return i * s->lines / STRIPS; }

/* The sums of each strip are under way as soon as this node has added up its part of them. */
static void sums_start(const struct side *s, const struct side *across, gasnet_handle_t sent[STRIPS])
{
  for (size_t i = 0; i < STRIPS; i++) {
    const size_t begin = strip_begin(s, i), end = strip_begin(s, i + 1);
    for (size_t line = begin; line < end; line++) s->sums[line] = line_sum(s, across, line);
    sent[i] = gasnetx_coll_allreduce_nb(s->team, s->sums + begin, s->sums + begin, end - begin, &sum);
  }
}

static void divide(const struct side *s, const struct side *across)
{
  gasnet_handle_t sent[STRIPS];
  sums_start(s, across, sent);
  for (size_t i = 0; i < STRIPS; i++) {
    gasnet_wait_syncnb(sent[i]);
    for (size_t line = strip_begin(s, i); line < strip_begin(s, i + 1); line++) line_divide(s, across, line);
  }
}

/* The largest distance of a sum from 1, of all lines of all nodes. */
static double distance(const struct side *s, const struct side *across)
{
  static const gasnetx_reduction_t max = {.type = GASNETX_TYPE_DOUBLE, .op = GASNETX_OP_MAX};
  gasnet_handle_t sent[STRIPS];
  double most = 0;
  sums_start(s, across, sent);
  gasnet_wait_syncnb_all(sent, STRIPS);
  for (size_t line = 0; line < s->lines; line++) {
    const double d = s->sums[line] < 1 ? 1 - s->sums[line] : s->sums[line] - 1;
    if (d > most) most = d;
  }
  gasnetx_coll_allreduce(GASNET_TEAM_ALL, &most, &most, 1, &max);
  return most;
}

static void check(void)
{
  const double rows = distance(&side[ROWS], &side[COLUMNS]), columns = distance(&side[COLUMNS], &side[ROWS]);
  if (!(rows < 1e-9)) fail("a row's sum differs from 1 by %g", rows);
  if (!(columns < 1e-9)) fail("a column's sum differs from 1 by %g", columns);
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"size", &n, 1, 10000, "rows and columns of the matrix"},
      {"steps", &steps, 20, 10000, "times that rows and columns are divided"}, {NULL, NULL, 0, 0, NULL}};
  join(argc, argv,
      "Divides the rows and columns of a matrix by their sums, until all sums are 1. The nodes of a row, "
      "and\n"
      "of a column, are teams.",
      options);
  attach(NULL, 0, GASNET_PAGESIZE);
  make_blocks();
  const double start = now();
  for (long i = 0; i < steps; i++) {
    divide(&side[ROWS], &side[COLUMNS]);
    divide(&side[COLUMNS], &side[ROWS]);
  }
  const double seconds = now() - start;
  check();
  if (me == 0) printf("%ld x %ld numbers on %d nodes: all sums are 1\n", n, n, (int)nodes);
  if (me == 0) printf("%.3f ms a step\n", seconds * 1e3 / (double)steps);
  gasnetx_team_destroy(side[ROWS].team);
  gasnetx_team_destroy(side[COLUMNS].team);
  barrier(); /* no node has failed */
  gasnet_exit(0);
}
