/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/team.h"

#include <stdlib.h>
#include <string.h>

#include "core/job.h"
#include "teams/board.h"
#include "teams/head.h"
#include "teams/lane.h"
#include "teams/tables.h"

static struct pst_team all_nodes;
gasnet_team_handle_t pst_team_all = &all_nodes;

static void *team_alloc(const char *who, const struct pst_team *t, size_t n, size_t size)
{
  void *p = calloc(n ? n : 1, size);
  if (!p) pst_fatal("%s: out of memory for a team of %u nodes", who, t->size);
  return p;
}

/* ---- node -> rank ---- */

static uint32_t node_slot(const struct pst_team *t, gasnet_node_t node)
{
  return (uint32_t)(node * 0x9E3779B97F4A7C15u >> 32) & t->ranks_mask;
}

/* 0 where the node is there already. */
static int ranks_add(struct pst_team *t, unsigned rank)
{
  uint32_t at = node_slot(t, t->table[rank]);
  for (; t->ranks[at]; at = (at + 1) & t->ranks_mask)
    if (t->table[t->ranks[at] - 1] == t->table[rank]) return 0;
  t->ranks[at] = rank + 1;
  return 1;
}

static unsigned ranks_find(const struct pst_team *t, gasnet_node_t node)
{
  for (uint32_t at = node_slot(t, node); t->ranks[at]; at = (at + 1) & t->ranks_mask)
    if (t->table[t->ranks[at] - 1] == node) return t->ranks[at] - 1;
  return GASNETX_NO_RANK;
}

gasnet_node_t pst_team_rank_of(const struct pst_team *t, gasnet_node_t node)
{
  if (t->table) return ranks_find(t, node);
  const int64_t steps = (int64_t)node - t->first, stride = t->size == 1 ? 1 : t->stride;
  if (steps % stride != 0 || steps / stride < 0 || steps / stride >= t->size) return GASNETX_NO_RANK;
  return (gasnet_node_t)(steps / stride);
}

void pst_team_set_nodes(struct pst_team *t, gasnet_node_t first, int64_t stride, unsigned size)
{
  t->first = first;
  t->stride = stride;
  t->size = size;
}

/* 1 when the table is first, first + stride, ... */
static int table_is_arithmetic(const gasnet_node_t *table, unsigned size)
{
  const int64_t stride = size > 1 ? (int64_t)table[1] - table[0] : 1;
  for (unsigned r = 1; r < size; r++)
    if ((int64_t)table[r] - table[r - 1] != stride) return 0;
  return stride != 0;
}

static void ranks_fill(const char *who, struct pst_team *t)
{
  uint32_t entries = 4;
  while (entries < 2 * (uint64_t)t->size) entries *= 2;
  t->ranks = team_alloc(who, t, entries, sizeof *t->ranks);
  t->ranks_mask = entries - 1;
  for (unsigned r = 0; r < t->size; r++)
    if (!ranks_add(t, r)) pst_fatal("%s: node %u is on the list twice", who, t->table[r]);
}

void pst_team_set_table(const char *who, struct pst_team *t, gasnet_node_t *table, unsigned size)
{
  if (table_is_arithmetic(table, size)) {
    pst_team_set_nodes(t, table[0], size > 1 ? (int64_t)table[1] - table[0] : 1, size);
    free(table);
    return;
  }
  t->table = table;
  t->size = size;
  ranks_fill(who, t);
}

/* ---- groups ---- */

struct member {
  gasnet_node_t block;
  unsigned rank;
};

