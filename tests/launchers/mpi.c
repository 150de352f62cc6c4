/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A program that initialises MPI and lets the library finalise it: mpi WAY SECONDS.
 *   exit     all call gasnet_exit(0)
 *   return   all return from main
 *   one      node 0 calls gasnet_exit(0), and the others poll
 * Nodes other than 0 do so SECONDS later. */
#include <mpi.h>
#include <time.h>

#include <gasnet.h>

static void sleep_for(double s)
{
  struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
  while (nanosleep(&t, &t) != 0) {}
}

int main(int argc, char **argv)
{
  int rank = -1;
  if (argc != 3 || MPI_Init(&argc, &argv) != MPI_SUCCESS) return 2;
  if (gasnet_init(&argc, &argv) != GASNET_OK || gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK)
    return 3;
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank != (int)gasnet_mynode()) gasnet_exit(4);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (gasnet_mynode() != 0) sleep_for(atof(argv[2]));
  if (strcmp(argv[1], "return") == 0) return 0;
  if (strcmp(argv[1], "one") == 0 && gasnet_mynode() != 0)
    for (;;) gasnet_AMPoll();
  gasnet_exit(0);
}
