/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Assignments between distributions, against transfers by hand between two barriers: before the first the
 * nodes may still compute what is read and read what is overwritten, before the second it is not there. */
#include "node.h"

#include <gasnet.h>
#include <gasnet_vis.h>
#include <gasnetx.h>
#include <string.h>
#include <xmp.h>

enum { SIDE = 2048, WIDTH = 3, LENGTH = WIDTH * 144 * 2048 /* whole rounds on 2, 3, 4, 6, 8, 12 nodes */ };
enum { ROW = SIDE - 5 };

#pragma xmp nodes p[*]
#pragma xmp template side[SIDE]
#pragma xmp template blocks[LENGTH]
#pragma xmp template cycles[LENGTH]
#pragma xmp distribute side[block] onto p
#pragma xmp distribute blocks[block] onto p
#pragma xmp distribute cycles[cyclic(WIDTH)] onto p

static double rows[SIDE][SIDE], columns[SIDE][SIDE];
#pragma xmp align rows[i][*] with side[i]
#pragma xmp align columns[*][i] with side[i]
static double from[LENGTH], to[LENGTH];
#pragma xmp align from[i] with blocks[i]
#pragma xmp align to[i] with cycles[i]
static double line[SIDE]; /* each node's own */

static struct bench_places rows_at, columns_at, to_at, line_at;
static long seed; /* other data each time */

/* ---- by directives ---- */

static void transpose(void)
{
#pragma xmp gmove
  columns[:][:] = rows[:][:];
}

static void cycle(void)
{
#pragma xmp gmove
  to[:] = from[:];
}

static void row(void)
{
#pragma xmp gmove
  line[:] = rows[ROW][:];
}

/* ---- by hand ---- */

static void meet(void) { gasnetx_coll_barrier(GASNET_TEAM_ALL); }

/* The block where my rows and the columns of another node meet. */
static void transpose_puts(void)
{
  const struct bench_block mine = bench_block(SIDE, bench_node.me);
  const size_t height = (size_t)(mine.last - mine.first + 1);
  meet();
  for (unsigned k = 0; k < bench_node.nodes && height; k++) {
    const unsigned node = (bench_node.me + k) % bench_node.nodes;
    const struct bench_block there = bench_block(SIDE, node);
    const size_t width = sizeof(double) * (size_t)(there.last - there.first + 1), count[] = {width, height};
    const size_t pitch = sizeof(double) * SIDE;
    if (width)
      gasnet_puts_nbi_bulk((gasnet_node_t)node, columns_at.remote[node] + (size_t)mine.first * width, &width,
          &rows[mine.first][there.first], &pitch, count, 1);
  }
  gasnet_wait_syncnbi_puts();
  meet();
}

static void transpose_gets(void)
{
  const struct bench_block mine = bench_block(SIDE, bench_node.me);
  const size_t width = sizeof(double) * (size_t)(mine.last - mine.first + 1), pitch = sizeof(double) * SIDE;
  meet();
  for (unsigned k = 0; k < bench_node.nodes && width; k++) {
    const unsigned node = (bench_node.me + k) % bench_node.nodes;
    const struct bench_block there = bench_block(SIDE, node);
    const size_t count[] = {width, (size_t)(there.last - there.first + 1)};
    if (count[1])
      gasnet_gets_nbi_bulk(&columns[there.first][mine.first], &width, (gasnet_node_t)node,
          rows_at.remote[node] + sizeof(double) * (size_t)mine.first, &pitch, count, 1);
  }
  gasnet_wait_syncnbi_gets();
  meet();
}

/* Every nodes-th group of three of my part goes to the same node, where they lie side by side. */
static void cycle_puts(void)
{
  const struct bench_block mine = bench_block(LENGTH, bench_node.me);
  const size_t piece = sizeof(double) * WIDTH
  , pitch = piece * bench_node.nodes,
    count[] = {piece, (size_t)(mine.last - mine.first + 1) * sizeof(double) / pitch};
  meet();
  for (unsigned k = 0; k < bench_node.nodes; k++) {
    const unsigned node = (bench_node.me + k) % bench_node.nodes;
    gasnet_puts_nbi_bulk((gasnet_node_t)node,
        to_at.remote[node] + (size_t)mine.first * sizeof(double) / bench_node.nodes, &piece,
        &from[mine.first + WIDTH * (long)node], &pitch, count, 1);
  }
  gasnet_wait_syncnbi_puts();
  meet();
}

