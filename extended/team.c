/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists of nodes: who is on them, and who of those shares memory.
 *
 * What is found out about a list is kept for the next call on it, of the last few lists. */
#include "extended/team.h"

#include <stdlib.h>
#include <string.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"
#include "extended/team_messages.h"
#include "extended/team_slots.h"

enum { KEPT = 8 };
static struct pst_party kept[KEPT], *last = &kept[0];
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

static int same(const gasnetx_nodes_t *a, const gasnetx_nodes_t *b)
{
  return a->first == b->first && a->stride == b->stride && a->count == b->count;
}

static void check_list(const char *call, const gasnetx_nodes_t *n)
{
  if (n->count == 0) pst_fatal("%s: the list of nodes is empty", call);
  if (n->stride == 0 && n->count > 1) pst_fatal("%s: a list of %u nodes with stride 0", call, n->count);
  if ((uint64_t)n->first + (uint64_t)(n->count - 1) * n->stride >= pst_nodes)
    pst_fatal("%s: the list of %u nodes from %u, stride %u, goes past the job's last node, %u", call,
        n->count, n->first, n->stride, pst_nodes - 1);
}

static unsigned rank_of(const char *call, const gasnetx_nodes_t *n, gasnet_node_t node)
{
  const unsigned steps = node - n->first, stride = n->count == 1 ? 1 : n->stride;
  if (node < n->first || steps % stride != 0 || steps / stride >= n->count)
    pst_fatal("%s: node %u is not on the list of %u nodes from %u, stride %u, that it calls this with", call,
        node, n->count, n->first, n->stride);
  return steps / stride;
}

/* `heads` has room for as many as there are members. */
static void find_groups(struct pst_party *p, unsigned *heads)
{
  p->groups = 0;
  for (unsigned r = 0; r < p->nodes.count; r++) {
    const gasnet_node_t node = pst_party_node(p, r);
    if (r == 0 || pst_slots_block(node) != pst_slots_block(node - p->nodes.stride)) heads[p->groups++] = r;
    if (node != pst_mynode) continue;
    p->group = p->groups - 1;
    p->first = heads[p->group];
  }
  p->end = p->group + 1 < p->groups ? heads[p->group + 1] : p->nodes.count;
}

static void divide(struct pst_party *p)
{
  unsigned *heads, *shorter;
  p->first = p->group = 0;
  p->end = p->nodes.count;
  p->groups = 1;
  if (all_near) return;
  if (!(heads = malloc(p->nodes.count * sizeof *heads)))
    pst_fatal("out of memory for a list of %u nodes", p->nodes.count);
  find_groups(p, heads);
  p->heads = heads;
  if ((shorter = realloc(heads, p->groups * sizeof *heads)) != NULL) p->heads = shorter;
}

static uint32_t hash(const gasnetx_nodes_t *n)
{
  return n->first * 0x9E3779B1u ^ (n->stride * 0x85EBCA77u + n->count * 0xC2B2AE3Du);
}

static struct pst_party *find(const char *call, const gasnetx_nodes_t *n)
{
  struct pst_party *p;
  for (p = kept; p < kept + KEPT; p++)
    if (p->nodes.count && same(&p->nodes, n)) return p;
  check_list(call, n);
  p = &kept[oldest++ % KEPT];
  free(p->heads);
  *p = (struct pst_party){.nodes = *n, .me = rank_of(call, n, pst_mynode), .hash = hash(n)};
  divide(p);
  return p;
}

struct pst_party *pst_team_enter(enum pst_team_op op, const gasnetx_nodes_t *n, size_t length, unsigned root)
{
  struct pst_party *p = last;
  pst_amcheck_client(name[op]);
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(name[op]);
  if (__builtin_expect(!same(&p->nodes, n), 0)) last = p = find(name[op], n);
  if (root >= p->nodes.count)
    pst_fatal("%s: rank %u, the root, is not on a list of %u nodes", name[op], root, p->nodes.count);
  PST_TRACE('W', trace_name[op], (int)pst_party_node(p, root), length);
  p->op = op;
  p->tag = p->hash + (uint32_t)op * 0x27D4EB2Fu +
      ((uint32_t)length ^ (uint32_t)(length >> 32)) * 0x165667B1u + root * 0x9E3779B1u;
  return p;
}

/* Whoever waited has served messages. For those who never do, some calls suffice: a look costs as much as a
 * small call's own work, and more where it asks the network. */
void pst_team_leave(void)
{
  enum { EVERY = 4 };
  static unsigned calls;
  if (++calls % EVERY == 0) pst_poll();
}

void pst_team_mismatch(const struct pst_party *p, gasnet_node_t other)
{
  pst_fatal("%s on the list of %u nodes from %u, stride %u: node %u has called another collective, or the "
            "same one with another list, "
            "length or root",
      name[p->op], p->nodes.count, p->nodes.first, p->nodes.stride, other);
}
