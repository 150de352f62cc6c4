/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A program of MPI that the C compiler compiles, with a part in XcalableMP: main WAY [LIBRARY].
 *   inner      xmp_finalize before MPI_Finalize
 *   outer      behind it
 *   open       neither
 *   failure    the same, with the code 3
 * The part is linked, or in a library that is loaded after MPI_Init; without either only xmp.h is called. */
#include <dlfcn.h>
#include <mpi.h>
#include <xmp.h>

#include "check.h"
#include "part.h"

static long (*sum)(int);
static long (*pass)(long);
static int (*rank_of_half)(void);

#if defined(LINKED)
static void part_find(const char *library)
{
  (void)library;
  sum = part_sum, pass = part_pass, rank_of_half = part_rank_of_half;
}
#else
static void part_find(const char *library)
{
  void *handle = library ? dlopen(library, RTLD_NOW) : NULL;
  if (library && !handle) fprintf(stderr, "%s\n", dlerror()), exit(2);
  if (!handle) return;
  *(void **)&sum = dlsym(handle, "part_sum");
  *(void **)&pass = dlsym(handle, "part_pass");
  *(void **)&rank_of_half = dlsym(handle, "part_rank_of_half");
}
#endif

static void part_call(int rank, int size)
{
  const int half = (size + 1) / 2;
  long all, value = 100 + rank;
  is(sum(1000), 499500, "a sum by a loop");
  MPI_Allreduce(&value, &all, 1, MPI_LONG, MPI_SUM, xmp_get_mpi_comm());
  is(all, 100L * size + size * (size - 1L) / 2, "a sum by MPI");
  is(pass(value), 100 + (rank + size - 1) % size, "what the node before has passed");
  is(rank_of_half(), rank < half ? rank : -1, "the rank in a task");
}

int main(int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "inner";
  int rank, size;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  part_find(argc > 2 ? argv[2] : NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  xmp_init(comm);
  is(xmpc_all_node_num(), rank, "this node");
  is(xmp_all_num_nodes(), size, "the number of nodes");
  if (sum) part_call(rank, size);
  MPI_Comm_free(&comm);
  const int wrong = result();
  if (strcmp(way, "inner") == 0) xmp_finalize();
  if (strcmp(way, "inner") == 0 || strcmp(way, "outer") == 0) MPI_Finalize();
  if (strcmp(way, "outer") == 0) xmp_finalize();
  return wrong ? 1 : strcmp(way, "failure") == 0 ? 3 : 0;
}
