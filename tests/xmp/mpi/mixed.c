/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* XcalableMP and MPI by turns, on communicators of all nodes and of tasks: mixed WAY.
 *   library    xmp_init_mpi, xmp_finalize_mpi
 *   own        MPI_Init before xmp_init_mpi, xmp_finalize_mpi and MPI_Finalize behind
 *   own_first  the same, but MPI_Finalize comes first
 *   again      xmp_init_mpi twice, xmp_finalize_mpi, and both once more
 *   open       nobody finalises anything */
#include <xmp.h>

#include "check.h"

enum { N = 1000, LARGE = 100000 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
double large[LARGE]:[*];
long box:[*];
xmp_lock_t lock:[*];

/* Rank and size are those of the executing nodes, and ranks have the nodes' order. */
static MPI_Comm checked(void)
{
  MPI_Comm comm = xmp_get_mpi_comm();
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  is(rank, xmpc_node_num(), "rank");
  is(size, xmp_num_nodes(), "size");
  long *all = malloc((size_t)size * sizeof *all), mine = xmpc_all_node_num();
  MPI_Allgather(&mine, 1, MPI_LONG, all, 1, MPI_LONG, comm);
  is(all[rank], mine, "this node, of all");
  for (int i = 1; i < size; i++) is(all[i] > all[i - 1], 1, "nodes in their order");
  free(all);
  return comm;
}

/* A global array's parts are ordinary memory of MPI's, its shadow too. */
static void global_array(int turn)
{
  MPI_Comm comm = checked();
  const int me = xmpc_node_num(), nodes = xmp_num_nodes();
  double sum = 0, total;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) a[i] = i + turn;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) sum += a[i];
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, comm);
  is((long)total, N * (N - 1L) / 2 + (long)N * turn, "a sum by MPI");

  const int first = xmp_array_gcllbound(xmp_desc_of(a), 1), last = xmp_array_gclubound(xmp_desc_of(a), 1);
  double *own = (double *)a + 1; /* behind the shadow */
  MPI_Sendrecv(&own[last - first], 1, MPI_DOUBLE, me + 1 < nodes ? me + 1 : MPI_PROC_NULL, 5, &own[-1], 1,
      MPI_DOUBLE, me > 0 ? me - 1 : MPI_PROC_NULL, 5, comm, MPI_STATUS_IGNORE);
  if (me > 0) is(own[-1], first - 1 + turn, "a shadow by MPI");
  own[-1] = -1;
#pragma xmp reflect (a)
  if (me > 0) is(own[-1], first - 1 + turn, "a shadow by reflect");
}

/* What coarrays bring is there for MPI, and the other way round. */
static void coarrays(int turn)
{
  MPI_Comm comm = xmp_get_mpi_comm();
  const int me = xmpc_this_image(), images = xmp_num_images(), next = (me + 1) % images;
  long sum;
  box:[next] = 100L * turn + me;
  xmp_sync_all(NULL);
  MPI_Allreduce(&box, &sum, 1, MPI_LONG, MPI_SUM, comm);
  is(sum, images * (100L * turn) + images * (images - 1L) / 2, "a sum of coarrays");
  for (int i = 0; i < LARGE; i++) large[i] = me * 3 + i + turn;
  MPI_Bcast(large, LARGE, MPI_DOUBLE, images - 1, comm);
  xmp_sync_all(NULL);
  is((long)large[LARGE - 1] : [next], (images - 1) * 3L + LARGE - 1 + turn, "what MPI has brought");
}

