/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Channels of messages between nodes that share no memory.
 *
 * A sender numbers its messages, since a network may change their order. It has at most WINDOW messages on
 * their way that the receiver has not taken: the receiver tells by a message, every WINDOW / 2, how many it
 * has taken. A message that the receiver waits for is copied to its place by the handler. A message that
 * comes early is kept, with a copy of its payload, under its number modulo WINDOW. The memory of a peer is
 * made when it is first talked to.
 *
 * Handlers may run in other threads: the lock guards everything that they touch, and is held for list steps
 * and one copy. */
#include "extended/team_messages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/handler.h"
#include "core/job.h"

enum { PIECE = 16384, WINDOW = 16 };

struct early {
  int here;
  uint32_t tag;
  size_t nbytes;
  char *data; /* owned; NULL where there are no bytes */
};

struct peer {
  uint32_t sent;          /* by the thread in a collective alone */
  _Atomic uint32_t freed; /* how many of them were taken */
  _Atomic uint32_t reads; /* the peer has told so many; release: what it has read may be written again */
  uint32_t received, told;
  struct early early[WINDOW]; /* by number modulo WINDOW */
  /* Where the next message is to go, while the receiver waits for it; `arrived` when it is there. */
  char *place;
  size_t expected;
  uint32_t tag;
  int arrived;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct peer **peers; /* [nodes] */

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

static void peer_keep_early(struct peer *p, uint32_t number, uint32_t tag, const void *data, size_t nbytes)
{
  struct early *e = &p->early[number % WINDOW];
  if (number - p->received - 1 >= WINDOW || e->here)
    pst_fatal("malformed message %u of a collective after %u", number, p->received);
  *e = (struct early){1, tag, nbytes, nbytes ? malloc(nbytes) : NULL};
  if (nbytes && !e->data) pst_fatal("out of memory for %zu bytes of a collective that came early", nbytes);
  if (nbytes) memcpy(e->data, data, nbytes);
}

static void handle_piece(
    gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t number, gasnet_handlerarg_t tag)
{
  gasnet_node_t src;
  struct peer *p;
  gasnet_AMGetMsgSource(token, &src);
  p = peer_lock(src);
  if (p->place && (uint32_t)number == p->received + 1 && nbytes == p->expected) {
    if (nbytes) memcpy(p->place, buf, nbytes);
    p->place = NULL;
    p->tag = (uint32_t)tag;
    p->arrived = 1;
  } else {
    peer_keep_early(p, (uint32_t)number, (uint32_t)tag, buf, nbytes);
  }
  pthread_mutex_unlock(&lock);
}

/* Such messages may overtake each other. */
static void handle_taken(gasnet_token_t token, gasnet_handlerarg_t taken)
{
  gasnet_node_t src;
  struct peer *p;
  gasnet_AMGetMsgSource(token, &src);
  p = peer_lock(src);
  if ((int32_t)((uint32_t)taken - p->freed) > 0) p->freed = (uint32_t)taken;
  pthread_mutex_unlock(&lock);
}

static void handle_read(gasnet_token_t token)
{
  gasnet_node_t src;
  gasnet_AMGetMsgSource(token, &src);
  atomic_fetch_add_explicit(&peer_lock(src)->reads, 1, memory_order_release);
  pthread_mutex_unlock(&lock);
}

void pst_messages_tell_read(gasnet_node_t node)
{
  pst_am_request_short(node, PST_HANDLER_TEAM_READ, 0, NULL);
}

uint32_t pst_messages_reads(gasnet_node_t node)
{
  const struct peer *p = peer_lock(node);
  pthread_mutex_unlock(&lock);
  return atomic_load_explicit(&p->reads, memory_order_acquire);
}

void pst_messages_open(void)
{
  pst_handler_set(PST_HANDLER_TEAM, (pst_handler_fn)handle_piece);
  pst_handler_set(PST_HANDLER_TEAM_TAKEN, (pst_handler_fn)handle_taken);
  pst_handler_set(PST_HANDLER_TEAM_READ, (pst_handler_fn)handle_read);
  if (pst_team_in_block == pst_nodes) return;
  peers = calloc(pst_nodes, sizeof *peers);
  if (!peers) pst_fatal("out of memory for %u nodes", pst_nodes);
}

size_t pst_messages_room(void)
{
  return pst_job.limits.max_medium < PIECE ? pst_job.limits.max_medium : PIECE;
}

int pst_messages_send(gasnet_node_t node, uint32_t tag, const void *data, size_t n)
{
  struct peer *p = peer_lock(node);
  pthread_mutex_unlock(&lock);
  if (p->sent - atomic_load_explicit(&p->freed, memory_order_relaxed) >= WINDOW) return 0;
  const gasnet_handlerarg_t args[] = {(gasnet_handlerarg_t)++p->sent, (gasnet_handlerarg_t)tag};
  pst_am_request_medium(node, PST_HANDLER_TEAM, data, n, 2, args);
  return 1;
}

/* Under the lock: takes the next message out of its slot, if it has come, else makes its place known. */
static struct early peer_next(struct peer *p, void *to, size_t n)
{
  struct early *slot = &p->early[(p->received + 1) % WINDOW], e = *slot;
  if (p->arrived) return (struct early){0};
  slot->here = 0;
  if (!e.here) {
    p->place = to;
    p->expected = n;
  }
  return e;
}

static int early_accept(struct early e, uint32_t tag, void *to, size_t n)
{
  const int right = e.tag == tag && e.nbytes == n;
  if (right && n) memcpy(to, e.data, n);
  free(e.data);
  return right ? 1 : -1;
}

/* Under the lock: 1 when it is time to tell how many were taken. */
static int peer_count_taken(struct peer *p)
{
  if (++p->received - p->told < WINDOW / 2) return 0;
  p->told = p->received;
  return 1;
}

static void peer_tell_taken(gasnet_node_t node, uint32_t taken)
{
  const gasnet_handlerarg_t arg = (gasnet_handlerarg_t)taken;
  pst_am_request_short(node, PST_HANDLER_TEAM_TAKEN, 1, &arg);
}

int pst_messages_receive(gasnet_node_t node, uint32_t tag, void *to, size_t n)
{
  struct peer *p = peer_lock(node);
  const struct early e = peer_next(p, to, n);
  const int arrived = p->arrived, taken = arrived || e.here, full = taken && peer_count_taken(p);
  const uint32_t count = p->told;
  p->arrived = 0;
  pthread_mutex_unlock(&lock);
  if (!taken) return 0;
  if (full) peer_tell_taken(node, count);
  return e.here ? early_accept(e, tag, to, n) : p->tag == tag ? 1 : -1;
}
