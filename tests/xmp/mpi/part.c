/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A part in XcalableMP of a program of MPI, main.c. */
#include <xmp.h>

#include "part.h"

#pragma xmp nodes p[*]
long box:[*];

long part_sum(int n)
{
#pragma xmp template t[n]
#pragma xmp distribute t[block] onto p
  long a[n], sum = 0;
#pragma xmp align a[i] with t[i]
#pragma xmp loop on t[i]
  for (int i = 0; i < n; i++) a[i] = i;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

long part_pass(long value)
{
  box:[(xmpc_this_image() + 1) % xmp_num_images()] = value;
  xmp_sync_all(NULL);
  return box;
}

int part_rank_of_half(void)
{
  int rank = -1;
#pragma xmp task on p[0:(xmp_num_nodes() + 1) / 2]
  MPI_Comm_rank(xmp_get_mpi_comm(), &rank);
  return rank;
}
