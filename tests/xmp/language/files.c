/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Arrays of the file that several sources share: the other is files_other.c. */
#include "files.h"

#include "check.h"

double shared[ROWS][4];
int images[2] : [*];
int rows_of_images[2][3]; /* a coarray, as the header says */
static int own[ROWS];
#pragma xmp align own[i] with t[i]

int main(void)
{
  const int me = xmpc_node_num();
  int i, j;
  other_fill(3);
#pragma xmp loop on t[i]
  for (i = 0; i < ROWS; i++)
    for (j = 0; j < 4; j++) CHECK_EQUAL(shared[i][j], 3 * (10 * i + j));
#pragma xmp loop on t[i]
  for (i = 0; i < ROWS; i++) own[i] = (int)shared[i][1], line_of_other[i] = i;
  CHECK_EQUAL(other_sum(), ROWS * (ROWS - 1) / 2);
  for (i = 3 * me; i < 3 * me + 3 && i < ROWS; i++) CHECK_EQUAL(own[i], 30 * i + 3);
  CHECK_EQUAL(other_own(), 11 * ROWS);
  other_put((me + 1) % 4);
  images[0] : [(me + 3) % 4] = me;
  rows_of_images[0][:] : [(me + 1) % 2][(me + 1) % 4 / 2] = 10 + me;
  xmp_sync_all(NULL);
  CHECK_EQUAL(images[0] + 10 * images[1], (me + 1) % 4 + 10 * ((me + 3) % 4));
  CHECK_EQUAL(rows_of_images[0][2] + rows_of_images[1][1], 10 + 20 + 2 * ((me + 3) % 4));
  return check_end();
}
