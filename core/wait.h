/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How a thread waits: spin, yield, sleep. */
#ifndef CORE_WAIT_H
#define CORE_WAIT_H
#include "core/conduit.h"

/* Chooses by the cores that the processes of the host share, and by how many of them share memory with this
 * one, itself included. */
void pst_wait_open(unsigned processes, unsigned cores, unsigned near);

/* How often somebody who waits for one word may look at it alone, with a pause between, before he serves
 * messages: 0 where others need the core. */
unsigned pst_wait_eager(void);

/* What this thread has not sent yet, and how to send it, where a layer above has such. Whoever waits or
 * polls, offers. */
extern _Thread_local unsigned pst_wait_unsent __attribute__((tls_model("initial-exec")));
extern void (*pst_wait_send)(void);
/* For the network's own thread, while the client's compute: sends what any of them has kept back for long. 1:
 * something is left. That thread runs before the layer above sets it (release, and acquire). */
typedef int (*pst_send_old_fn)(void);
extern _Atomic pst_send_old_fn pst_wait_send_old;
static inline void pst_wait_offer(void)
{
  if (__builtin_expect(pst_wait_unsent != 0, 0)) pst_wait_send();
}

/* One step each: serve what there is; where there is nothing, wait a little, longer the longer
 * this goes on. pst_wait_step (public) serves all. */
void pst_wait_barrier(struct pst_wait *w); /* serves all, and may sleep until the barrier is released */
/* serves all; looks at the word meanwhile, and may sleep until it is no longer what was seen */
void pst_wait_word(struct pst_wait *w, const struct pst_watch *watch);
void pst_wait_room(struct pst_wait *w); /* serves all, never sleeps: nobody rings when there is room again */
void pst_wait_replies(struct pst_wait *w); /* inside a handler: serves replies, never sleeps */

/* One poll for a client that does not wait; gives the core away when many in a row found nothing and others
 * need it. */
void pst_wait_poll(void);

#endif
