/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Both forms of brackets in one program, on the same objects. */
#include "check.h"

#pragma xmp nodes p(2, 2)
#pragma xmp nodes line(4)
#pragma xmp template t(0 : 5, 0 : 7)
#pragma xmp distribute t(block, cyclic) onto p
#pragma xmp template one(10)
#pragma xmp distribute one[block] onto line
#pragma xmp template part[3 : 9]
#pragma xmp distribute part(block) onto line
int a[8][6];
#pragma xmp align a[i][j] with t(j, i)
int b[8][6];
#pragma xmp align b[i][j] with t[i][j]
int c[10], d[10];
#pragma xmp align c[i] with one(i + 1)
#pragma xmp align d[i] with one[i + 1]
int e[9];
#pragma xmp align e[i] with part(i + 3)

int main(void)
{
  const int me = xmpc_node_num();
  int i, j, x, size;
#pragma xmp loop(i, j) on t(j, i)
  for (i = 0; i < 8; i++)
    for (j = 0; j < 6; j++) a[i][j] = 10 * i + j;
#pragma xmp loop on t[i][j]
  for (i = 0; i < 8; i++)
    for (j = 0; j < 6; j++) b[i][j] = a[i][j] + 100;
  /* Of p(2,2) the first index is that of t's first dimension, and the last one of p in C's order. */
  for (i = me / 2; i < 8; i += 2)
    for (j = me % 2 * 3; j < me % 2 * 3 + 3; j++) CHECK_EQUAL(b[i][j], 100 + 10 * i + j);
#pragma xmp loop on one(i)
  for (i = 1; i <= 10; i++) c[i - 1] = i;
#pragma xmp loop on one[i + 1]
  for (i = 0; i < 10; i++) d[i] = 10 * c[i];
  for (i = 3 * me; i < 3 * me + 3 && i < 10; i++) CHECK_EQUAL(d[i], 10 * (i + 1));
#pragma xmp loop on part[i + 3]
  for (i = 0; i < 9; i++) e[i] = i;
  xmp_array_lsize(xmp_desc_of(e), 1, &size);
  CHECK_EQUAL(size, me < 3 ? 3 : 0);
  x = me;
#pragma xmp bcast(x) from p(2, 1)
  CHECK_EQUAL(x, 1);
  x = me;
#pragma xmp bcast(x) from p[1][0]
  CHECK_EQUAL(x, 2);
  x = me;
#pragma xmp bcast(x) from line(4) on line[1 : 3]
  CHECK_EQUAL(x, me == 0 ? 0 : 3);
  x = 0;
#pragma xmp task on line(2 : 3)
  x = xmpc_node_num() + 1;
  CHECK_EQUAL(x, me == 1 || me == 2 ? me : 0);
  x = 0;
#pragma xmp task on t(4, 3)
  x = 1;
  CHECK_EQUAL(x, me == 3);
#pragma xmp task on t[3][4]
  x = 2;
  CHECK_EQUAL(x, me == 3 ? 2 : 0);
  return check_end();
}
