/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The gmove construct: schedules that are kept with an array, and their runs.
 *
 * A run begins with a barrier of the executing nodes, since others may still compute what this node gets, and
 * ends with one, since others may still get what this node computes next. Of an operation with an id both are
 * collectives of a team that only such operations use, one after the other, so that all nodes make them in
 * the same order whatever else they do meanwhile. */
#include <stdlib.h>
#include <string.h>

#include "front/wait.h"
#include "xmp/async.h"
#include "xmp/context.h"
#include "xmp/gmove_run.h"
#include "xmp/tool.h"

/* ---- what an array keeps ---- */

enum { SCHEDULES = 32 }; /* of an array: subscripts may be others in each call */
struct cache {
  struct pst_xmp_plan head;
  uint64_t id; /* of the array */
  int n;
  struct pst_xmp_schedule *first; /* the last one used */
};

static void schedule_settle(struct pst_xmp_schedule *s)
{
  PST_FRONT_UNTIL((pst_xmp_async_advance(), !s->busy));
}

static void cache_free(struct pst_xmp_plan *head)
{
  struct cache *c = (struct cache *)head;
  while (c->first) {
    struct pst_xmp_schedule *const s = c->first;
    schedule_settle(s);
    c->first = s->next;
    pst_xmp_schedule_free(s);
  }
  free(c);
}

static struct cache *cache_of(const char *where, struct pst_xmp_array_full *a)
{
  static uint64_t ids;
  struct cache *c;
  for (struct pst_xmp_plan *p = a->plans; p; p = p->next)
    if (p->free == cache_free) return (struct cache *)p;
  c = pst_xmp_own_take_clear(where, 1, sizeof *c);
  c->head.free = cache_free;
  c->id = ++ids;
  pst_xmp_array_keep(a, &c->head);
  return c;
}

static struct pst_xmp_schedule *cache_find(struct cache *c, const struct pst_xmp_gmove_key *k)
{
  for (struct pst_xmp_schedule **at = &c->first; *at; at = &(*at)->next) {
    struct pst_xmp_schedule *const s = *at;
    if (!pst_xmp_gmove_keys_equal(&s->key, k)) continue;
    *at = s->next;
    s->next = c->first;
    return c->first = s;
  }
  return NULL;
}

/* The one that was used longest ago makes room, unless it is in use. */
static void cache_add(struct cache *c, struct pst_xmp_schedule *s)
{
  struct pst_xmp_schedule **last = &c->first;
  if (c->n >= SCHEDULES) {
    while ((*last)->next) last = &(*last)->next;
    if (!(*last)->busy) {
      pst_xmp_schedule_free(*last);
      *last = NULL;
      c->n--;
    }
  }
  s->next = c->first;
  c->first = s;
  c->n++;
}

/* ---- a call ---- */

struct call {
  const char *where;
  struct pst_xmp_gmove_key key;
  struct cache *cache; /* NULL: both sides are local */
  void *left, *right;  /* addresses of local sides */
};

static void call_open(struct call *c, const char *where, const struct pst_xmp_side *left,
    const struct pst_xmp_side *right, enum pst_xmp_gmove_mode mode)
{
  struct cache *right_cache;
  c->where = where;
  c->left = left->address;
  c->right = right->address;
  c->key.group = pst_xmp_executing();
  pst_xmp_gmove_key(where, &c->key, left, right, mode);
  right_cache = c->key.right.array ? cache_of(where, c->key.right.array) : NULL;
  c->cache = c->key.left.array ? cache_of(where, c->key.left.array) : right_cache;
  if (c->key.left.array) c->key.left.id = c->cache->id;
  if (right_cache) c->key.right.id = right_cache->id;
}

static struct pst_xmp_schedule *call_schedule(const struct call *c)
{
  struct pst_xmp_schedule *s = cache_find(c->cache, &c->key);
  if (s) {
    if (s->busy) schedule_settle(s);
    pst_xmp_schedule_place(s, c->left, c->right);
    return s;
  }
  s = pst_xmp_schedule_make(c->where, &c->key, c->left, c->right);
  cache_add(c->cache, s);
  return s;
}

/* ---- at once ---- */

static void schedule_run(struct pst_xmp_schedule *s)
{
  pst_xmp_schedule_before(s);
  if (pst_xmp_schedule_meets_first(s)) pst_xmp_group_barrier(s->key.group);
  pst_xmp_schedule_transfer(s);
  if (!pst_xmp_schedule_reads_first(s)) pst_xmp_schedule_after(s);
  if (pst_xmp_schedule_meets_last(s)) pst_xmp_group_barrier(s->key.group);
  if (pst_xmp_schedule_reads_first(s)) pst_xmp_schedule_after(s);
}

/* ---- local memory alone ---- */

static size_t side_bytes(const struct pst_xmp_gmove_side *s)
{
  size_t bytes = s->size;
  for (int k = 0; k < s->dims; k++) bytes *= (size_t)s->extent[k];
  return bytes;
}

