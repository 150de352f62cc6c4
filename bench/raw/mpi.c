/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives of Open MPI between the nodes of a job that its mpirun has started. Ranks are the nodes'
 * numbers: both come from the launcher. Each block of a source has its sender's number + 1 in all bytes, so
 * that each series can look whether the right data have arrived. */
#include "raw.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, nodes;
static char *source, *result; /* halves of this process's own memory */

/* Errors of MPI end the job: that is its default. */
static void raw_open(const char *btl, const struct raw_memory *m, struct raw_address *mine)
{
  (void)btl, (void)mine;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &nodes);
  source = m->local;
  result = m->local + m->size / 2;
  memset(source, me + 1, m->size / 2);
}

static void raw_close(void) { MPI_Finalize(); }

/* Called in a job of two processes: a launcher that is not Open MPI's starts two jobs of one. */
static int raw_offers(const char *btl)
{
  (void)btl;
  MPI_Init(NULL, NULL);
  MPI_Comm_size(MPI_COMM_WORLD, &nodes);
  MPI_Finalize();
  return nodes == 2;
}

static void need(int right, const char *what)
{
  if (right) return;
  fprintf(stderr, "gasnetbench: Open MPI: wrong data after %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- series ---- */

static void barrier(long n, const struct raw_shape *s)
{
  (void)s;
  for (long i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
}

/* Until all have the data: the root's time alone is that of its sends. */
static void broadcast(long n, const struct raw_shape *s)
{
  char *data = me == 0 ? source : result;
  for (long i = 0; i < n; i++) MPI_Bcast(data, (int)s->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  need(data[0] == 1 && data[s->bytes - 1] == 1, "MPI_Bcast");
}

/* The sum of all bytes' values, in each byte of a long, with what each carries into the next. */
static long sum_of_all(void)
{
  const unsigned long ones = ULONG_MAX / UCHAR_MAX;
  unsigned long sum = 0;
  for (int rank = 0; rank < nodes; rank++) sum += ones * (unsigned char)(rank + 1);
  return (long)sum;
}

static void sum(long n, const struct raw_shape *s)
{
  const size_t longs = s->bytes / sizeof(long);
  const long *sums = (const long *)result, right = sum_of_all();
  for (long i = 0; i < n; i++) MPI_Allreduce(source, result, (int)longs, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  need(sums[0] == right && sums[longs - 1] == right, "MPI_Allreduce");
}

static void all_to_all(long n, const struct raw_shape *s)
{
  const int bytes = (int)s->bytes;
  for (long i = 0; i < n; i++) MPI_Alltoall(source, bytes, MPI_BYTE, result, bytes, MPI_BYTE, MPI_COMM_WORLD);
  for (int rank = 0; rank < nodes; rank++) need(result[rank * s->bytes] == (char)(rank + 1), "MPI_Alltoall");
}

const struct raw_program raw_program = {.everybody = 1,
    .offers = raw_offers,
    .open = raw_open,
    .close = raw_close,
    .variable = "OMPI_MCA_btl",
    .series = {[RAW_BARRIER] = barrier,
        [RAW_BROADCAST] = broadcast,
        [RAW_SUM] = sum,
        [RAW_ALL_TO_ALL] = all_to_all}};
