/* nodes: 9 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's shadows of two dimensions (4.1.2) on nine nodes. */
#include "check.h"

#pragma xmp nodes p[3][3]
#pragma xmp template t[9][9]
#pragma xmp distribute t[block][block] onto p
#pragma xmp nodes line[3] = p[0][ : ]
#pragma xmp template t1[9]
#pragma xmp distribute t1[block] onto line
double a[9][9];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp shadow a[1][1]
double b[9][9];
#pragma xmp align b[i][*] with t1[i]
#pragma xmp shadow b[1][0]

static int outside(int i, int j) { return i < 0 || i > 8 || j < 0 || j > 8; }

/* kind 0: all of the shadow; 1: without corners. */
static void around(int me, int corners, double corner)
{
  const int first = me / 3 * 3, second = me % 3 * 3;
  int i, j;
  for (i = first - 1; i <= first + 3; i++)
    for (j = second - 1; j <= second + 3; j++) {
      const int out = (i < first || i > first + 2) + (j < second || j > second + 2);
      if (outside(i, j)) continue;
      CHECK_EQUAL(a[i][j], out < 2 || corners ? 10 * i + j : corner);
    }
}

int main(void)
{
  const int me = xmpc_node_num(), first = me / 3 * 3, second = me % 3 * 3;
  int i, j;
  for (i = first - 1; i <= first + 3; i++)
    for (j = second - 1; j <= second + 3; j++) a[i][j] = -1;
#pragma xmp loop(i, j) on t[i][j]
  for (i = 0; i < 9; i++)
    for (j = 0; j < 9; j++) a[i][j] = 10 * i + j;
#pragma xmp reflect(a) orthogonal
  around(me, 0, -1);
#pragma xmp reflect(a)
  around(me, 1, 0);
#pragma xmp loop on t1[i]
  for (i = 0; i < 9; i++)
    for (j = 0; j < 9; j++) b[i][j] = 10 * i + j;
#pragma xmp reflect(b)
  if (me < 3)
    for (i = 3 * me - 1; i <= 3 * me + 3; i++)
      for (j = 0; i >= 0 && i < 9 && j < 9; j++) CHECK_EQUAL(b[i][j], 10 * i + j);
  return check_end();
}
