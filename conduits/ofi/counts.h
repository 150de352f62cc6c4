/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Counts by which the two nodes of a pair find out that messages between them were lost. This object knows
 * no network: the caller brings the statements, and lost.c says when to look and when to tell.
 *
 * Messages may overtake each other, and more may follow those that are lost, so each counts in one of two
 * periods, which its head names. Now and then a sender closes the period if it has sent something: new
 * messages count in the other one, and a COUNT says how many the closed one had so far. The receiver answers
 * COUNTED as soon as that many have come, and only then the sender closes the next. So while some are missing
 * none of the same period follow, and the receiver finds that they are missing at each of its looks. COUNT
 * and COUNTED may be lost, too: a sender repeats COUNT.
 *
 * `sent` grows when the network has a message, `got` when it is taken from the network's queue; both go
 * round. They order nothing (relaxed): a value that is a little old only makes one more look. A thread that
 * sends may have read `period` before it was closed, and add to `sent` after the answer: the period is closed
 * again then. `asked` and `agreed` are stored by who reads the queue. The rest belongs to the thread that has
 * the watch. */
#ifndef CONDUITS_OFI_COUNTS_H
#define CONDUITS_OFI_COUNTS_H
#include "conduits/net/message.h"

/* A statement is a count and its period; 0: none. */
struct pst_ofi_counts {
  _Atomic uint64_t asked;  /* the peer's last statements: it has sent so many, */
  _Atomic uint64_t agreed; /* and it has received so many */
  uint64_t told;           /* this node's statement of its closed period; 0: none is closed */
  _Atomic uint32_t sent[PST_NET_PERIODS], got[PST_NET_PERIODS];
  uint32_t common[PST_NET_PERIODS]; /* `sent`, when the peer last agreed */
  uint32_t awaited;                 /* the count that the peer asks for, */
  uint8_t late;                     /* and how many looks have found that messages are missing */
  _Atomic uint8_t period;           /* of the messages that are sent now */
  uint16_t waited;                  /* turns to tell since the closed period was closed */
};

/* At so many looks one after the other messages are missing before they are called lost. */
enum { PST_OFI_LOOKS = 14 };
/* How many COUNTs and COUNTEDs of a peer may be in the queue: nobody has read it since the peer closed a
 * period, so none of them was answered. */
enum { PST_OFI_MOST_COUNTS = 18 };

/* Sends COUNT or COUNTED (form). PST_OK, or it could not be sent now. */
typedef int pst_ofi_tell_fn(gasnet_node_t peer, enum pst_net_form form, unsigned period, uint32_t count);

static inline unsigned pst_ofi_counts_period(const struct pst_ofi_counts *c)
{
  return atomic_load_explicit(&c->period, memory_order_relaxed);
}

/* A statement of the peer has come. */
void pst_ofi_counts_hear(struct pst_ofi_counts *c, enum pst_net_form form, unsigned period, uint32_t count);

/* One look at what the peer has stated. Returns PST_OFI_SETTLED where it waits for no answer,
 * PST_OFI_UNSETTLED where another look is needed, or how many messages are lost. */
enum { PST_OFI_UNSETTLED = -1, PST_OFI_SETTLED = 0 };
int32_t pst_ofi_counts_look(struct pst_ofi_counts *c, gasnet_node_t peer, pst_ofi_tell_fn *tell);

/* A turn to tell the peer how many messages this node has sent. */
void pst_ofi_counts_tell(struct pst_ofi_counts *c, gasnet_node_t peer, pst_ofi_tell_fn *tell);

#endif