/* A node that waits in MPI serves the others meanwhile. */
static void served(int turn)
{
  MPI_Comm comm = xmp_get_mpi_comm();
  const int me = xmpc_this_image(), last = xmp_num_images() - 1;
  int word = 0;
  box = 1000L * turn + me;
  xmp_sync_all(NULL);
  if (me == last && last > 0) {
    is(box:[0], 1000L * turn, "what a waiting node has");
#pragma xmp lock (lock:[0])
    box:[0] = 5;
    xmp_sync_memory(NULL);
#pragma xmp unlock (lock:[0])
    MPI_Send(&me, 1, MPI_INT, 0, 6, comm);
#pragma xmp post (p[0], 3)
  } else if (me == 0 && last > 0) {
    MPI_Recv(&word, 1, MPI_INT, last, 6, comm, MPI_STATUS_IGNORE);
    is(word, last, "who has sent");
    is(box, 5, "what has come meanwhile");
#pragma xmp wait (p[last], 3)
  }
  xmp_sync_all(NULL);
}

/* Each task has a communicator, and the same one again. */
static void tasks(void)
{
  static MPI_Comm known;
  static int is_known;
  const int nodes = xmp_num_nodes(), half = (nodes + 1) / 2;
  long one = 1, count;
#pragma xmp task on p[0 : half]
  {
    MPI_Comm comm = checked();
    MPI_Allreduce(&one, &count, 1, MPI_LONG, MPI_SUM, comm);
    is(count, half, "nodes of the first half");
    is(!is_known || known == comm, 1, "the same communicator");
    known = comm, is_known = 1;
#pragma xmp task on p[half - 1]
    is(checked() == comm, half == 1, "that of a task within is the same");
    is(xmp_get_mpi_comm() == comm, 1, "that of the outer task again");
  }
#pragma xmp task on p[0 : half : 2]
  checked();
#pragma xmp tasks
  {
#pragma xmp task on p[0 : 1]
    checked();
#pragma xmp task on p[nodes - 1 : 1]
    checked();
  }
}

/* A communicator has the members of the array, in its order. */
static void arrays(void)
{
  const int nodes = xmp_num_nodes();
  if (nodes % 2) return;
#pragma xmp nodes q[*][2]
#pragma xmp nodes r[*] = q[ : ][1]
  void *comm;
  int rank;
  is(xmp_nodes_comm(xmp_desc_of(q), &comm), XMP_SUCCESS, "the communicator of an array");
  MPI_Comm_rank(*(MPI_Comm *)comm, &rank);
  is(rank, xmpc_node_num(), "the rank in an array of all nodes");
  const int member = xmpc_node_num() % 2;
  is(xmp_nodes_comm(xmp_desc_of(r), &comm), member ? XMP_SUCCESS : XMP_FAILURE, "a column of nodes");
  if (member) {
    MPI_Comm_rank(*(MPI_Comm *)comm, &rank);
    is(rank, xmpc_node_num() / 2, "the rank in a column");
  }
  is(xmp_nodes_comm(xmp_desc_of(t), &comm), XMP_FAILURE, "the communicator of a template");
#pragma xmp task on q[ : ][1]
  checked();
}

/* More sets than a program has otherwise. */
static void many(void)
{
  const int nodes = xmp_num_nodes();
  for (int turn = 0; turn < 5; turn++)
    for (int low = 0; low < nodes; low++)
      for (int high = low; high < nodes; high++) {
#pragma xmp task on p[low : high - low + 1]
        checked();
      }
}

static void all(int turn)
{
  global_array(turn);
  coarrays(turn);
  served(turn);
  tasks();
  arrays();
}

int main(int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "library";
  const int own = strncmp(way, "own", 3) == 0, again = strcmp(way, "again") == 0;
  if (own) MPI_Init(&argc, &argv);
  for (int turn = 0; turn < (again ? 2 : 1); turn++) xmp_init_mpi(&argc, &argv);
  all(1);
  many();
  all(2);
  if (strcmp(way, "open") == 0) return result();
  if (strcmp(way, "own_first") == 0) MPI_Finalize();
  xmp_finalize_mpi();
  if (strcmp(way, "own") == 0) MPI_Finalize();
#pragma xmp barrier
  box:[(xmpc_this_image() + 1) % xmp_num_images()] = 7;
  xmp_sync_all(NULL);
  is(box, 7, "a coarray after the end of MPI");
  return result();
}
