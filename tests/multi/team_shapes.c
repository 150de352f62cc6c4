/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams of all shapes, nested, overlapping, many at once, against a model. Their members meet in collectives:
 * that shows that all of them have the same list. */
#include "teams.h"

#include <malloc.h>
#include <unistd.h>

enum { KEPT = 24, AT_ONCE = 300 };
static struct rng own; /* not equal on all nodes */

/* Every member says who it is. */
static void meet(const struct team *t)
{
  const uint64_t mine = test_mix(t->key + test.me);
  uint64_t *all = (uint64_t *)malloc((size_t)t->size * sizeof *all);
  REQUIRE(all, "no memory");
  if (rng_below(&own, 50) == 0) usleep((useconds_t)rng_below(&own, 2000));
  gasnetx_coll_allgather(t->handle, all, &mine, sizeof mine);
  for (gasnet_node_t r = 0; r < t->size; r++)
    CHECK(all[r] == test_mix(t->key + t->node[r]), "%s: rank %u of %u is not node %u",
        team_shape_name[t->shape], r, t->size, t->node[r]);
  free(all);
}

/* A team in a team in a team; either may go first. */
static void nest(struct team *parent, unsigned depth)
{
  for (uint64_t i = rng_range(&parent->next, 1, 2); i > 0; i--) {
    struct team *t = team_make_any(parent);
    if (!t) continue;
    team_check(t);
    meet(t);
    if (depth) nest(t, depth - 1);
    meet(t);
    team_free(t);
  }
}

/* A nest whose parent is destroyed while the child lives on. */
static void orphan(struct team *all)
{
  struct team *parent = team_make_any(all), *child = parent ? team_make_any(parent) : NULL;
  if (parent && child && rng_below(&own, 2)) {
    team_free(child);
    child = NULL;
  }
  team_free(parent);
  if (child) team_check(child);
  team_free(child);
}

static void orphans_meet(struct team *all)
{
  struct team *parent = team_make_any(all), *child = parent ? team_make_any(parent) : NULL;
  team_free(parent);
  if (!child) return;
  team_check(child);
  meet(child);
  team_free(child);
}

/* Teams that overlap and live for different times. */
static void keep_some(struct team *all)
{
  struct team *kept[KEPT] = {NULL};
  for (size_t i = 0; i < test_scaled(test.nodes <= 16 ? 400 : 100); i++) {
    const unsigned slot = (unsigned)rng_below(&all->next, KEPT),
                   visited = (unsigned)rng_below(&all->next, KEPT);
    if (kept[slot]) meet(kept[slot]);
    team_free(kept[slot]);
    kept[slot] = team_make_any(all);
    if (kept[slot]) team_check(kept[slot]);
    if (kept[visited]) {
      team_check(kept[visited]);
      meet(kept[visited]);
    }
  }
  for (unsigned i = 0; i < KEPT; i++) team_free(kept[i]);
}

/* Many teams at the same time, which go in different orders on different nodes. */
static void many_at_once(struct team *all)
{
  static struct team *t[AT_ONCE];
  for (unsigned i = 0; i < AT_ONCE; i++) t[i] = team_make_any(all);
  for (unsigned i = 0; i < AT_ONCE; i++)
    if (t[i]) meet(t[i]);
  for (unsigned i = AT_ONCE; i > 0; i--) {
    const unsigned at = (unsigned)rng_below(&own, i);
    struct team *gone = t[at];
    t[at] = t[i - 1];
    if (gone) team_check(gone);
    team_free(gone);
  }
}

static void every_shape(struct team *all)
{
  for (int shape = 0; shape < TEAM_SHAPES; shape++)
    for (unsigned i = 0; i < 10; i++) {
      struct team *t = team_make(all, shape);
      if (!t) continue;
      team_check(t);
      meet(t);
      team_free(t);
    }
}

/* Bytes that are allocated. Resident memory would also count buffers of a network as they come into use. */
static size_t allocated(void)
{
  const struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

/* What a team takes it gives back: 8 bytes of each would be seen. */
static void made_and_destroyed(struct team *all)
{
  enum { SLACK = 64 << 10 };
  const size_t many = test_scaled(test.nodes <= 8 ? 10000 : test.nodes <= 16 ? 2000 : 300);
  size_t before = 0;
  for (size_t i = 0; i < many; i++) {
    if (i == many / 10) before = allocated();
    struct team *t = team_make_any(all);
    if (t && i % 50 == 0) meet(t);
    team_free(t);
  }
  const size_t after = allocated();
  CHECK(after < before + SLACK, "%zu teams made and destroyed have left %zu bytes", many - many / 10,
      after - before);
}

int main(int argc, char **argv)
{
  test_start("team_shapes", &argc, &argv, NULL, 0, GASNET_PAGESIZE);
  struct team *all = team_all(test_key(1, 0, 0));
  rng_init(&own, test_key(2, test.me, 0));
  team_check(all);
  meet(all);
  every_shape(all);
  for (size_t i = 0; i < test_scaled(test.nodes <= 16 ? 100 : 20); i++) {
    nest(all, 3);
    orphan(all);
    orphans_meet(all);
  }
  keep_some(all);
  many_at_once(all);
  made_and_destroyed(all);
  team_forget(all);
  test_finish();
}
