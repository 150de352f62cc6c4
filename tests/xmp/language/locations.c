/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* firstmax and its like, where several iterations have the extreme, and its location says not all of one; and
 * the construct, where several nodes have it. */
#include "check.h"

enum { N = 8, M = 6 };
#pragma xmp nodes p[2][2]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][cyclic] onto p

/* Of the nodes one has the extreme in all of its iterations, with one location, another one in some. */
static void last_ones(void)
{
  int i, j, most = 0, at = -1, least = 9, low = 9;
#pragma xmp loop(i, j) on t[i][j] reduction(lastmax : most / at /)
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++)
      if (j % 2 || j == 4) {
        most = 1;
        at = j % 2;
      }
  CHECK_EQUAL(most, 1);
  CHECK_EQUAL(at, 1);
#pragma xmp loop(i, j) on t[i][j] reduction(lastmin : least / low /)
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) {
      const int value = 4;
      int at = j; /* another variable */
      at = value + at;
      if (value <= least) {
        least = value;
        if (j == 2) low = 7;
        else low = at;
      }
    }
  CHECK_EQUAL(least, 4);
  CHECK_EQUAL(low, 4 + M - 1);
}

static void first_ones(void)
{
  int i, j, most = 0, row = -1;
#pragma xmp loop(i, j) on t[i][j] reduction(firstmax : most / row /)
  for (i = N - 1; i >= 0; i--)
    for (j = 0; j < M; j++)
      if (j % 5 > most) most = j % 5, row = i;
  CHECK_EQUAL(most, 4);
  CHECK_EQUAL(row, N - 1);
}

/* Both are assigned in one expression. */
static void both(void)
{
  int i, j, most = 0, row = -1;
#pragma xmp loop(i, j) on t[i][j] reduction(lastmax : most / row /)
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) most = j % 5 >= most ? (row = i, j % 5) : most;
  CHECK_EQUAL(most * 100 + row, 400 + N - 1);
}

static void constructs(int me)
{
  struct {
    long least;
  } h;
  double most = me % 2, value = 100 + me;
  int at = me, sum = 1;
  char letter = (char)('a' + me);
#pragma xmp reduction(max : most / at, letter /, value)
#pragma xmp reduction(+ : sum)
  CHECK_EQUAL(most, 1);
  CHECK_EQUAL(at, 1);
  CHECK_EQUAL(letter, 'b');
  CHECK_EQUAL(value, 103);
  CHECK_EQUAL(sum, 4);
  h.least = 10 - me;
  at = me;
#pragma xmp reduction(min : h.least / at /) on p[0][ : ]
  CHECK_EQUAL(h.least, me < 2 ? 9 : 10 - me);
  CHECK_EQUAL(at, me < 2 ? 1 : me);
}

int main(void)
{
  constructs(xmpc_node_num());
  last_ones();
  first_ones();
  both();
  return check_end();
}