/* Where the two may have common elements the right side is copied as a whole. */
static void local_run(struct call *c)
{
  const size_t left_bytes = side_bytes(&c->key.left), right_bytes = side_bytes(&c->key.right);
  const uintptr_t left = (uintptr_t)c->left, right = (uintptr_t)c->right;
  void *copy = NULL;
  struct pst_xmp_schedule *s;
  if (left < right + right_bytes && right < left + left_bytes)
    c->right = copy = memcpy(pst_xmp_own_take(c->where, right_bytes), c->right, right_bytes);
  s = pst_xmp_schedule_make(c->where, &c->key, c->left, c->right);
  pst_xmp_schedule_after(s);
  pst_xmp_schedule_free(s);
  free(copy);
}

/* ---- with an id ---- */

/* The team of a set's operations with ids: made by all its members at the first of them, and kept. */
struct async_team {
  struct async_team *next;
  struct pst_xmp_group *group; /* a reference, so that no other set gets the same address */
  gasnetx_team_t team;
};

static gasnetx_team_t async_team_of(const char *where, struct pst_xmp_group *g)
{
  static struct async_team *teams;
  struct async_team *t;
  for (t = teams; t; t = t->next)
    if (t->group == g) return t->team;
  t = pst_xmp_own_take(where, sizeof *t);
  *t = (struct async_team){teams, pst_xmp_group_again(g), gasnetx_team_duplicate(pst_xmp_group_team(g))};
  teams = t;
  return t->team;
}

struct pending {
  struct pst_xmp_pending head;
  struct pst_xmp_schedule *schedule;
  gasnetx_team_t team; /* GASNETX_NO_TEAM: one node, which meets nobody */
  gasnet_handle_t handle;
  enum { WAITS, MEETS_FIRST, MOVES, MEETS_LAST, DONE } stage;
};

static int pending_advance(struct pst_xmp_pending *head);

/* Whether an earlier operation of the same nodes is under way. */
static int pending_is_behind(const struct pending *p)
{
  for (const struct pst_xmp_pending *q = pst_xmp_async_first; q && q != &p->head; q = q->next)
    if (q->advance == pending_advance && q->group == p->head.group) return 1;
  return 0;
}

static gasnet_handle_t pending_meet(const struct pending *p, int wanted)
{
  return wanted && p->team != GASNETX_NO_TEAM ? gasnetx_coll_barrier_nb(p->team) : GASNET_INVALID_HANDLE;
}

static void pending_next(struct pending *p)
{
  struct pst_xmp_schedule *const s = p->schedule;
  switch (p->stage) {
  case WAITS: p->handle = pending_meet(p, pst_xmp_schedule_meets_first(s)); break;
  case MEETS_FIRST: p->handle = pst_xmp_schedule_transfer_nb(s, p->team); break;
  case MOVES:
    if (!pst_xmp_schedule_reads_first(s)) pst_xmp_schedule_after(s);
    p->handle = pending_meet(p, pst_xmp_schedule_meets_last(s));
    break;
  case MEETS_LAST:
    if (pst_xmp_schedule_reads_first(s)) pst_xmp_schedule_after(s);
    break;
  case DONE: return;
  }
  p->stage++;
}

static int pending_advance(struct pst_xmp_pending *head)
{
  struct pending *p = (struct pending *)head;
  if (p->stage == WAITS && pending_is_behind(p)) return 0;
  while (p->stage != DONE) {
    if (p->handle != GASNET_INVALID_HANDLE && gasnet_try_syncnb(p->handle) != GASNET_OK) return 0;
    p->handle = GASNET_INVALID_HANDLE;
    pending_next(p);
  }
  p->schedule->busy = 0;
  return 1;
}

static void schedule_begin(const char *where, struct pst_xmp_schedule *s, int id)
{
  struct pst_xmp_group *const g = s->key.group;
  struct pending *p = pst_xmp_own_take_clear(where, 1, sizeof *p);
  p->head.advance = pending_advance;
  p->schedule = s;
  p->team = g->size > 1 ? async_team_of(where, g) : GASNETX_NO_TEAM;
  p->handle = GASNET_INVALID_HANDLE;
  s->busy = 1;
  pst_xmp_schedule_before(s);
  pst_xmp_async_add(&p->head, id, g);
  pst_xmp_async_advance();
}

/* ---- the construct ---- */

static void gmove_run(const char *where, const struct pst_xmp_side *left, const struct pst_xmp_side *right,
    enum pst_xmp_gmove_mode mode, const int *async)
{
  struct call c;
  pst_xmp_need_open(where);
  pst_xmp_async_advance();
  call_open(&c, where, left, right, mode);
  if (!c.cache) local_run(&c);
  else if (async) schedule_begin(where, call_schedule(&c), *async);
  else schedule_run(call_schedule(&c));
}

void pst_xmp_gmove(const char *where, const struct pst_xmp_side *left, const struct pst_xmp_side *right,
    enum pst_xmp_gmove_mode mode, const int *async)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(
      where, pst_xmp_told_gmove(&told, left, right, mode, async), gmove_run(where, left, right, mode, async));
}
