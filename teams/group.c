/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/group.h"

#include <string.h>

#include "teams/items.h"

enum { RADIX = PST_GROUP_FLAT };

static unsigned tree_place(const struct pst_call *c, unsigned root, unsigned v)
{
  const unsigned near = c->team->near;
  return root + v < near ? root + v : root + v - near;
}

int pst_group_up(struct pst_call *c, void *inout, size_t n, char *buffer)
{
  const unsigned near = c->team->near, v = c->team->here;
  unsigned step = 1;
  for (unsigned l = 0; l < c->stage; l++) step *= RADIX;
  if (step >= near || v % step != 0) return 0;
  if (v % (step * RADIX) != 0) {
    pst_call_send(c, pst_group_rank(c, v - v % (step * RADIX)), inout, n);
    return 1;
  }
  for (unsigned k = 1; k < RADIX && v + k * step < near; k++) {
    struct pst_step *s = pst_call_combine(c, pst_group_rank(c, v + k * step), inout, n, buffer);
    s->after = k > 1; /* in the order of ranks */
  }
  return 1;
}

static void down_send(struct pst_call *c, unsigned root, unsigned v, void *data, size_t n)
{
  const unsigned near = c->team->near;
  unsigned step = 1;
  while (step * RADIX < near && v % (step * RADIX) == 0) step *= RADIX;
  for (; step; step /= RADIX) {
    if (v % (step * RADIX) != 0) continue;
    for (unsigned k = 1; k < RADIX && v + k * step < near; k++)
      pst_call_send(c, pst_group_rank(c, tree_place(c, root, v + k * step)), data, n);
  }
}

static unsigned down_parent(unsigned v)
{
  unsigned step = 1;
  while (v % (step * RADIX) == 0) step *= RADIX;
  return v - v % (step * RADIX);
}

/* One level. What does not fit into a message is read from the root's memory by all: a tree would gain
 * nothing. */
static int down_from_root(struct pst_call *c, unsigned root, unsigned v, void *data, size_t n)
{
  if (c->stage) return 0;
  if (v) pst_call_receive(c, pst_group_rank(c, root), data, n);
  for (unsigned i = 1; v == 0 && i < c->team->near; i++)
    pst_call_send(c, pst_group_rank(c, tree_place(c, root, i)), data, n);
  return PST_STAGE_LAST;
}

int pst_group_down(struct pst_call *c, unsigned root, void *data, size_t n)
{
  const unsigned near = c->team->near,
                 v = c->team->here >= root ? c->team->here - root : c->team->here + near - root;
  const int passes_on = v % RADIX == 0 && near > 1;
  if (near <= RADIX || !pst_group_fits(n)) return down_from_root(c, root, v, data, n);
  if (c->stage == 0 && v) {
    pst_call_receive(c, pst_group_rank(c, tree_place(c, root, down_parent(v))), data, n);
    return 1;
  }
  if (c->stage > (v != 0) || !passes_on) return 0;
  down_send(c, root, v, data, n);
  return 1;
}

/* Its place in the array whose own place is the step's. */
static void share_accept(struct pst_call *c, const struct pst_step *s, unsigned place, const void *data)
{
  const ptrdiff_t places = (ptrdiff_t)place - (ptrdiff_t)c->team->here;
  if (places) memcpy(s->at + places * (ptrdiff_t)s->length, data, s->length);
}

static int share_flat(struct pst_call *c, char *all, size_t n)
{
  if (c->stage) return 0;
  pst_call_exchange(c, all + c->team->here * n, n, share_accept);
  return PST_STAGE_LAST;
}

int pst_group_share(struct pst_call *c, void *all, size_t n)
{
  const struct pst_team *t = c->team;
  if (pst_group_is_flat(c, n)) return share_flat(c, all, n);
  const struct pst_items items = {
      .count = t->near, .me = t->here, .ranks = t->near_rank, .base = all, .each = n};
  return pst_items_round(c, &items);
}
