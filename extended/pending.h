/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations that end with a reply. Where losses are reported (core/loss.h) the replies that are awaited are
 * in a table, with the node that each is to come from. When that node is lost, the operation ends without the
 * reply: its completion says so. A reply that comes later finds no entry and is ignored, so the operation's
 * memory may have another use by then. Elsewhere nothing is noted. */
#ifndef EXTENDED_PENDING_H
#define EXTENDED_PENDING_H
#include "core/loss.h"
#include "core/token.h"
#include "extended/op.h"

/* `key` is what the reply names, *c what counts the event. Several replies may have one node, key and event:
 * then *c is the same. For a node that is lost already the event ends at once. */
void pst_pending_note(gasnet_node_t node, void *key, struct pst_completion *c, unsigned event);
/* 1: the reply is awaited, and no longer noted. */
int pst_pending_forget(gasnet_node_t node, const void *key, unsigned event);

/* Before a request is sent. */
static inline void pst_pending_begin(gasnet_node_t node, void *key, struct pst_completion *c, unsigned event)
{
  pst_completion_add(c, event);
  if (__builtin_expect(pst_loss.on, 0)) pst_pending_note(node, key, c, event);
}

/* In the handler of the reply, before anything that key leads to is looked at. 0: the operation has ended. */
static inline int pst_pending_end(gasnet_token_t token, const void *key, unsigned event)
{
  return __builtin_expect(!pst_loss.on, 1) ||
      pst_pending_forget(((const struct pst_token *)token)->src, key, event);
}

/* The handler of a reply that says no more than that. */
static inline void pst_pending_done(gasnet_token_t token, struct pst_completion *c, unsigned event)
{
  if (pst_pending_end(token, c, event)) pst_completion_done(c, event);
}

/* The request was not sent. */
static inline void pst_pending_undo(gasnet_node_t node, struct pst_completion *c, unsigned event)
{
  if (__builtin_expect(!pst_loss.on, 1) || pst_pending_forget(node, c, event)) pst_completion_done(c, event);
}

void pst_pending_open(void);

#endif
