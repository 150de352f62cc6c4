/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* firstmax and its like, where several iterations have the extreme, and its location says not all of one. */
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

int main(void)
{
  last_ones();
  first_ones();
  return check_end();
}
