/* nodes: 16 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's node arrays and parts of them (2.1). */
#include "check.h"

#pragma xmp nodes p[16]
#pragma xmp nodes q[8] = p[0 : 8]
#pragma xmp nodes r[4][2] = p[8 : 8]
#pragma xmp nodes all[*]
#pragma xmp nodes table[*][4]
#pragma xmp nodes row[4] = table[ : ][*]
#pragma xmp nodes col[4] = table[*][ : ]

static void parts(int me)
{
  int in_q = 0, in_r = 0, index[2] = {-1, -1};
#pragma xmp task on q
  in_q = 1 + xmpc_node_num();
#pragma xmp task on r[ : ][ : ]
  in_r = 1 + xmpc_node_num();
  CHECK_EQUAL(in_q, me < 8 ? me + 1 : 0);
  CHECK_EQUAL(in_r, me < 8 ? 0 : me - 7);
  if (me >= 8) {
    xmpc_nodes_index(xmp_desc_of(r), 2, &index[0]); /* the first bracket */
    xmpc_nodes_index(xmp_desc_of(r), 1, &index[1]);
    CHECK_EQUAL(index[0], (me - 8) / 2);
    CHECK_EQUAL(index[1], (me - 8) % 2);
  }
}

/* Each node's row and column: tasks on them run side by side. */
static void rows(int me)
{
  int sum = me, sum_of_column = me, size = 0;
#pragma xmp task on col
  {
#pragma xmp reduction(+ : sum)
    size = xmp_num_nodes();
  }
#pragma xmp task on row
  {
#pragma xmp reduction(+ : sum_of_column)
  } CHECK_EQUAL(size, 4);
  CHECK_EQUAL(sum, 4 * (me / 4 * 4) + 6);
  CHECK_EQUAL(sum_of_column, 4 * (me % 4) + 24);
}

int main(void)
{
  const int me = xmpc_node_num();
  int size;
  CHECK_EQUAL(xmp_num_nodes(), 16);
  xmp_nodes_size(xmp_desc_of(all), 1, &size);
  CHECK_EQUAL(size, 16);
  xmp_nodes_size(xmp_desc_of(table), 2, &size);
  CHECK_EQUAL(size, 4);
  parts(me);
  rows(me);
  return check_end();
}
