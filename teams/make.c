/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Making teams. Every member of a team has to know its id, which is made of the node of rank 0 and a number
 * that this node has not used before. Where all members of another team make teams together, an all-gather
 * of what each wants tells that number, too. Where the members are alone, rank 0 broadcasts it on a team
 * whose id is a hash of the list; such broadcasts on equal lists come in the same order at all members. */
#include <stdatomic.h>
#include <stdlib.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "core/loss.h"
#include "teams/board.h"
#include "teams/call.h"
#include "teams/tables.h"

static _Atomic uint64_t made; /* ids with this node as rank 0, or to spare */

static void *team_memory(const char *who, size_t n, size_t size)
{
  void *p = calloc(n ? n : 1, size);
  if (!p) pst_fatal("%s: out of memory for %zu nodes", who, n);
  return p;
}

/* ---- split ---- */

/* What a member of the parent tells the others. */
struct wish {
  uint32_t colour, key;
  uint64_t made;
};

struct member {
  uint32_t key, rank;
};

static int member_compare(const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* NULL where a member is lost. */
static struct wish *wishes_gather(const char *who, struct pst_team *parent, struct wish mine)
{
  struct wish *all = team_memory(who, parent->size, sizeof *all);
  struct pst_call *c = pst_call_new(who, parent, PST_KIND_SPLIT, 0, sizeof mine);
  pst_call_arguments(c, 0, all, &mine, sizeof mine);
  pst_plan_allgather(c);
  if (!pst_call_run(c)) return all;
  free(all);
  return NULL;
}

/* The nodes of one colour in their order; *size is how many. */
static gasnet_node_t *members_choose(const char *who, const struct pst_team *parent, const struct wish *all,
    uint32_t colour, unsigned *size, unsigned *leader)
{
  struct member *m = team_memory(who, parent->size, sizeof *m);
  gasnet_node_t *table;
  unsigned n = 0;
  for (unsigned r = 0; r < parent->size; r++)
    if (all[r].colour == colour) m[n++] = (struct member){all[r].key, r};
  qsort(m, n, sizeof *m, member_compare);
  table = team_memory(who, n, sizeof *table);
  for (unsigned i = 0; i < n; i++) table[i] = pst_team_node(parent, m[i].rank);
  *leader = m[0].rank;
  *size = n;
  free(m);
  return table;
}

/* A client counts its own calls, so the calls of this have another id. Where losses are reported nothing is
 * shared: members of a split that have seen a loss make no team, and the others would wait for them here. */
void pst_team_complete(const char *who, struct pst_team *t)
{
  const uint64_t id = t->id;
  if (pst_loss.on) return;
  t->id = id | (uint64_t)PST_ID_PASSING << 62;
  t->calls = t->history = 0;
  pst_team_share_tables(who, t);
  pst_board_open(who, t);
  t->id = id;
  t->calls = t->history = 0;
}

static struct pst_team *team_of_colour(
    const char *who, const struct pst_team *parent, const struct wish *all, uint32_t colour)
{
  struct pst_team *t = team_memory(who, 1, sizeof *t);
  unsigned size, leader;
  gasnet_node_t *table = members_choose(who, parent, all, colour, &size, &leader);
  t->id = pst_team_made_id(table[0], all[leader].made);
  pst_team_set_table(who, t, table, size);
  pst_team_divide(who, t);
  pst_team_complete(who, t);
  pst_engine_add_team(t);
  return t;
}

static gasnetx_team_t team_split(const char *who, struct pst_team *parent, uint32_t colour, uint32_t key)
{
  const struct wish mine = {colour, key, atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1};
  struct wish *all = wishes_gather(who, parent, mine);
  struct pst_team *t = !all || colour == GASNETX_NO_COLOUR ? NULL : team_of_colour(who, parent, all, colour);
  free(all);
  return t;
}

gasnetx_team_t gasnetx_team_split(gasnetx_team_t parent, uint32_t colour, uint32_t key)
{
  return team_split("gasnetx_team_split", pst_team_check("gasnetx_team_split", parent), colour, key);
}

gasnetx_team_t gasnetx_team_duplicate(gasnetx_team_t parent)
{
  return team_split("gasnetx_team_duplicate", pst_team_check("gasnetx_team_duplicate", parent), 0, 0);
}

/* ---- arithmetic ---- */

gasnetx_team_t gasnetx_team_stride(
    gasnetx_team_t parent, gasnet_node_t first, ptrdiff_t stride, gasnet_node_t count)
{
  static const char who[] = "gasnetx_team_stride";
  const struct pst_team *p = pst_team_check(who, parent);
  const int64_t last = (int64_t)((__int128)first + (__int128)stride * ((int64_t)count - 1));
  if (count == 0) pst_fatal("%s: the team would be empty", who);
  if (stride == 0 && count > 1) pst_fatal("%s: %u ranks with stride 0", who, count);
  if (count > p->size || first >= p->size || last < 0 || last >= p->size)
    pst_fatal(
        "%s: %u ranks from %u, stride %td, are not all in a team of %u", who, count, first, stride, p->size);
  const int64_t steps = (int64_t)p->me - first, by = count == 1 ? 1 : stride;
  const int is_member = steps % by == 0 && steps / by >= 0 && steps / by < count;
  return team_split(who, parent, is_member ? 0 : GASNETX_NO_COLOUR, is_member ? (uint32_t)(steps / by) : 0);
}

/* The extents, the last one found where it is 0. They multiply to the size, but for an incomplete last layer.
 */
static void extents_find(
    const char *who, const struct pst_team *p, const size_t extent[], size_t dims, size_t found[])
{
  size_t layer = 1;
  if (dims == 0 || dims > 32) pst_fatal("%s: %zu dimensions; 1 to 32 are served", who, dims);
  for (size_t d = 0; d < dims; d++) {
    found[d] = extent[d] || d + 1 < dims ? extent[d] : (p->size + layer - 1) / layer;
    if (found[d] == 0 || found[d] > p->size || layer * found[d] >= (size_t)2 * p->size + layer)
      pst_fatal("%s: the extents do not give an arrangement of %u members", who, p->size);
    layer *= found[d];
  }
  if (extent[dims - 1] && layer != p->size)
    pst_fatal("%s: the extents have %zu places, but the team has %u members", who, layer, p->size);
}

gasnetx_team_t gasnetx_team_axis(gasnetx_team_t parent, const size_t extent[], size_t dims, size_t axis)
{
  static const char who[] = "gasnetx_team_axis";
  const struct pst_team *p = pst_team_check(who, parent);
  size_t found[32], below = 1;
  extents_find(who, p, extent, dims, found);
  if (axis >= dims) pst_fatal("%s: there is no dimension %zu of %zu", who, axis, dims);
  for (size_t d = 0; d < axis; d++) below *= found[d];
  const size_t index = p->me / below % found[axis];
  return team_split(who, parent, (uint32_t)(p->me - index * below), (uint32_t)index);
}

gasnetx_team_t gasnetx_team_box(
    gasnetx_team_t parent, const size_t extent[], size_t dims, const size_t low[], const size_t count[])
{
  static const char who[] = "gasnetx_team_box";
  const struct pst_team *p = pst_team_check(who, parent);
  size_t found[32], rest = p->me;
  int inside = 1;
  extents_find(who, p, extent, dims, found);
  for (size_t d = 0; d < dims; d++, rest /= found[d - 1]) {
    const size_t index = rest % found[d];
    if (count[d] == 0 || low[d] >= found[d] || count[d] > found[d] - low[d])
      pst_fatal("%s: dimension %zu has no %zu indices from %zu", who, d, count[d], low[d]);
    inside = inside && index >= low[d] && index - low[d] < count[d];
  }
  return team_split(who, parent, inside ? 0 : GASNETX_NO_COLOUR, 0);
}

/* ---- from a list ---- */

static uint64_t list_id(const gasnet_node_t nodes[], size_t count)
{
  uint64_t h = count;
  for (size_t i = 0; i < count; i++) {
    h = (h ^ nodes[i]) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  return (uint64_t)PST_ID_PASSING << 62 | h >> 2;
}

static void list_check(const char *who, const gasnet_node_t nodes[], size_t count)
{
  if (count == 0 || count > pst_nodes)
    pst_fatal("%s: a list of %zu nodes in a job of %u", who, count, pst_nodes);
  for (size_t i = 0; i < count; i++)
    if (nodes[i] >= pst_nodes)
      pst_fatal("%s: node %u does not exist; the job has %u nodes", who, nodes[i], pst_nodes);
}

gasnetx_team_t gasnetx_team_create(const gasnet_node_t nodes[], size_t count)
{
  static const char who[] = "gasnetx_team_create";
  pst_amcheck_client(who);
  if (pst_job.phase != PST_PHASE_ATTACHED) pst_job_not_attached(who);
  list_check(who, nodes, count);
  struct pst_team *t = team_memory(who, 1, sizeof *t);
  gasnet_node_t *table = team_memory(who, count, sizeof *table);
  uint64_t number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1;
  for (size_t i = 0; i < count; i++) table[i] = nodes[i];
  t->id = list_id(nodes, count);
  pst_team_set_table(who, t, table, (unsigned)count);
  pst_team_divide(who, t);
  struct pst_call *c = pst_call_new(who, t, PST_KIND_CREATE, 0, count);
  pst_call_arguments(c, 0, &number, &number, sizeof number);
  pst_plan_broadcast(c);
  if (pst_call_run(c)) {
    pst_team_release(t);
    free(t);
    return NULL;
  }
  t->id = pst_team_made_id(nodes[0], number);
  pst_team_complete(who, t);
  pst_engine_add_team(t);
  return t;
}

/* ---- */

void gasnetx_team_destroy(gasnetx_team_t team)
{
  static const char who[] = "gasnetx_team_destroy";
  struct pst_team *t = pst_team_check(who, team);
  if (t == pst_team_all) pst_fatal("%s: GASNET_TEAM_ALL cannot be destroyed", who);
  if (t->in_flight) pst_fatal("%s: %u collectives on the team are not complete", who, t->in_flight);
  pst_engine_drop_team(t);
  pst_team_release(t);
  t->size = 0; /* a later use may still be noticed */
  free(t);
}