static unsigned row_owner(void)
{
  unsigned node = 0;
  while (bench_block(SIDE, node).last < ROW) node++;
  return node;
}

static void row_puts(void)
{
  meet();
  if (bench_node.me == row_owner()) {
    for (unsigned k = 0; k < bench_node.nodes; k++)
      gasnet_put_nbi_bulk((gasnet_node_t)k, line_at.remote[k], &rows[ROW][0], sizeof line);
    gasnet_wait_syncnbi_puts();
  }
  meet();
}

static void row_gets(void)
{
  const unsigned owner = row_owner();
  const size_t at = sizeof line * (size_t)(ROW - bench_block(SIDE, owner).first);
  meet();
  gasnet_get_bulk(line, (gasnet_node_t)owner, rows_at.remote[owner] + at, sizeof line);
  meet();
}

/* ---- data ---- */

static double element(long i, long j) { return (double)(seed + 3 * i + 7 * j); }

static void fill_matrices(void)
{
#pragma xmp loop on side[i]
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) rows[i][j] = element(i, j), columns[j][i] = -1;
  for (int j = 0; j < SIDE; j++) line[j] = -1;
}

static void fill_vectors(void)
{
#pragma xmp loop on blocks[i]
  for (int i = 0; i < LENGTH; i++) from[i] = element(i, 0);
#pragma xmp loop on cycles[i]
  for (int i = 0; i < LENGTH; i++) to[i] = -1;
}

static int columns_are_wrong(void)
{
  int wrong = 0;
#pragma xmp loop on side[j]
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) wrong |= columns[i][j] != element(i, j);
  return wrong;
}

static int to_is_wrong(void)
{
  int wrong = 0;
#pragma xmp loop on cycles[i]
  for (int i = 0; i < LENGTH; i++) wrong |= to[i] != element(i, 0);
  return wrong;
}

static int line_is_wrong(void)
{
  int wrong = 0;
  for (int j = 0; j < SIDE; j++) wrong |= line[j] != element(ROW, j);
  return wrong;
}

/* ---- points ---- */

static const struct move {
  const char *name;
  void (*fill)(void);
  int (*wrong)(void);
  void (*ours)(void), (*hand)(void), (*other)(void);
} moves[] = {
    {"transpose", fill_matrices, columns_are_wrong, transpose, transpose_puts, transpose_gets},
    {"cyclic", fill_vectors, to_is_wrong, cycle, cycle_puts, cycle_puts},
    {"row", fill_matrices, line_is_wrong, row, row_puts, row_gets},
};
static const struct move *move;

#define SERIES(name) \
  static void name(long n) \
  { \
    for (long i = 0; i < n; i++) move->name(); \
  }
SERIES(ours)
SERIES(hand)
SERIES(other)

static void find_places(void)
{
  if (line_at.remote) return;
  const long mine = bench_block(SIDE, bench_node.me).first;
  bench_places_find(&rows_at, &rows[mine][0]);
  bench_places_find(&columns_at, &columns[0][mine]);
  void *part;
  xmp_array_laddr(xmp_desc_of(to), &part);
  bench_places_find(&to_at, part);
  bench_places_find(&line_at, line);
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  move = moves;
  while (strcmp(move->name, point) != 0) move++;
  if (LENGTH % (WIDTH * bench_node.nodes * bench_node.nodes)) {
    bench_missing("the length is no multiple of %u times the square of the nodes", (unsigned)WIDTH);
    return -1;
  }
  find_places();
  seed++;
  move->fill();
  return 0;
}

static const char *check(void) { return move->wrong() ? "an element is not where it belongs" : NULL; }

/* Each way by other data. */
static const char *after(void)
{
  void (*const way[])(void) = {move->hand, move->other, move->ours};
  const char *wrong = NULL;
  for (int i = 0; i < 3; i++) {
    seed++;
    move->fill();
    way[i]();
    if (!wrong) wrong = check();
  }
  return wrong;
}

static const struct bench_case cases[] = {
    {BENCH_CASE("xmp_gmove", prepare, check, ours), .flags = BENCH_ALL_NODES | BENCH_FIRST_FREE,
        .after = after, .raw_any = {hand, other}},
    {.test = NULL},
};

const struct bench_suite bench_suite_xmp_gmove = {.cases = cases};
