/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Channels: messages of collectives between two nodes, by a lane where they share memory, else by active
 * messages. A channel keeps the order of what is sent, and a receiver asks for the message of a certain call:
 * what came before it and belongs to other calls is kept for those, as mail.
 *
 * No call of this waits. A thread that is in the engine makes them (teams/engine.c).
 *
 * Kept mail is bounded. A call sends a piece of data without being asked for it once for each of its steps,
 * and further pieces only when the receiver's step has begun. So a receiver keeps little of each call that
 * its sender is in. Of calls that the sender has left, it keeps PST_CHANNEL_WINDOW messages: a sender that
 * has so many messages on their way asks to be told when the next one is consumed, and waits for that. */
#ifndef TEAMS_CHANNEL_H
#define TEAMS_CHANNEL_H
#include "gasnet.h"
#include "teams/lane.h"

enum { PST_CHANNEL_WINDOW = 64 };

void pst_channels_open(void);

/* Over a network: teams/inbox.c. */
void pst_inbox_open(void);
size_t pst_inbox_room(void);
int pst_inbox_send(
    gasnet_node_t node, const struct pst_head *call, unsigned marks, const void *data, size_t n);
int pst_inbox_is_crowded(gasnet_node_t node);
struct pst_early *pst_inbox_take(gasnet_node_t node, const struct pst_head *call, int answer);
void pst_inbox_consumed(gasnet_node_t node);
void pst_inbox_clean(pst_head_test_fn drop);

/* The most bytes of a message. */
static inline size_t pst_channel_room(gasnet_node_t node)
{
  return pst_lanes_reach(node) ? pst_lanes.room : pst_inbox_room();
}

/* How many messages this node has sent to that one, and received. */
void pst_channel_counts(gasnet_node_t node, uint32_t *sent, uint32_t *received);
void pst_inbox_counts(gasnet_node_t node, uint32_t *sent, uint32_t *received);
/* What a node that waits says of itself: the two counts, and the number of the exchange or broadcast that it
 * waits for (teams/board.h, teams/feed.h), or 0 where it waits for a message. All modulo 2^32. */
struct pst_waiter {
  uint32_t sent, received, board;
};
/* Tells a node, by an active message, that this one waits for it in that call. The message may be lost where
 * there is no room. Where one arrives, the handler calls pst_inbox_asked. */
void pst_channel_ask(gasnet_node_t node, const struct pst_head *call, uint32_t board);
/* 1: the call ends, as a member has left its team (teams/left.h); *left is the last one that does not. */
extern int (*pst_inbox_asked)(
    gasnet_node_t node, const struct pst_head *call, const struct pst_waiter *waiter, uint16_t *left);

/* 1 when sent; 0 where there is no room now. marks: as in lane.h. */
static inline int pst_channel_send(
    gasnet_node_t node, const struct pst_head *call, unsigned marks, const void *data, size_t n)
{
  if (__builtin_expect(!pst_lanes_reach(node), 0)) return pst_inbox_send(node, call, marks, data, n);
  struct pst_lane *l = pst_lane_of(node);
  if (!pst_lane_has_room(l)) return 0;
  pst_lane_send(l, node, call, marks, data, n);
  return 1;
}

/* The receiver has as many messages as it should keep. */
int pst_lane_is_crowded(struct pst_lane *l);
static inline int pst_channel_is_crowded(gasnet_node_t node)
{
  if (__builtin_expect(!pst_lanes_reach(node), 0)) return pst_inbox_is_crowded(node);
  struct pst_lane *l = pst_lane_of(node);
  return l->sent - l->known_consumed >= PST_CHANNEL_WINDOW && pst_lane_is_crowded(l);
}

/* The next message for a call: of the same team, number, and an answer or not. Valid until it is dropped, and
 * no other message of the node may be looked for before. */
struct pst_found {
  const struct pst_head *head;
  const void *data; /* aligned to 16 */
  size_t size;
  struct pst_slot *slot;
  struct pst_early *early;
};
int pst_channel_search(gasnet_node_t node, const struct pst_head *call, int answer, struct pst_found *found);
static inline int pst_channel_find(
    gasnet_node_t node, const struct pst_head *call, int answer, struct pst_found *found)
{
  if (__builtin_expect(pst_lanes_reach(node), 1)) {
    const struct pst_lane *l = pst_lane_of(node);
    struct pst_slot *s = pst_lane_next(l);
    size_t size;
    const int has_come = pst_lane_has_come(l, s, &size);
    if (!has_come && !l->mail.first) return 0;
    if (has_come && !l->mail.first && pst_head_fits(&s->head, call, answer)) {
      *found = (struct pst_found){&s->head, s->data, size, s, NULL};
      return 1;
    }
  }
  return pst_channel_search(node, call, answer, found);
}

void pst_channel_drop_early(gasnet_node_t node, struct pst_early *e);
static inline void pst_channel_drop(gasnet_node_t node, const struct pst_found *found)
{
  if (__builtin_expect(found->slot != NULL, 1)) pst_lane_taken(pst_lane_of(node), node, found->slot);
  else pst_channel_drop_early(node, found->early);
}

/* Moves the messages out of all lanes that are full, so that a sender cannot stand still because this node
 * waits for others. */
void pst_channels_sweep(void);

/* Throws away all mail with heads for which `drop` answers 1. */
void pst_channels_clean(pst_head_test_fn drop);

#endif
