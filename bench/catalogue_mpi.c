/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives of all nodes that --raw compares with those of Open MPI, in the same processes. */
#include "catalogue.h"

#define TEST(test, text, mpi) \
  .raw = "Open MPI's " mpi, .raw_network = "Open MPI's " mpi, .flags = BENCH_MPI, \
  BENCH_TEST(test, "mpi", text, BENCH_US)

const struct bench_test bench_tests_mpi[] = {
    {TEST("mpi_barrier", "gasnet_barrier", "MPI_Barrier"), .points = BENCH_NODES},
    {TEST("mpi_team_barrier", "barrier on a list of all nodes", "MPI_Barrier"), .points = BENCH_NODES},
    {TEST("mpi_broadcast", "broadcast from node 0", "MPI_Bcast"), .points = BENCH_SIZES, .from = 8,
        .to = 2 << 20, .most = 1 << 30},
    {TEST("mpi_sum", "sums of longs of each node, at all", "MPI_Allreduce"), .points = BENCH_SIZES, .from = 8,
        .to = 2 << 20, .most = 1 << 30},
    {TEST("mpi_alltoall", "so much of each node to each", "MPI_Alltoall"), .points = BENCH_SIZES, .from = 8,
        .to = 128 << 10, .most = 1 << 20},
    {.name = NULL},
};

const struct bench_bound bench_bounds_mpi[] = {{.test = NULL}};
