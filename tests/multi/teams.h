/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Teams of random shapes, each with the list of nodes that it must have. All members of a parent draw the
 * same numbers, so each of them knows the lists of the teams that they make together. */
#ifndef TESTS_MULTI_TEAMS_H
#define TESTS_MULTI_TEAMS_H

#include "common.h"
#include <gasnetx.h>

enum { BY_SPLIT, BY_DUPLICATE, BY_STRIDE, BY_AXIS, BY_BOX, BY_LIST, TEAM_SHAPES, TEAM_DIMS = 4 };
static const char *const team_shape_name[TEAM_SHAPES] = {
    "split", "duplicate", "stride", "axis", "box", "create"};

struct team {
  gasnetx_team_t handle;
  gasnet_node_t size, rank;
  gasnet_node_t *node; /* by rank */
  uint64_t key;        /* all members know it; no other team has it */
  struct rng next;     /* all members draw the same numbers from it */
  int shape;
};

/* ---- the model ---- */

/* `node` is the team's from now on. NULL where the caller is not on the list. */
static struct team *team_of_nodes(gasnet_node_t *node, gasnet_node_t size, uint64_t draw, int shape)
{
  gasnet_node_t rank = 0;
  while (rank < size && node[rank] != test.me) rank++;
  if (rank == size) {
    free(node);
    return NULL;
  }
  struct team *t = (struct team *)calloc(1, sizeof *t);
  REQUIRE(t, "no memory");
  *t = (struct team){
      .size = size, .rank = rank, .node = node, .key = test_mix(draw + node[0]), .shape = shape};
  rng_init(&t->next, t->key);
  return t;
}

static gasnet_node_t *team_room(gasnet_node_t size)
{
  gasnet_node_t *node = (gasnet_node_t *)calloc(size + 1, sizeof *node);
  REQUIRE(node, "no memory");
  return node;
}

static struct team *team_all(uint64_t draw)
{
  gasnet_node_t *node = team_room(test.nodes);
  for (gasnet_node_t r = 0; r < test.nodes; r++) node[r] = r;
  struct team *t = team_of_nodes(node, test.nodes, draw, BY_DUPLICATE);
  t->handle = GASNET_TEAM_ALL;
  return t;
}

UNUSED static void team_forget(struct team *t)
{
  if (!t) return;
  free(t->node);
  free(t);
}

UNUSED static void team_free(struct team *t)
{
  if (!t) return;
  gasnetx_team_destroy(t->handle);
  team_forget(t);
}

/* ---- split ---- */

static struct team *team_by_split(struct team *parent, uint64_t draw)
{
  enum { COLOURS = 5 };
  const gasnet_node_t size = parent->size;
  const unsigned colours = (unsigned)rng_range(&parent->next, 1, COLOURS);
  const unsigned keys = (unsigned)rng_below(&parent->next, 4);
  uint32_t colour_of[COLOURS];
  for (unsigned i = 0; i < COLOURS; i++)
    colour_of[i] = rng_below(&parent->next, 2) ? i : (uint32_t)(rng_next(&parent->next) >> 32);
  if (rng_below(&parent->next, 2)) colour_of[colours - 1] = GASNETX_NO_COLOUR;
  uint32_t *colour = team_room(2 * size), *key = colour + size;
  for (gasnet_node_t r = 0; r < size; r++) {
    colour[r] = colour_of[rng_below(&parent->next, colours)];
    const uint32_t random = (uint32_t)(rng_next(&parent->next) >> 32);
    key[r] = keys == 0 ? 7 : keys == 1 ? random % 3 : keys == 2 ? UINT32_MAX - r : random;
  }
  gasnet_node_t *node = team_room(size), count = 0;
  const uint32_t mine = colour[parent->rank];
  for (gasnet_node_t r = 0; mine != GASNETX_NO_COLOUR && r < size; r++) {
    if (colour[r] != mine) continue;
    gasnet_node_t at = count++;
    while (at && key[node[at - 1]] > key[r]) {
      node[at] = node[at - 1];
      at--;
    }
    node[at] = r;
  }
  for (gasnet_node_t i = 0; i < count; i++) node[i] = parent->node[node[i]];
  const gasnetx_team_t handle = gasnetx_team_split(parent->handle, mine, key[parent->rank]);
  struct team *t = team_of_nodes(node, count, draw, BY_SPLIT);
  CHECK(!t == (handle == GASNETX_NO_TEAM), "split: %s", t ? "no team" : "a team without a colour");
  if (t) t->handle = handle;
  free(colour);
  return t;
}

