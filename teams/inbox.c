/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Channels between nodes that share no memory.
 *
 * A sender numbers its messages, since a network may change their order. The receiver's handler puts them in
 * order and keeps them as mail. The receiver tells by a message, every half window, how many have been
 * consumed. The memory of a peer is made when the first message is sent to it or comes from it.
 *
 * Handlers may run in other threads than the one that is in the engine: the lock guards everything that both
 * touch, and is held for list steps. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/am_fill.h"
#include "core/handler.h"
#include "core/job.h"
#include "support/error.h"
#include "support/integers.h"
#include "teams/channel.h"
#include "teams/lane.h"
#include "teams/left.h"

/* The most bytes of a message, where the network carries so many. A receiver may keep PST_CHANNEL_WINDOW of
 * them for each sender. */
enum { MESSAGE_MOST = 64 << 10 };

struct peer {
  uint32_t sent;
  _Atomic uint32_t known_consumed; /* by the peer, of those sent; relaxed: it orders nothing */
  uint32_t received;               /* in order */
  uint32_t consumed, told;         /* by the thread in the engine alone */
  struct pst_mail mail;
  struct pst_early *ahead; /* came before one that was sent earlier; by sequence */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct peer **peers; /* [nodes] */

/* Under the lock. */
static struct peer *peer_of(gasnet_node_t node)
{
  if (!peers[node] && !(peers[node] = calloc(1, sizeof **peers)))
    pst_fatal("out of memory for messages of collectives with node %u", node);
  return peers[node];
}

static struct peer *peer_lock(gasnet_node_t node)
{
  pthread_mutex_lock(&lock);
  return peer_of(node);
}

static struct peer *peer_find(gasnet_node_t node)
{
  struct peer *p = peer_lock(node);
  pthread_mutex_unlock(&lock);
  return p;
}

static void peer_put_ahead(struct peer *p, struct pst_early *e)
{
  struct pst_early **at = &p->ahead;
  while (*at && (*at)->sequence - p->received < e->sequence - p->received) at = &(*at)->next;
  e->next = *at;
  *at = e;
}

static void peer_sort(struct peer *p)
{
  for (struct pst_early *e; (e = p->ahead) != NULL && e->sequence == p->received + 1; p->received++) {
    p->ahead = e->next;
    pst_mail_append(&p->mail, e);
  }
}

static uint64_t joined(gasnet_handlerarg_t high, gasnet_handlerarg_t low)
{
  return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

static void handle_message(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t sequence,
    gasnet_handlerarg_t team_high, gasnet_handlerarg_t team_low, gasnet_handlerarg_t length_high,
    gasnet_handlerarg_t length_low, gasnet_handlerarg_t number, gasnet_handlerarg_t what)
{
  const struct pst_head head = {
      joined(team_high, team_low), joined(length_high, length_low), joined(number, what)};
  struct pst_early *e = pst_early_new(&head, buf, nbytes);
  gasnet_node_t src;
  struct peer *p;
  gasnet_AMGetMsgSource(token, &src);
  e->sequence = (uint32_t)sequence;
  p = peer_lock(src);
  if ((int32_t)(e->sequence - p->received) <= 0)
    pst_fatal("node %u sent message %u of its collectives twice", src, e->sequence);
  peer_put_ahead(p, e);
  peer_sort(p);
  pthread_mutex_unlock(&lock);
}

/* Such messages may overtake each other. */
static void handle_consumed(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t consumed)
{
  gasnet_node_t src;
  struct peer *p;
  (void)buf;
  (void)nbytes;
  gasnet_AMGetMsgSource(token, &src);
  p = peer_lock(src);
  if ((int32_t)((uint32_t)consumed - p->known_consumed) > 0) p->known_consumed = (uint32_t)consumed;
  pthread_mutex_unlock(&lock);
}

int (*pst_inbox_asked)(
    gasnet_node_t node, const struct pst_head *call, const struct pst_waiter *waiter, uint16_t *left);

static void handle_ask(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t team_high,
    gasnet_handlerarg_t team_low, gasnet_handlerarg_t length_high, gasnet_handlerarg_t length_low,
    gasnet_handlerarg_t number, gasnet_handlerarg_t what, gasnet_handlerarg_t sent,
    gasnet_handlerarg_t received, gasnet_handlerarg_t board)
{
  const struct pst_head head = {
      joined(team_high, team_low), joined(length_high, length_low), joined(number, what)};
  const struct pst_waiter waiter = {(uint32_t)sent, (uint32_t)received, (uint32_t)board};
  gasnet_node_t src;
  uint16_t left;
  (void)buf;
  (void)nbytes;
  gasnet_AMGetMsgSource(token, &src);
  if (pst_inbox_asked && pst_inbox_asked(src, &head, &waiter, &left))
    pst_left_answer(token, head.team, left, PST_LEFT_NOBODY);
}

void pst_inbox_open(void)
{
  pst_handler_set(PST_HANDLER_TEAM_ASK, (pst_handler_fn)handle_ask);
  pst_handler_set(PST_HANDLER_TEAM, (pst_handler_fn)handle_message);
  pst_handler_set(PST_HANDLER_TEAM_CONSUMED, (pst_handler_fn)handle_consumed);
  if (pst_lanes.in_block < pst_nodes) peers = pst_job_alloc(pst_nodes, sizeof *peers);
}

size_t pst_inbox_room(void) { return pst_least(pst_job.limits.max_medium, MESSAGE_MOST); }

int pst_inbox_send(
    gasnet_node_t node, const struct pst_head *call, unsigned marks, const void *data, size_t n)
{
  struct peer *p = peer_find(node);
  const uint64_t length = call->length | marks;
  const gasnet_handlerarg_t args[] = {(gasnet_handlerarg_t)(p->sent + 1),
      (gasnet_handlerarg_t)(call->team >> 32), (gasnet_handlerarg_t)call->team,
      (gasnet_handlerarg_t)(length >> 32), (gasnet_handlerarg_t)length,
      (gasnet_handlerarg_t)(call->call >> 32), (gasnet_handlerarg_t)call->call};
  if (pst_am_request_try(node, PST_HANDLER_TEAM, data, n, 7, args) != PST_OK) return 0;
  p->sent++;
  return 1;
}

void pst_inbox_counts(gasnet_node_t node, uint32_t *sent, uint32_t *received)
{
  const struct peer *p = peer_lock(node);
  *sent = p->sent;
  *received = p->received;
  pthread_mutex_unlock(&lock);
}

void pst_channel_ask(gasnet_node_t node, const struct pst_head *call, uint32_t board)
{
  uint32_t sent, received;
  pst_channel_counts(node, &sent, &received);
  const gasnet_handlerarg_t args[] = {(gasnet_handlerarg_t)(call->team >> 32),
      (gasnet_handlerarg_t)call->team, (gasnet_handlerarg_t)(call->length >> 32),
      (gasnet_handlerarg_t)call->length, (gasnet_handlerarg_t)(call->call >> 32),
      (gasnet_handlerarg_t)call->call, (gasnet_handlerarg_t)sent, (gasnet_handlerarg_t)received,
      (gasnet_handlerarg_t)board};
  pst_am_request_try(node, PST_HANDLER_TEAM_ASK, NULL, 0, 9, args);
}

int pst_inbox_is_crowded(gasnet_node_t node)
{
  const struct peer *p = peer_find(node);
  return p->sent - atomic_load_explicit(&p->known_consumed, memory_order_relaxed) >= PST_CHANNEL_WINDOW;
}

struct pst_early *pst_inbox_take(gasnet_node_t node, const struct pst_head *call, int answer)
{
  struct pst_early *e = pst_mail_take(&peer_lock(node)->mail, call, answer);
  pthread_mutex_unlock(&lock);
  return e;
}

void pst_inbox_clean(pst_head_test_fn drop)
{
  for (gasnet_node_t i = 0; peers && i < pst_nodes; i++) {
    uint32_t n;
    pthread_mutex_lock(&lock);
    n = peers[i] ? pst_mail_clean(&peers[i]->mail, drop) : 0;
    pthread_mutex_unlock(&lock);
    while (n-- > 0) pst_inbox_consumed(i);
  }
}

/* Where there is no room for the message now, the next one tells. */
void pst_inbox_consumed(gasnet_node_t node)
{
  struct peer *p = peer_find(node);
  const gasnet_handlerarg_t count = (gasnet_handlerarg_t)++p->consumed;
  if (p->consumed - p->told < PST_CHANNEL_WINDOW / 2) return;
  if (pst_am_request_try(node, PST_HANDLER_TEAM_CONSUMED, NULL, 0, 1, &count) == PST_OK)
    p->told = p->consumed;
}
