/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Part of files.c. */
#include "files.h"

#include <xmp.h>

int line_of_other[ROWS];
static int own[ROWS];
#pragma xmp align own[i] with t[i]

void other_put(int to)
{
  images[1] : [to] = xmpc_node_num();
  rows_of_images[1] [0:2] : [to % 2][to / 2] = 20 + xmpc_node_num();
}

void other_fill(int scale)
{
  int i, j;
#pragma xmp loop on t[i]
  for (i = 0; i < ROWS; i++)
    for (j = 0; j < 4; j++) shared[i][j] = scale * (10 * i + j);
#pragma xmp loop on t[i]
  for (i = 0; i < ROWS; i++) own[i] = 11;
}

int other_sum(void)
{
  int i, sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < ROWS; i++) sum += line_of_other[i];
  return sum;
}

int other_own(void)
{
  extern int line_of_other[ROWS];
  int i, sum = 0;
  (void)line_of_other;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < ROWS; i++) sum += own[i];
  return sum;
}