/* ---- the others' lists: the parent's ranks for which a condition holds, in some order ---- */

static struct team *team_of_ranks(
    const struct team *parent, gasnet_node_t *rank, gasnet_node_t count, uint64_t draw, int shape)
{
  for (gasnet_node_t i = 0; i < count; i++) rank[i] = parent->node[rank[i]];
  return team_of_nodes(rank, count, draw, shape);
}

static struct team *team_with_handle(struct team *t, gasnetx_team_t handle, int shape)
{
  CHECK(!t == (handle == GASNETX_NO_TEAM), "%s: node %u is %sa member", team_shape_name[shape], test.me,
      t ? "" : "not ");
  if (t) t->handle = handle;
  return t;
}

static struct team *team_by_duplicate(struct team *parent, uint64_t draw)
{
  gasnet_node_t *rank = team_room(parent->size);
  for (gasnet_node_t r = 0; r < parent->size; r++) rank[r] = r;
  struct team *t = team_of_ranks(parent, rank, parent->size, draw, BY_DUPLICATE);
  return team_with_handle(t, gasnetx_team_duplicate(parent->handle), BY_DUPLICATE);
}

static struct team *team_by_stride(struct team *parent, uint64_t draw)
{
  const gasnet_node_t last = parent->size - 1, first = (gasnet_node_t)rng_below(&parent->next, parent->size);
  ptrdiff_t stride = (ptrdiff_t)rng_below(&parent->next, parent->size) - first;
  if (rng_below(&parent->next, 2) && stride) stride = stride < 0 ? -1 : 1;
  gasnet_node_t most = 1;
  if (stride > 0) most += (gasnet_node_t)((last - first) / (size_t)stride);
  if (stride < 0) most += (gasnet_node_t)(first / (size_t)-stride);
  const gasnet_node_t count = (gasnet_node_t)rng_range(&parent->next, 1, most);
  gasnet_node_t *rank = team_room(count);
  for (gasnet_node_t i = 0; i < count; i++) rank[i] = (gasnet_node_t)(first + i * stride);
  struct team *t = team_of_ranks(parent, rank, count, draw, BY_STRIDE);
  return team_with_handle(t, gasnetx_team_stride(parent->handle, first, stride, count), BY_STRIDE);
}

/* ---- arrangements ---- */

struct arrangement {
  size_t dims, extent[TEAM_DIMS]; /* as the call gets it: the last one may be 0 */
  size_t layers;                  /* the last one, in any case */
};

/* Either of factors of the size, or of any extents, so that the last layer may be incomplete. */
static struct arrangement team_arrangement(struct team *parent)
{
  struct arrangement a = {.dims = (size_t)rng_range(&parent->next, 1, TEAM_DIMS)};
  size_t inner = 1, rest = parent->size;
  const int factors = (int)rng_below(&parent->next, 2);
  for (size_t d = 0; d + 1 < a.dims; d++) {
    size_t e = (size_t)rng_range(&parent->next, 1, rest);
    while (factors && rest % e) e--;
    a.extent[d] = e;
    inner *= e;
    rest = parent->size / inner ? parent->size / inner : 1;
  }
  a.layers = (parent->size + inner - 1) / inner;
  if (factors && rng_below(&parent->next, 2)) a.extent[a.dims - 1] = a.layers;
  return a;
}

static size_t arrangement_extent(const struct arrangement *a, size_t d)
{
  return d + 1 == a->dims ? a->layers : a->extent[d];
}

static size_t arrangement_index(const struct arrangement *a, gasnet_node_t rank, size_t dimension)
{
  size_t rest = rank;
  for (size_t d = 0; d < dimension; d++) rest /= a->extent[d];
  return rest % arrangement_extent(a, dimension);
}

static struct team *team_by_axis(struct team *parent, uint64_t draw)
{
  const struct arrangement a = team_arrangement(parent);
  const size_t axis = (size_t)rng_below(&parent->next, a.dims);
  gasnet_node_t *rank = team_room(parent->size), count = 0;
  for (gasnet_node_t r = 0; r < parent->size; r++) {
    int in = 1;
    for (size_t d = 0; d < a.dims; d++)
      in &= d == axis || arrangement_index(&a, r, d) == arrangement_index(&a, parent->rank, d);
    if (in) rank[count++] = r;
  }
  struct team *t = team_of_ranks(parent, rank, count, draw, BY_AXIS);
  return team_with_handle(t, gasnetx_team_axis(parent->handle, a.extent, a.dims, axis), BY_AXIS);
}

