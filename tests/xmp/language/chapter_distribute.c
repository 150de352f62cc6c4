/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's distributions of 22 elements over three nodes (2.3). */
#include "check.h"

#pragma xmp nodes p[3]
#pragma xmp template tb[22]
#pragma xmp distribute tb[block] onto p
#pragma xmp template tc[22]
#pragma xmp distribute tc[cyclic] onto p
#pragma xmp template tw[22]
#pragma xmp distribute tw[cyclic(3)] onto p
#pragma xmp template tg[22]
int W[3] = {6, 11, 5};
#pragma xmp distribute tg[gblock(W)] onto p

int main(void)
{
  const int me = xmpc_node_num();
  int i, ran[4][22] = {{0}}, count[4] = {0};
#pragma xmp loop on tb[i]
  for (i = 0; i < 22; i++) ran[0][i] = 1;
#pragma xmp loop on tc[i]
  for (i = 0; i < 22; i++) ran[1][i] = 1;
#pragma xmp loop on tw[i]
  for (i = 0; i < 22; i++) ran[2][i] = 1;
#pragma xmp loop on tg[i]
  for (i = 0; i < 22; i++) ran[3][i] = 1;
  for (i = 0; i < 22; i++) {
    CHECK_EQUAL(ran[0][i], me == i / 8);
    CHECK_EQUAL(ran[1][i], me == i % 3);
    CHECK_EQUAL(ran[2][i], me == i / 3 % 3);
    CHECK_EQUAL(ran[3][i], me == (i < 6 ? 0 : i < 17 ? 1 : 2));
    count[0] += ran[0][i];
    count[3] += ran[3][i];
  }
  CHECK_EQUAL(count[0], me == 2 ? 6 : 8);
  CHECK_EQUAL(count[3], W[me]);
  return check_end();
}
