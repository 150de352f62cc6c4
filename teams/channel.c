/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/channel.h"

#include <stdlib.h>

#include "teams/lane.h"
#include "teams/left.h"

void pst_channels_open(void)
{
  pst_lanes_open();
  pst_inbox_open();
  pst_left_open();
}

int pst_lane_is_crowded(struct pst_lane *l)
{
  l->known_consumed = atomic_load_explicit(&l->out_counts->consumed, memory_order_relaxed);
  return l->sent - l->known_consumed >= PST_CHANNEL_WINDOW;
}

static int found_early(struct pst_early *e, struct pst_found *found)
{
  if (e) *found = (struct pst_found){&e->head, e->data, e->size, NULL, e};
  return e != NULL;
}

static void lane_keep(struct pst_lane *l, gasnet_node_t node, const struct pst_slot *s, size_t size)
{
  if (size > pst_lanes.room) pst_fatal("a malformed message of a collective from node %u", node);
  pst_mail_append(&l->mail, pst_early_new(&s->head, s->data, size));
  l->kept++;
  pst_lane_taken(l, node, s);
}

static int lane_find(gasnet_node_t node, const struct pst_head *call, int answer, struct pst_found *found)
{
  struct pst_lane *l = pst_lane_of(node);
  size_t size;
  if (__builtin_expect(l->mail.first != NULL, 0) && found_early(pst_mail_take(&l->mail, call, answer), found))
    return 1;
  for (struct pst_slot *s; s = pst_lane_next(l), pst_lane_has_come(l, s, &size); lane_keep(l, node, s, size))
    if (__builtin_expect(pst_head_fits(&s->head, call, answer), 1)) {
      *found = (struct pst_found){&s->head, s->data, size, s, NULL};
      return 1;
    }
  return 0;
}

int pst_channel_search(gasnet_node_t node, const struct pst_head *call, int answer, struct pst_found *found)
{
  return pst_lanes_reach(node) ? lane_find(node, call, answer, found)
                               : found_early(pst_inbox_take(node, call, answer), found);
}

/* Few senders watch `consumed`, and any count that is not too old serves them. */
static void lane_consumed(struct pst_lane *l, gasnet_node_t node)
{
  if (--l->kept % (PST_CHANNEL_WINDOW / 4) == 0) pst_lane_tell(l, node);
}

void pst_channel_drop_early(gasnet_node_t node, struct pst_early *e)
{
  if (pst_lanes_reach(node)) lane_consumed(pst_lane_of(node), node);
  else pst_inbox_consumed(node);
  free(e);
}

void pst_channel_counts(gasnet_node_t node, uint32_t *sent, uint32_t *received)
{
  if (!pst_lanes_reach(node)) {
    pst_inbox_counts(node, sent, received);
    return;
  }
  *sent = (uint32_t)pst_lane_of(node)->sent;
  *received = (uint32_t)pst_lane_of(node)->received;
}

void pst_channels_sweep(void)
{
  size_t size;
  for (unsigned i = 0; i < pst_lanes.in_block; i++) {
    struct pst_lane *l = &pst_lanes.lane[i];
    const gasnet_node_t node = pst_lanes.first + i;
    if (node == pst_mynode || !pst_lane_is_full(l)) continue;
    for (struct pst_slot *s; s = pst_lane_next(l), pst_lane_has_come(l, s, &size);)
      lane_keep(l, node, s, size);
  }
}

static void lane_clean(struct pst_lane *l, gasnet_node_t node, pst_head_test_fn drop)
{
  const uint32_t n = pst_mail_clean(&l->mail, drop);
  l->kept -= n;
  if (n) pst_lane_tell(l, node);
}

void pst_channels_clean(pst_head_test_fn drop)
{
  for (unsigned i = 0; i < pst_lanes.in_block; i++)
    if (pst_lanes.first + i != pst_mynode) lane_clean(&pst_lanes.lane[i], pst_lanes.first + i, drop);
  pst_inbox_clean(drop);
}
