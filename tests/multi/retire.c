/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Nodes that begin no more collectives, one after the other (gasnetx_coll_retire). On many teams random calls
 * are in flight, of which the leaving node has begun some. Those are complete at all members. Each later one
 * ends with the status, or has the right result; the memory of one that has ended is overwritten at once.
 * Teams without the node go on. */
#include "coll_call.h"

#include <unistd.h>

enum { LINES = 6, CALLS = 10, STAGES = 3, POOL = 8 << 20, POISON = 0xA5 };

struct line {
  struct team *team; /* NULL: the caller is in none */
  int has_leaver;
  unsigned calls, kept, begun; /* kept: the leaver begins so many */
};

struct pending {
  struct call call;
  char *src, *dst;
  int pooled, may_end, status; /* status: it has ended when it began */
};

static struct rng own, common;
static gasnetx_team_t rest; /* of all: for those that have left, too */
static gasnet_node_t leaver;
static struct line line[LINES];
static struct pending pending[LINES * CALLS];
static unsigned flying;
static size_t pool_used;

static void sleep_some(void)
{
  const useconds_t most[] = {0, 0, 2000, 50000, 1300000};
  const useconds_t us = most[rng_below(&own, 5)];
  if (us) usleep((useconds_t)rng_below(&own, us));
}

/* ---- memory ---- */

/* In the segment others reach it. */
static char *memory_take(size_t n, int pooled)
{
  const size_t room = (n / CALL_ALIGN + 1) * CALL_ALIGN;
  char *const p = pooled ? seg_at(test.me, pool_used) : (char *)aligned_alloc(CALL_ALIGN, room);
  REQUIRE(p, "no memory");
  if (pooled) pool_used += room;
  return p;
}

static void memory_give_back(struct pending *p)
{
  memset(p->src, POISON, p->call.src.room);
  memset(p->dst, POISON, p->call.dst.room);
  if (p->pooled) return;
  free(p->src);
  free(p->dst);
}

/* ---- calls ---- */

static void begin(struct line *l)
{
  struct pending *const p = &pending[flying++];
  const uint64_t serial = l->begun++, size = test_mix(l->team->key + serial) % 12;
  call_draw(&p->call, l->team, serial, size == 0 ? 3 << 20 : size < 4 ? 200000 : 4000, &own);
  p->pooled = rng_below(&own, 3) && pool_used + p->call.src.room + p->call.dst.room + 4 * CALL_ALIGN < POOL;
  p->may_end = l->has_leaver && serial >= l->kept;
  p->src = memory_take(p->call.src.room, p->pooled);
  p->dst = memory_take(p->call.dst.room, p->pooled);
  call_place(&p->call, p->src, p->dst);
  call_begin(&p->call, 0);
  p->status = gasnetx_status_take();
}

static void finish(struct pending *p)
{
  gasnet_wait_syncnb(p->call.handle);
  const int status = p->status ? p->status : gasnetx_status_take();
  if (status == GASNET_OK) call_check(&p->call);
  else {
    CHECK(status == GASNETX_ERR_NODE_LEFT, "the status is %s", gasnet_ErrorName(status));
    CHECK(p->may_end, "a %s that all members have begun ends early", call_kind_name[p->call.kind]);
  }
  memory_give_back(p);
  call_drop(&p->call);
}

static void begin_all(void)
{
  unsigned open = 0;
  struct line *at[LINES];
  for (int i = 0; i < LINES; i++)
    if (line[i].team) at[open++] = &line[i];
  while (open) {
    const unsigned i = (unsigned)rng_below(&own, open);
    const int leaves = test.me == leaver && at[i]->has_leaver;
    if (at[i]->begun == (leaves ? at[i]->kept : at[i]->calls)) at[i] = at[--open];
    else begin(at[i]);
  }
}

static void finish_all(void)
{
  while (flying) {
    const unsigned i = (unsigned)rng_below(&own, flying);
    finish(&pending[i]);
    pending[i] = pending[--flying];
  }
}

/* ---- the end of a stage, for those that are left ---- */

static void barriers(void)
{
  for (int i = 0; i < LINES; i++) {
    if (!line[i].team) continue;
    gasnetx_coll_barrier(line[i].team->handle);
    const int status = gasnetx_status_take();
    CHECK(status == (line[i].has_leaver ? GASNETX_ERR_NODE_LEFT : GASNET_OK), "a barrier gives %s",
        gasnet_ErrorName(status));
  }
}

