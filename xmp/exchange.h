/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* An exchange of boxes with neighbours that is repeated: each turn every sender's boxes go to its receivers,
 * and nobody else is waited for. Two uses: reflect, where owners send to holders, and reduce_shadow, where
 * holders send to owners, who add.
 *
 * Each pair of a sender and a receiver with a box is a link. At either end it has a line of words in that
 * node's segment, which the other end changes:
 *   ready       at the sender: how many turns the receiver has entered. It has used up what turn n has
 * brought when it enters turn n + 1. arrived[2]  at the receiver: twice the number of the turn whose data has
 * come, plus 1 if they lie in the receiver's buffer; turns take the two words, and the two buffers, by turns.
 *
 * Invariant: in turn n a sender writes
 *   to the receiver's array only when ready >= n: the receiver is in turn n, and reads its shadow no more;
 *   to buffer n mod 2 only when ready >= n - 1: the receiver has used up turn n - 2, which was there before.
 * A receiver leaves turn n only when arrived[n mod 2] says n. So a fast neighbour never overwrites shadow
 * that is still read, and nobody reads what has not come. The word of turn n is written after the data (a put
 * that notifies), and not before that of turn n - 2 has been seen, so it only grows. `ready` is added to,
 * because the additions of two turns may come in any order.
 *
 * Small boxes go to the array if the receiver is ready when the sender comes, else into the buffer, so that a
 * sender does not wait. Large ones have no buffer, and wait for the receiver: a copy would take longer.
 *
 * Over a network a word is a message. There nodes that send to each other say nothing of `ready`, and always
 * use buffers: a node begins turn n when the other's data of turn n - 1 have come, so the other has entered
 * that turn. */
#ifndef XMP_EXCHANGE_H
#define XMP_EXCHANGE_H

#include "xmp/halo.h"

struct pst_xmp_exchange;

enum pst_xmp_exchange_kind { PST_XMP_EXCHANGE_REFLECT, PST_XMP_EXCHANGE_SUM };

/* Collective on the group, whose members are all that can have boxes of each other. `held`, `owned`: this
 * node's. buffer_all: each box gets buffers, so that no sender waits (of async forms). */
struct pst_xmp_exchange *pst_xmp_exchange_open(const char *where, const struct pst_xmp_array_full *a,
    struct pst_xmp_group *group, enum pst_xmp_exchange_kind kind, const struct pst_xmp_boxes *held,
    const struct pst_xmp_boxes *owned, int buffer_all);
/* Not collective, but waits until neighbours have entered the last turn, since they tell so in memory that is
 * given back. */
void pst_xmp_exchange_close(struct pst_xmp_exchange *x);

/* A turn: begins where none is under way, else ends that first. It reads elements that are sent now or later
 * in this turn: they must not change before its end. advance: 1 when the turn has ended; does not wait. */
void pst_xmp_exchange_begin(struct pst_xmp_exchange *x);
int pst_xmp_exchange_advance(struct pst_xmp_exchange *x);
void pst_xmp_exchange_end(struct pst_xmp_exchange *x);

#endif
