/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lost nodes, where the client wants to be told of them instead of ending with them (gasnetx_report_losses).
 *
 * bootstrap/losses.h has the list of this host. Each process marks in `lost` what it has seen of it. Whoever
 * finds that the list has grown takes the lock, marks the new nodes, tells the conduits and the layer above
 * of each, and then stores how many it has seen (release): a thread that finds nothing new (acquire) finds
 * the marks, and the conduits know. Nobody has to be woken: a sleeper looks again after some milliseconds,
 * for the sake of conditions that no message makes true.
 *
 * Where losses are not reported `on` is 0, and code on paths that move data does not ask. */
#ifndef CORE_LOSS_H
#define CORE_LOSS_H
#include <stdatomic.h>

#include "gasnetx.h"

struct pst_loss {
  int asked;             /* by this client */
  int on;                /* all nodes have asked, and are attached */
  _Atomic uint32_t seen; /* entries of the list */
  _Atomic uint8_t *lost; /* [nodes] */
};
extern struct pst_loss pst_loss;

/* At attach, when all are known to have asked: ends the job where losses cannot be reported. Collective. */
void pst_loss_open(void);
/* All are attached: from now on a death does not end the job. */
void pst_loss_begin(void);

/* How many losses this process knows of; learns of new ones. The i-th of them, in the order of this host. */
uint32_t pst_loss_look(void);
gasnet_node_t pst_loss_node(uint32_t i);

/* Without a look. */
static inline int pst_loss_is_marked(gasnet_node_t node)
{
  return atomic_load_explicit(&pst_loss.lost[node], memory_order_relaxed);
}
int pst_loss_ask(gasnet_node_t node);
/* 1 if the node is lost. Looks for new losses. */
static inline int pst_loss_of(gasnet_node_t node)
{
  return __builtin_expect(pst_loss.on, 0) && pst_loss_ask(node);
}

/* Why a call or an operation has ended early: the calling thread's status says so. */
enum { PST_LOSS_LOST = 1, PST_LOSS_LEFT };
void pst_loss_note(unsigned why);

/* NULL, or called with each new loss, by one thread at a time; it may not wait or send. */
extern void (*pst_loss_hook)(gasnet_node_t node);

#endif