static struct team *team_by_box(struct team *parent, uint64_t draw)
{
  const struct arrangement a = team_arrangement(parent);
  size_t low[TEAM_DIMS], width[TEAM_DIMS];
  for (size_t d = 0; d < a.dims; d++) {
    const size_t extent = arrangement_extent(&a, d);
    low[d] = (size_t)rng_below(&parent->next, extent);
    width[d] = (size_t)rng_range(&parent->next, 1, extent - low[d]);
  }
  gasnet_node_t *rank = team_room(parent->size), count = 0;
  for (gasnet_node_t r = 0; r < parent->size; r++) {
    int in = 1;
    for (size_t d = 0; d < a.dims; d++) in &= arrangement_index(&a, r, d) - low[d] < width[d];
    if (in) rank[count++] = r;
  }
  struct team *t = team_of_ranks(parent, rank, count, draw, BY_BOX);
  return team_with_handle(t, gasnetx_team_box(parent->handle, a.extent, a.dims, low, width), BY_BOX);
}

/* The parent's ranks in random order, cut into pieces. The members of most pieces make a team, at once. */
static struct team *team_by_list(struct team *parent, uint64_t draw)
{
  gasnet_node_t *rank = team_room(parent->size), *piece = NULL, count = 0;
  for (gasnet_node_t r = 0; r < parent->size; r++) {
    const gasnet_node_t at = (gasnet_node_t)rng_below(&parent->next, r + 1);
    rank[r] = rank[at];
    rank[at] = r;
  }
  for (gasnet_node_t from = 0, n; from < parent->size; from += n) {
    n = (gasnet_node_t)rng_range(&parent->next, 1, parent->size - from);
    const int idle = rng_below(&parent->next, 5) == 0;
    for (gasnet_node_t i = from; !idle && i < from + n; i++)
      if (rank[i] == parent->rank) {
        piece = rank + from;
        count = n;
      }
  }
  struct team *t = NULL;
  if (piece) {
    gasnet_node_t *node = team_room(count);
    memcpy(node, piece, count * sizeof *node);
    t = team_of_ranks(parent, node, count, draw, BY_LIST);
    gasnet_node_t *list = team_room(count); /* the caller's, and gone after the call */
    memcpy(list, t->node, count * sizeof *list);
    team_with_handle(t, gasnetx_team_create(list, count), BY_LIST);
    free(list);
  }
  free(rank);
  return t;
}

/* ---- */

/* All members of the parent call it. NULL for those that are in none of the new teams. */
static struct team *team_make(struct team *parent, int shape)
{
  const uint64_t draw = rng_next(&parent->next);
  switch (shape) {
  case BY_SPLIT: return team_by_split(parent, draw);
  case BY_DUPLICATE: return team_by_duplicate(parent, draw);
  case BY_STRIDE: return team_by_stride(parent, draw);
  case BY_AXIS: return team_by_axis(parent, draw);
  case BY_BOX: return team_by_box(parent, draw);
  default: return team_by_list(parent, draw);
  }
}

UNUSED static struct team *team_make_any(struct team *parent)
{
  return team_make(parent, (int)rng_below(&parent->next, TEAM_SHAPES));
}

/* Size, ranks and nodes are as in the model, both ways. */
UNUSED static void team_check(const struct team *t)
{
  const char *shape = team_shape_name[t->shape];
  CHECK(gasnetx_team_size(t->handle) == t->size, "%s: size %u, not %u", shape, gasnetx_team_size(t->handle),
      t->size);
  CHECK(gasnetx_team_rank(t->handle) == t->rank, "%s: rank %u, not %u", shape, gasnetx_team_rank(t->handle),
      t->rank);
  for (gasnet_node_t r = 0; r < t->size; r++)
    CHECK(gasnetx_team_node(t->handle, r) == t->node[r], "%s: rank %u of %u is node %u, not %u", shape, r,
        t->size, gasnetx_team_node(t->handle, r), t->node[r]);
  gasnet_node_t members = 0;
  for (gasnet_node_t n = 0; n < test.nodes; n++) {
    const gasnet_node_t r = gasnetx_team_rank_of(t->handle, n);
    CHECK(r == GASNETX_NO_RANK || (r < t->size && t->node[r] == n), "%s: node %u has rank %u of %u", shape, n,
        r, t->size);
    members += r != GASNETX_NO_RANK;
  }
  CHECK(members == t->size, "%s: %u nodes have ranks in a team of %u", shape, members, t->size);
}

#endif
