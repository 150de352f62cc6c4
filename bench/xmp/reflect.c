/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* reflect alone, again and again of the same array, against the exchange by hand. By hand over a network
 * nobody says that a shadow may be written: these are the transfers alone, though a program would need more.
 */
#include "node.h"

#include <string.h>

enum { ROWS = 64, THIN = 1024, THICK = 16384 };

#pragma xmp nodes p[*]
#pragma xmp template t[ROWS]
#pragma xmp distribute t[block] onto p

static double thin[ROWS][THIN], thick[ROWS][THICK];
#pragma xmp align[i][*] with t[i] ::thin, thick
#pragma xmp shadow thin[1][0]
#pragma xmp shadow thick[1][0]

static struct bench_faces *thin_faces, *thick_faces;
static int is_thin;
static long seed; /* other data each time */

static double element(long row, long j) { return (double)(seed + 100 * row + j % 97); }

static void thin_series(long n)
{
  for (long i = 0; i < n; i++) {
#pragma xmp reflect(thin)
  }
}
static void thick_series(long n)
{
  for (long i = 0; i < n; i++) {
#pragma xmp reflect(thick)
  }
}
static void ours(long n)
{
  if (is_thin) thin_series(n);
  else thick_series(n);
}
static void by_hand(long n)
{
  struct bench_faces *const f = is_thin ? thin_faces : thick_faces;
  for (long i = 0; i < n; i++) bench_faces_exchange(f);
}

/* ---- data ---- */

static void fill(void)
{
  const struct bench_block mine = bench_block(ROWS, bench_node.me);
  for (long i = mine.first - (mine.first > 0); i <= mine.last + (mine.last < ROWS - 1); i++) {
    const int shadow = i < mine.first || i > mine.last;
    if (mine.last < mine.first) break;
    for (long j = 0; is_thin && j < THIN; j++) thin[i][j] = shadow ? -1 : element(i, j);
    for (long j = 0; !is_thin && j < THICK; j++) thick[i][j] = shadow ? -1 : element(i, j);
  }
}

static void open_faces(void)
{
  const struct bench_block mine = bench_block(ROWS, bench_node.me);
  const int signals = bench_is_mapped();
  if (thin_faces) return;
  thin_faces = bench_faces_open(&thin[mine.first][0], mine, ROWS, sizeof(double) * THIN, signals);
  thick_faces = bench_faces_open(&thick[mine.first][0], mine, ROWS, sizeof(double) * THICK, signals);
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  is_thin = !strcmp(point, "face_8K");
  open_faces();
  seed++;
  fill();
  return 0;
}

static int row_is_wrong(long i)
{
  int wrong = 0;
  for (long j = 0; is_thin && j < THIN; j++) wrong |= thin[i][j] != element(i, j);
  for (long j = 0; !is_thin && j < THICK; j++) wrong |= thick[i][j] != element(i, j);
  return wrong;
}

static const char *check(void)
{
  const struct bench_block mine = bench_block(ROWS, bench_node.me);
  int wrong = 0;
  for (long i = mine.first - (mine.first > 0); i <= mine.last + (mine.last < ROWS - 1); i++)
    wrong |= mine.first <= mine.last && row_is_wrong(i);
  return wrong ? "a row or a shadow is wrong" : NULL;
}

/* By other data, both ways. */
static const char *after(void)
{
  seed++;
  fill();
  bench_sync();
  by_hand(1);
  const char *const wrong = check();
  bench_sync();
  seed++;
  fill();
  ours(1);
  return wrong ? wrong : check();
}

static const struct bench_case cases[] = {
    {BENCH_CASE("xmp_reflect", prepare, check, ours), .flags = BENCH_ALL_NODES, .after = after,
        .raw_any = {by_hand}},
    {.test = NULL},
};

const struct bench_suite bench_suite_xmp_reflect = {.cases = cases};