/* More calls than their numbers have values. */
static void later_calls(const struct line *l)
{
  enum { MANY = 70000, AT_ONCE = 8 };
  gasnet_handle_t h[AT_ONCE];
  CHECK(!gasnetx_team_duplicate(l->team->handle), "a team is made of one that a node has left");
  CHECK(gasnetx_status_take() == GASNETX_ERR_NODE_LEFT, "no status where no team is made");
  for (int i = 0; i < MANY && !test.failures; i++) {
    gasnetx_coll_barrier(l->team->handle);
    CHECK(gasnetx_status_take() == GASNETX_ERR_NODE_LEFT, "later barrier %d has no status", i);
  }
  for (int i = 0; i < AT_ONCE; i++) h[i] = gasnetx_coll_barrier_nb(l->team->handle);
  gasnet_wait_syncnb_all(h, AT_ONCE);
  CHECK(gasnetx_status_take() == GASNETX_ERR_NODE_LEFT, "later barriers at once have no status");
}

/* The last member comes so late that the root knows already that the call ends, and would have changed what
 * the other one copies. */
static void come_late(const struct team *t, const struct team *next)
{
  enum { BYTES = 300000, SECONDS = 3 };
  const gasnet_node_t from = next->node[0];
  char *const data = seg_at(test.me, 0);
  gasnet_node_t root = 0;
  if (next->size < 2) return;
  while (t->node[root] != from) root++;
  memset(data, test.me == from, BYTES);
  if (test.me == next->node[next->size - 1]) sleep(SECONDS);
  gasnetx_coll_broadcast(t->handle, data, root, data, BYTES);
  const int status = gasnetx_status_take();
  CHECK(status == GASNETX_ERR_NODE_LEFT || status == GASNET_OK, "a broadcast gives %s",
      gasnet_ErrorName(status));
  if (status == GASNET_OK)
    CHECK(data[0] == 1 && memcmp(data, data + 1, BYTES - 1) == 0, "a broadcast has wrong data");
  memset(data, POISON, BYTES);
}

/* ---- stages ---- */

static void lines_make(struct team *parent)
{
  for (int i = 0; i < LINES; i++) {
    struct team *const t = i == 0 ? team_make(parent, BY_DUPLICATE) : team_make_any(parent);
    line[i] = (struct line){.team = t};
    if (!t) continue;
    for (gasnet_node_t r = 0; r < t->size; r++) line[i].has_leaver |= t->node[r] == leaver;
    line[i].calls = (unsigned)(test_mix(t->key + 5) % CALLS) + 1;
    line[i].kept = (unsigned)(test_mix(t->key + 6) % (line[i].calls + 1));
  }
}

/* Those of a team that go on. NULL: the caller does not. */
static struct team *team_of_rest(struct team *parent)
{
  gasnet_node_t *const node = (gasnet_node_t *)calloc(parent->size, sizeof *node);
  gasnet_node_t size = 0;
  REQUIRE(node, "no memory");
  for (gasnet_node_t r = 0; r < parent->size; r++)
    if (parent->node[r] != leaver) node[size++] = parent->node[r];
  const gasnetx_team_t handle = gasnetx_team_split(
      parent->handle, test.me == leaver ? GASNETX_NO_COLOUR : 0, parent->rank);
  struct team *const t = team_of_nodes(node, size, parent->key + leaver, BY_SPLIT);
  if (t) t->handle = handle;
  return t;
}

static void leave(void)
{
  if (rng_below(&own, 2)) finish_all();
  sleep_some();
  gasnetx_coll_retire(rest);
  finish_all();
}

/* Answers the team of those that are left; NULL: this node has left. */
static struct team *stage(struct team *parent)
{
  leaver = parent->node[rng_below(&common, parent->size)];
  struct team *const next = team_of_rest(parent);
  struct team *const late = team_make(parent, BY_DUPLICATE);
  lines_make(parent);
  pool_used = 0;
  if (test.me != leaver) sleep_some();
  begin_all();
  if (test.me == leaver) {
    leave();
    return NULL;
  }
  finish_all();
  barriers();
  later_calls(&line[0]);
  if (parent->size == test.nodes) come_late(late, next);
  gasnetx_coll_barrier(next->handle);
  CHECK(gasnetx_status_take() == GASNET_OK, "a barrier of those that are left has a status");
  for (int i = 0; i < LINES; i++) team_free(line[i].team);
  team_free(late);
  return next;
}

int main(int argc, char **argv)
{
  test_start("retire", &argc, &argv, NULL, 0, POOL);
  rest = gasnetx_team_duplicate(GASNET_TEAM_ALL);
  rng_init(&common, test.seed);
  rng_init(&own, test.seed + 1 + test.me);
  struct team *t = team_all(test.seed);
  for (int i = 0; t && i < STAGES && t->size > 1; i++) t = stage(t);
  gasnetx_coll_barrier(rest);
  CHECK(gasnetx_status_take() == GASNET_OK, "the barrier of all has a status");
  test_finish();
}
