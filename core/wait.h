/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How a thread waits: spin, yield, sleep. */
#ifndef CORE_WAIT_H
#define CORE_WAIT_H
#include "core/conduit.h"

/* Chooses how to wait: by the cores that the processes of the host share, and by how many processes share
 * memory with this one, itself included. */
void pst_wait_open(unsigned processes, unsigned cores, unsigned near);

/* How often a thread that waits for one word may look at the word alone, with a pause between two looks,
 * before it serves messages: 0 where other processes need the core. */
unsigned pst_wait_eager(void);

/* How much a layer above keeps back for this thread to send later; each wait and poll sends it by
 * pst_wait_send. */
extern _Thread_local unsigned pst_wait_unsent __attribute__((tls_model("initial-exec")));
extern void (*pst_wait_send)(void);
/* The progress thread calls it while the client's threads compute: sends what any of them has kept back for
 * long. 1: something is left. The layer above sets it while that thread runs (release, and acquire). */
typedef int (*pst_send_old_fn)(void);
extern _Atomic pst_send_old_fn pst_wait_send_old;
/* Likewise: advances collectives. 1: some are under way. */
extern _Atomic pst_send_old_fn pst_wait_advance_behind;
/* NULL, or for a thread that is about to sleep: 1, and a word whose change advances a collective; -1 where
 * one may advance already; 0 where there is none. */
extern int (*pst_wait_find_watch)(struct pst_watch *watch);
/* Something is done for which another thread of this process may wait: wakes those that sleep, and keeps
 * those that are about to sleep awake. */
void pst_wait_tell(void);
static inline void pst_wait_offer(void)
{
  if (__builtin_expect(pst_wait_unsent != 0, 0)) pst_wait_send();
}

/* One step of a wait: serves what has arrived, and where nothing has, waits a little, longer with each step.
 * pst_wait_step (public) serves all messages. */
void pst_wait_barrier(struct pst_wait *w); /* serves all, and may sleep until the barrier is released */
/* serves all; looks at the word, and may sleep until the word has changed */
void pst_wait_word(struct pst_wait *w, const struct pst_watch *watch);
void pst_wait_room(struct pst_wait *w);    /* serves all, never sleeps: nothing wakes it for room */
void pst_wait_replies(struct pst_wait *w); /* inside a handler: serves replies, never sleeps */

/* One poll for a client that does not wait. Gives the core away when many polls in a row have found nothing
 * and other processes need the core. */
void pst_wait_poll(void);

#endif
