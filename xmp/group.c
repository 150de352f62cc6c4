/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/group.h"

#include <stdlib.h>

#include "front/threads.h"

static const char call[] = "a team of nodes";

/* The groups whose teams are kept. They alone are found again, since what members have asked for before, and
 * whose team is not made yet or is not kept, differs among them. */
enum { BUCKETS = 256 };
static struct pst_xmp_group *buckets[BUCKETS];
static int kept_count;

static struct pst_xmp_group *free_groups;

struct pst_xmp_group *pst_xmp_group_all;

static struct pst_xmp_group **bucket_of(const struct pst_xmp_set *s)
{
  return &buckets[pst_xmp_set_hash(s) % BUCKETS];
}

static struct pst_xmp_group *kept_find(const struct pst_xmp_set *s)
{
  struct pst_xmp_group *g = *bucket_of(s);
  while (g && !pst_xmp_set_equal(&g->set, s)) g = g->next;
  return g;
}

static void group_keep(struct pst_xmp_group *g)
{
  struct pst_xmp_group **bucket = bucket_of(&g->set);
  g->kept = 1;
  g->refs++; /* for ever */
  g->next = *bucket;
  *bucket = g;
  kept_count++;
}

static struct pst_xmp_group *group_new(const struct pst_xmp_set *s)
{
  struct pst_xmp_group *g = free_groups;
  if (g) free_groups = g->next;
  else g = pst_xmp_own_take(call, sizeof *g);
  *g = (struct pst_xmp_group){.set = pst_xmp_set_copy(s),
      .size = s->size,
      .rank = pst_xmp_set_rank(s, pst_xmp_job.me),
      .team = GASNETX_NO_TEAM,
      .refs = 1};
  return g;
}

struct pst_xmp_group *pst_xmp_group_again(struct pst_xmp_group *g)
{
  pst_front_shared_enter();
  g->refs++;
  pst_front_shared_leave();
  return g;
}

struct pst_xmp_group *pst_xmp_group_open(const struct pst_xmp_set *s)
{
  pst_front_shared_enter();
  struct pst_xmp_group *g = kept_find(s);
  if (g) g->refs++;
  else g = group_new(s);
  pst_front_shared_leave();
  return g;
}

static void group_end(struct pst_xmp_group *g)
{
  if (g->team != GASNETX_NO_TEAM && !g->borrowed) gasnetx_team_destroy(g->team);
  pst_xmp_set_free(&g->set);
  g->next = free_groups;
  free_groups = g;
}

void pst_xmp_group_close(struct pst_xmp_group *g)
{
  pst_front_shared_enter();
  if (--g->refs == 0) group_end(g);
  pst_front_shared_leave();
}

/* ---- teams ---- */

static gasnetx_team_t team_of(const struct pst_xmp_set *s)
{
  gasnet_node_t *nodes = pst_xmp_own_take(call, (size_t)s->size * sizeof *nodes);
  gasnetx_team_t team;
  for (int rank = 0; rank < s->size; rank++) nodes[rank] = (gasnet_node_t)pst_xmp_set_node(s, rank);
  team = gasnetx_team_create(nodes, (size_t)s->size);
  free(nodes);
  return team;
}

/* The members agree whether the team is kept, since each of them finds it again or none does. */
gasnetx_team_t pst_xmp_group_make_team(struct pst_xmp_group *g)
{
  static const gasnetx_reduction_t all = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_MIN};
  const struct pst_xmp_group *kept;
  int32_t room = kept_count < PST_XMP_TEAMS; /* those that make teams do it one after the other */
  pst_front_shared_enter();
  kept = kept_find(&g->set);
  pst_front_shared_leave();
  if (kept) {
    g->borrowed = 1;
    return g->team = kept->team;
  }
  g->team = team_of(&g->set);
  gasnetx_coll_allreduce(g->team, &room, &room, 1, &all);
  if (!room) return g->team;
  pst_front_shared_enter();
  group_keep(g);
  pst_front_shared_leave();
  return g->team;
}

void pst_xmp_group_barrier(struct pst_xmp_group *g)
{
  if (g->size > 1) gasnetx_coll_barrier(pst_xmp_group_team(g));
}

void pst_xmp_groups_open(void)
{
  const struct pst_xmp_set all = pst_xmp_set_all();
  pst_xmp_group_all = group_new(&all);
  pst_xmp_group_all->team = GASNET_TEAM_ALL;
  group_keep(pst_xmp_group_all);
}
