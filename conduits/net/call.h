/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of the library that move data.
 *
 * When a process ends its endpoint is closed. Other threads may be about to call the library then, and the
 * signal that ends the process may have interrupted this thread inside a call. So calls are counted, and once
 * they are stopped none begins. A call that does not begin is like one that finds no room, and like one that
 * tests let fail (faults.h). */
#ifndef CONDUITS_NET_CALL_H
#define CONDUITS_NET_CALL_H
#include "conduits/net/faults.h"
#include "conduits/net/net.h"

extern _Atomic int pst_net_call_stopped;
int pst_net_call_count(void); /* where there may be several threads: 1, or 0 when calls have been stopped */
void pst_net_call_uncount(void);

/* 1: the library may be called, and pst_net_call_end must follow. */
static inline int pst_net_call_begin(void)
{
  if (__builtin_expect(pst_net.par, 0) ? !pst_net_call_count()
                                       : atomic_load_explicit(&pst_net_call_stopped, memory_order_relaxed))
    return 0;
  pst_net_deeper();
  return 1;
}

static inline void pst_net_call_end(void)
{
  if (__builtin_expect(pst_net.par, 0)) pst_net_call_uncount();
  pst_net_out();
}

/* The same for calls that may find no room. */
static inline int pst_net_call_try(void) { return !pst_net_room_is_refused() && pst_net_call_begin(); }

/* For networks that one thread at a time may call, whichever the job has. 1: the network may be called, by
 * this thread alone. */
extern pthread_mutex_t pst_net_call_lock;
static inline int pst_net_call_enter(void)
{
  if (!pst_net_call_try()) return 0;
  pst_net_lock(&pst_net_call_lock);
  return 1;
}
static inline void pst_net_call_leave(void)
{
  pst_net_unlock(&pst_net_call_lock);
  pst_net_call_end();
}
/* For callers that may as well come later. */
static inline int pst_net_call_try_enter(void)
{
  if (!pst_net_call_try()) return 0;
  if (pst_net_trylock(&pst_net_call_lock)) return 1;
  pst_net_call_end();
  return 0;
}

/* From now on no call begins. 1: within `seconds` none was under way any more. 0: some thread is still inside
 * a call, or this thread was interrupted in one. */
int pst_net_call_stop(double seconds);

/* 1: this thread is inside a call: a signal has interrupted it, and its handler asks. */
int pst_net_call_interrupted(void);

/* In a signal handler: 1 where this thread is inside a call; end(sig) is then called when the call has
 * ended. */
int pst_net_call_defer(void (*end)(int sig), int sig);
int pst_net_call_deferred(void); /* 1: pst_net_call_defer has returned 1 */

#endif
