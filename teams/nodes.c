/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on lists of nodes: a list is a team that nobody made. Its id is the list itself, and its calls
 * have no numbers, for they block and come in an order that agrees. The last few lists are kept for the next
 * call. The list of all nodes is kept always: it has a board, like a team that was made. */
#include "core/amcheck.h"
#include "core/job.h"
#include "teams/call.h"

enum { KEPT = 8, ID_BITS = 21 };
static struct list {
  gasnetx_nodes_t nodes;
  struct pst_team team;
} kept[KEPT], *last = &kept[0]; /* a list that is not used has a team of no members */
static unsigned oldest;         /* of those behind the first, which is the list of all nodes */

static int nodes_are_equal(const gasnetx_nodes_t *a, const gasnetx_nodes_t *b)
{
  return a->first == b->first && a->stride == b->stride && a->count == b->count;
}

static void nodes_check(const char *call, const gasnetx_nodes_t *n)
{
  if (n->count == 0) pst_fatal("%s: the list of nodes is empty", call);
  if (n->stride == 0 && n->count > 1) pst_fatal("%s: a list of %u nodes with stride 0", call, n->count);
  if ((uint64_t)n->first + (uint64_t)(n->count - 1) * n->stride >= pst_nodes)
    pst_fatal("%s: the list of %u nodes from %u, stride %u, goes past the job's last node, %u", call,
        n->count, n->first, n->stride, pst_nodes - 1);
  if (pst_nodes >> ID_BITS)
    pst_fatal("%s: lists serve jobs of fewer than %u nodes; make a team", call, 1u << ID_BITS);
}

static uint64_t nodes_id(const gasnetx_nodes_t *n)
{
  const uint64_t stride = n->count == 1 ? 1 : n->stride;
  return (uint64_t)n->first << 2 * ID_BITS | stride << ID_BITS | n->count;
}

struct pst_team pst_team_of_list(uint64_t id)
{
  const uint64_t mask = (UINT64_C(1) << ID_BITS) - 1;
  return (struct pst_team){.id = id,
      .first = (gasnet_node_t)(id >> 2 * ID_BITS),
      .stride = (int64_t)(id >> ID_BITS & mask),
      .size = (unsigned)(id & mask)};
}

static void list_fill(const char *call, struct list *l, const gasnetx_nodes_t *n)
{
  *l = (struct list){.team = {.id = nodes_id(n)}};
  pst_team_set_nodes(&l->team, n->first, n->count == 1 ? 1 : n->stride, n->count);
  pst_team_divide(call, &l->team);
  l->nodes = *n;
}

void pst_nodes_open(void)
{
  const gasnetx_nodes_t all = {.first = 0, .stride = 1, .count = pst_nodes};
  if (pst_nodes >> ID_BITS) return;
  list_fill("gasnet_attach", &kept[0], &all);
  kept[0].team.id = pst_id_all_list;
  pst_team_complete("gasnet_attach", &kept[0].team);
  pst_engine_add_team(&kept[0].team);
}

static void nodes_find(const char *call, const gasnetx_nodes_t *n)
{
  struct list *l;
  pst_amcheck_client(call);
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(call);
  for (l = kept; l < kept + KEPT; l++)
    if (l->nodes.count && nodes_are_equal(&l->nodes, n)) {
      last = l;
      return;
    }
  nodes_check(call, n);
  l = &kept[1 + oldest++ % (KEPT - 1)];
  pst_team_release(&l->team);
  list_fill(call, l, n);
  last = l;
}

static struct pst_call *nodes_call(
    const char *name, const gasnetx_nodes_t *n, unsigned kind, uint32_t detail, size_t length)
{
  if (__builtin_expect(!nodes_are_equal(&last->nodes, n) || !last->team.size, 0)) nodes_find(name, n);
  return pst_call_new(name, &last->team, kind, detail, length);
}

void gasnetx_team_barrier(const gasnetx_nodes_t *n)
{
  struct pst_call *c = nodes_call("gasnetx_team_barrier", n, GASNETX_BARRIER, 0, 0);
  pst_plan_barrier(c);
  pst_call_run(c);
}

void gasnetx_team_broadcast(
    const gasnetx_nodes_t *n, unsigned root_rank, void *dst, const void *src, size_t nbytes, int at_root)
{
  struct pst_call *c = nodes_call("gasnetx_team_broadcast", n, GASNETX_BROADCAST, root_rank, nbytes);
  if (root_rank >= c->team->size)
    pst_fatal(
        "gasnetx_team_broadcast: rank %u, the root, is not on a list of %u nodes", root_rank, c->team->size);
  pst_call_arguments(c, root_rank, c->team->me != root_rank || at_root ? dst : NULL, src, nbytes);
  pst_plan_broadcast(c);
  pst_call_run(c);
}

void gasnetx_team_collect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes)
{
  struct pst_call *c = nodes_call("gasnetx_team_collect", n, GASNETX_COLLECT, 0, 0);
  pst_call_arguments(c, 0, dst, src, nbytes);
  pst_plan_collect(c);
  pst_call_run(c);
}

void gasnetx_team_fcollect(const gasnetx_nodes_t *n, void *dst, const void *src, size_t nbytes)
{
  struct pst_call *c = nodes_call("gasnetx_team_fcollect", n, GASNETX_ALLGATHER, 0, nbytes);
  pst_call_arguments(c, 0, dst, src, nbytes);
  pst_plan_allgather(c);
  pst_call_run(c);
}

static void combine_plain(void *inout, const void *in, size_t count, void *context)
{
  (*(gasnetx_combine_fn *)context)(inout, in, count);
}

void gasnetx_team_reduce(const gasnetx_nodes_t *n, void *dst, const void *src, size_t count, size_t size,
    gasnetx_combine_fn combine)
{
  struct pst_call *c = nodes_call("gasnetx_team_reduce", n, GASNETX_ALLREDUCE, 0, count * size);
  pst_call_arguments(c, 0, dst, src, 0);
  c->of.count = size ? count : 0;
  c->reduction = (struct pst_reduction){.combine = combine_plain, .context = &combine, .size = size};
  pst_plan_allreduce(c);
  pst_call_run(c);
}

void gasnetx_team_allreduce(
    const gasnetx_nodes_t *n, void *dst, const void *src, size_t count, const gasnetx_reduction_t *reduction)
{
  struct pst_reduction r;
  const char *wrong = reduction ? pst_reduction_resolve(reduction, &r) : "there is no reduction";
  if (wrong) pst_fatal("gasnetx_team_allreduce: %s", wrong);
  struct pst_call *c = nodes_call("gasnetx_team_allreduce", n, GASNETX_ALLREDUCE, r.code, count * r.size);
  pst_call_arguments(c, 0, dst, src, 0);
  c->of.count = count;
  c->reduction = r;
  c->clients_code = reduction->combine != NULL;
  pst_plan_allreduce(c);
  pst_call_run(c);
}
