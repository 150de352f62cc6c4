/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams: finds the ranks and groups of a list of nodes. The last few teams are kept for the next call. */
#include "extended/team.h"

#include <stdlib.h>
#include <string.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"
#include "extended/team_messages.h"
#include "extended/team_slots.h"

enum { KEPT = 8 };
static struct pst_team kept[KEPT], *last = &kept[0];
static unsigned oldest;
static int all_near; /* one block is the whole job */

static const char *const name[PST_TEAM_OPS] = {"gasnetx_team_barrier", "gasnetx_team_broadcast",
    "gasnetx_team_collect", "gasnetx_team_fcollect", "gasnetx_team_reduce", "gasnet_coll_broadcast"};
static const char *const trace_name[PST_TEAM_OPS] = {
    "TEAM_BARRIER", "TEAM_BROADCAST", "TEAM_COLLECT", "TEAM_FCOLLECT", "TEAM_REDUCE", "BROADCAST"};

const char *pst_team_name(enum pst_team_op op) { return name[op]; }

void pst_team_open(void)
{
  pst_slots_open();
  pst_messages_open();
  all_near = pst_team_in_block == pst_nodes;
}

static int nodes_equal(const gasnetx_nodes_t *a, const gasnetx_nodes_t *b)
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
}

static unsigned nodes_rank(const char *call, const gasnetx_nodes_t *n, gasnet_node_t node)
{
  const unsigned steps = node - n->first, stride = n->count == 1 ? 1 : n->stride;
  if (node < n->first || steps % stride != 0 || steps / stride >= n->count)
    pst_fatal("%s: node %u is not on the list of %u nodes from %u, stride %u, that it calls this with", call,
        node, n->count, n->first, n->stride);
  return steps / stride;
}

/* `heads` has room for all members. */
static void team_find_groups(struct pst_team *t, unsigned *heads)
{
  t->groups = 0;
  for (unsigned r = 0; r < t->nodes.count; r++) {
    const gasnet_node_t node = pst_team_node(t, r);
    if (r == 0 || pst_slots_block(node) != pst_slots_block(node - t->nodes.stride)) heads[t->groups++] = r;
    if (node != pst_mynode) continue;
    t->group = t->groups - 1;
    t->first = heads[t->group];
  }
  t->end = t->group + 1 < t->groups ? heads[t->group + 1] : t->nodes.count;
}

static void team_divide(struct pst_team *t)
{
  unsigned *heads, *shorter;
  t->first = t->group = 0;
  t->end = t->nodes.count;
  t->groups = 1;
  if (all_near) return;
  if (!(heads = malloc(t->nodes.count * sizeof *heads)))
    pst_fatal("out of memory for a list of %u nodes", t->nodes.count);
  team_find_groups(t, heads);
  t->heads = heads;
  if ((shorter = realloc(heads, t->groups * sizeof *heads)) != NULL) t->heads = shorter;
}

static uint32_t nodes_hash(const gasnetx_nodes_t *n)
{
  return n->first * 0x9E3779B1u ^ (n->stride * 0x85EBCA77u + n->count * 0xC2B2AE3Du);
}

static struct pst_team *team_find(const char *call, const gasnetx_nodes_t *n)
{
  struct pst_team *t;
  for (t = kept; t < kept + KEPT; t++)
    if (t->nodes.count && nodes_equal(&t->nodes, n)) return t;
  nodes_check(call, n);
  t = &kept[oldest++ % KEPT];
  free(t->heads);
  *t = (struct pst_team){.nodes = *n, .me = nodes_rank(call, n, pst_mynode), .hash = nodes_hash(n)};
  team_divide(t);
  return t;
}

struct pst_team *pst_team_enter(enum pst_team_op op, const gasnetx_nodes_t *n, size_t length, unsigned root)
{
  struct pst_team *t = last;
  pst_amcheck_client(name[op]);
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(name[op]);
  if (__builtin_expect(!nodes_equal(&t->nodes, n), 0)) last = t = team_find(name[op], n);
  if (root >= t->nodes.count)
    pst_fatal("%s: rank %u, the root, is not on a list of %u nodes", name[op], root, t->nodes.count);
  PST_TRACE('W', trace_name[op], (int)pst_team_node(t, root), length);
  t->op = op;
  t->tag = t->hash + (uint32_t)op * 0x27D4EB2Fu +
      ((uint32_t)length ^ (uint32_t)(length >> 32)) * 0x165667B1u + root * 0x9E3779B1u;
  return t;
}

/* A call that waited has served messages. Calls that never wait poll now and then only: a poll costs as much
 * as a small call's own work, and more where it asks the network. */
void pst_team_leave(void)
{
  enum { EVERY = 4 };
  static unsigned calls;
  if (++calls % EVERY == 0) pst_poll();
}

void pst_team_mismatch(const struct pst_team *t, gasnet_node_t other)
{
  pst_fatal("%s on the list of %u nodes from %u, stride %u: node %u has called another collective, or "
            "the same one with another list, length or root",
      name[t->op], t->nodes.count, t->nodes.first, t->nodes.stride, other);
}
