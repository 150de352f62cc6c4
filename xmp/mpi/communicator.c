/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/mpi/communicator.h"

#include <stdlib.h>

/* Has a rank for each node, its number. It carries no message of the program's: communicators are made on it.
 */
static MPI_Comm base = MPI_COMM_NULL;
/* Of MPI_COMM_SELF. MPI frees it before all else when it is finalised. */
static int at_finalize = MPI_KEYVAL_INVALID;

/* By hash, the newest first. Of all communicators, the oldest first. */
enum { BUCKETS = 64 };
static struct communicator {
  struct pst_xmp_set *set;
  MPI_Comm comm;
  struct communicator *next, *younger;
} * buckets[BUCKETS], *oldest, **youngest = &oldest;

void pst_xmp_mpi_must(const char *call, int rc)
{
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length;
  if (rc == MPI_SUCCESS) return;
  MPI_Error_string(rc, text, &length);
  pst_xmp_beside_fatal(call, "MPI says: %s", text);
}

/* ---- the nodes as processes of MPI ---- */

static void processes_compare(const char *call, MPI_Comm world)
{
  int size;
  pst_xmp_mpi_must(call, MPI_Comm_size(world, &size));
  if (size == xmp_all_num_nodes()) return;
  if (world != MPI_COMM_WORLD)
    pst_xmp_beside_fatal(call, "the communicator has %d process%s, and the job %d nodes", size,
        size == 1 ? "" : "es", xmp_all_num_nodes());
  pst_xmp_beside_fatal(call,
      "MPI has %d process%s here, and the job %d nodes; start the program with the launcher of this MPI "
      "(mpirun, "
      "mpiexec or srun), which starts both",
      size, size == 1 ? "" : "es", xmp_all_num_nodes());
}

/* Two processes that believe to be the same node show, as one of them gets another rank. */
static void ranks_compare(const char *call, MPI_Comm world, int in_order)
{
  int rank;
  pst_xmp_mpi_must(call, MPI_Comm_rank(base, &rank));
  if (rank != xmpc_all_node_num())
    pst_xmp_beside_fatal(
        call, "the processes of MPI are not those of the job; start the program with one launcher");
  pst_xmp_mpi_must(call, MPI_Comm_rank(world, &rank));
  if (in_order && rank != xmpc_all_node_num())
    pst_xmp_beside_fatal(call,
        "rank %d of the communicator is node %d: nodes are numbered host by host; let the launcher fill one "
        "host "
        "after the other, as mpirun --map-by slot does",
        rank, xmpc_all_node_num());
}

static int finalize_comes(MPI_Comm self, int key, void *value, void *extra)
{
  (void)self, (void)key, (void)value, (void)extra;
  pst_xmp_comms_close();
  return MPI_SUCCESS;
}

void pst_xmp_comms_open(const char *call, MPI_Comm world, int in_order)
{
  processes_compare(call, world);
  pst_xmp_mpi_must(call, MPI_Comm_split(world, 0, xmpc_all_node_num(), &base));
  pst_xmp_mpi_must(call, MPI_Comm_set_errhandler(base, MPI_ERRORS_RETURN));
  ranks_compare(call, world, in_order);
  pst_xmp_mpi_must(call, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalize_comes, &at_finalize, NULL));
  pst_xmp_mpi_must(call, MPI_Comm_set_attr(MPI_COMM_SELF, at_finalize, NULL));
}

int pst_xmp_comms_are_open(void) { return base != MPI_COMM_NULL; }

/* ---- communicators ---- */

static struct communicator **bucket_of(const struct pst_xmp_set *s)
{
  return &buckets[pst_xmp_beside_hash(s) % BUCKETS];
}

static struct communicator *communicator_find(const struct pst_xmp_set *s)
{
  struct communicator *c = *bucket_of(s);
  while (c && !pst_xmp_beside_equal(c->set, s)) c = c->next;
  return c;
}

static void *own_take(const char *call, size_t nbytes)
{
  void *p = malloc(nbytes);
  if (!p) pst_xmp_beside_fatal(call, "out of memory: %zu bytes are wanted", nbytes);
  return p;
}

static MPI_Group group_of(const char *call, const struct pst_xmp_set *s)
{
  MPI_Group all, group;
  const int size = pst_xmp_beside_size(s);
  int *ranks = own_take(call, (size_t)size * sizeof *ranks);
  for (int i = 0; i < size; i++) ranks[i] = pst_xmp_beside_node(s, i);
  pst_xmp_mpi_must(call, MPI_Comm_group(base, &all));
  pst_xmp_mpi_must(call, MPI_Group_incl(all, size, ranks, &group));
  pst_xmp_mpi_must(call, MPI_Group_free(&all));
  free(ranks);
  return group;
}

/* Errors of the program's own calls are for whom those of MPI_COMM_WORLD are. */
static void errors_inherit(const char *call, MPI_Comm comm)
{
  MPI_Errhandler handler;
  pst_xmp_mpi_must(call, MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler));
  pst_xmp_mpi_must(call, MPI_Comm_set_errhandler(comm, handler));
  if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN) MPI_Errhandler_free(&handler);
}

static MPI_Comm comm_create(const char *call, const struct pst_xmp_set *s)
{
  MPI_Group group = group_of(call, s);
  MPI_Comm comm;
  pst_xmp_mpi_must(call, MPI_Comm_create_group(base, group, 0, &comm));
  pst_xmp_mpi_must(call, MPI_Group_free(&group));
  errors_inherit(call, comm);
  return comm;
}

MPI_Comm *pst_xmp_comm_of(const char *call, const struct pst_xmp_set *s)
{
  struct communicator *c = communicator_find(s), **bucket = bucket_of(s);
  if (c) return &c->comm;
  c = own_take(call, sizeof *c);
  *c = (struct communicator){
      .set = pst_xmp_beside_copy(call, s), .comm = comm_create(call, s), .next = *bucket};
  *bucket = *youngest = c;
  youngest = &c->younger;
  return &c->comm;
}

/* To free one may need its other members, so all nodes do it in the order in which they were made: of two
 * communicators that two nodes share, both have made the same one first. */
void pst_xmp_comms_close(void)
{
  if (base == MPI_COMM_NULL) return;
  for (struct communicator *c = oldest, *younger; c; c = younger) {
    younger = c->younger;
    MPI_Comm_free(&c->comm);
    pst_xmp_beside_free(c->set);
    free(c);
  }
  for (int i = 0; i < BUCKETS; i++) buckets[i] = NULL;
  oldest = NULL;
  youngest = &oldest;
  MPI_Comm_free(&base);
  MPI_Comm_free_keyval(&at_finalize);
}