static int member_compare(const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  if (x->block != y->block) return x->block < y->block ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int unsigned_compare(const void *a, const void *b)
{
  const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

static unsigned heads_find(const struct pst_team *t, unsigned rank)
{
  unsigned low = 0, high = t->groups;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (t->heads[middle] <= rank) low = middle;
    else high = middle;
  }
  return low;
}

/* Members in the order of blocks: the heads, and whose group each is. */
static void groups_number(const char *who, struct pst_team *t, const struct member *m)
{
  unsigned head = 0;
  t->heads = team_alloc(who, t, t->size, sizeof *t->heads);
  t->group_of = team_alloc(who, t, t->size, sizeof *t->group_of);
  for (unsigned i = 0; i < t->size; i++)
    if (i == 0 || m[i].block != m[i - 1].block) t->heads[t->groups++] = m[i].rank;
  qsort(t->heads, t->groups, sizeof *t->heads, unsigned_compare);
  for (unsigned i = 0; i < t->size; i++) {
    if (i == 0 || m[i].block != m[i - 1].block) head = heads_find(t, m[i].rank);
    t->group_of[m[i].rank] = head;
  }
}

static int groups_are_ordered(const struct pst_team *t)
{
  for (unsigned r = 1; r < t->size; r++)
    if (t->group_of[r] < t->group_of[r - 1]) return 0;
  return 1;
}

static void groups_sort(const char *who, struct pst_team *t)
{
  struct member *m = team_alloc(who, t, t->size, sizeof *m);
  for (unsigned r = 0; r < t->size; r++) m[r] = (struct member){pst_lanes_block(pst_team_node(t, r)), r};
  qsort(m, t->size, sizeof *m, member_compare);
  groups_number(who, t, m);
  free(m);
}

/* Nodes that ascend have their groups one after the other. */
static void groups_scan(const char *who, struct pst_team *t)
{
  t->heads = team_alloc(who, t, t->size, sizeof *t->heads);
  for (unsigned r = 0; r < t->size; r++)
    if (r == 0 || pst_lanes_block(pst_team_node(t, r)) != pst_lanes_block(pst_team_node(t, r - 1)))
      t->heads[t->groups++] = r;
}

static void groups_find(const char *who, struct pst_team *t)
{
  unsigned *fewer;
  t->ordered = 1;
  if (pst_lanes.in_block == pst_nodes || t->size == 1) {
    t->heads = team_alloc(who, t, 1, sizeof *t->heads);
    t->groups = 1;
    return;
  }
  if (!t->table && t->stride > 0) groups_scan(who, t);
  else groups_sort(who, t);
  if (t->group_of && groups_are_ordered(t)) {
    free(t->group_of);
    t->group_of = NULL;
  }
  t->ordered = !t->group_of;
  if ((fewer = realloc(t->heads, t->groups * sizeof *t->heads)) != NULL) t->heads = fewer;
}

unsigned pst_team_group_of(const struct pst_team *t, unsigned rank)
{
  return t->group_of ? t->group_of[rank] : heads_find(t, rank);
}

unsigned pst_team_group_end(const struct pst_team *t, unsigned group)
{
  return group + 1 < t->groups ? t->heads[group + 1] : t->size;
}

static void near_find(const char *who, struct pst_team *t)
{
  const unsigned last = t->ordered ? pst_team_group_end(t, t->group) : t->size;
  t->near_rank = team_alloc(who, t, PST_BLOCK_MOST, sizeof *t->near_rank);
  for (unsigned r = t->heads[t->group]; r < last; r++) {
    if (!t->ordered && t->group_of[r] != t->group) continue;
    if (r == t->me) t->here = t->near;
    t->near_rank[t->near++] = r;
  }
}

static unsigned largest_group(const struct pst_team *t)
{
  unsigned most = 0;
  for (unsigned g = 0; t->ordered && g < t->groups; g++) {
    const unsigned n = pst_team_group_end(t, g) - t->heads[g];
    if (n > most) most = n;
  }
  return most;
}

void pst_team_divide(const char *who, struct pst_team *t)
{
  t->me = pst_team_rank_of(t, pst_mynode);
  if (t->me == GASNETX_NO_RANK)
    pst_fatal("%s: node %u, which calls this, is not on the list of %u nodes", who, pst_mynode, t->size);
  groups_find(who, t);
  t->group = pst_team_group_of(t, t->me);
  near_find(who, t);
  t->most = largest_group(t);
}

void pst_team_release(struct pst_team *t)
{
  pst_board_close(t);
  pst_team_free_tables(t);
  free(t->near_rank);
}

/* ---- ids ---- */

uint64_t pst_team_made_id(gasnet_node_t leader, uint64_t made)
{
  enum { COUNT_BITS = 40 };
  return (uint64_t)PST_ID_MADE << 62 | (uint64_t)leader << COUNT_BITS |
      (made & ((UINT64_C(1) << COUNT_BITS) - 1));
}

void pst_team_open(void)
{
  all_nodes.id = pst_team_made_id(0, 0);
  pst_team_set_nodes(&all_nodes, 0, 1, pst_nodes);
  pst_team_divide("gasnet_attach", &all_nodes);
}

/* ---- what clients ask ---- */

struct pst_team *pst_team_check(const char *who, gasnet_team_handle_t team)
{
  if (__builtin_expect(!team, 0)) pst_fatal("%s: there is no team", who);
  if (__builtin_expect(!team->size, 0))
    pst_fatal(
        team == pst_team_all ? "%s was called before gasnet_attach" : "%s: the team was destroyed", who);
  return team;
}

gasnet_node_t gasnetx_team_size(gasnetx_team_t team)
{
  return pst_team_check("gasnetx_team_size", team)->size;
}
gasnet_node_t gasnetx_team_rank(gasnetx_team_t team) { return pst_team_check("gasnetx_team_rank", team)->me; }

gasnet_node_t gasnetx_team_node(gasnetx_team_t team, gasnet_node_t rank)
{
  if (rank >= pst_team_check("gasnetx_team_node", team)->size)
    pst_fatal("gasnetx_team_node: rank %u does not exist; the team has %u members", rank, team->size);
  return pst_team_node(team, rank);
}

gasnet_node_t gasnetx_team_rank_of(gasnetx_team_t team, gasnet_node_t node)
{
  return pst_team_rank_of(pst_team_check("gasnetx_team_rank_of", team), node);
}
