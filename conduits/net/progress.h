/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Looks at a network, and polls. */
#ifndef CONDUITS_NET_PROGRESS_H
#define CONDUITS_NET_PROGRESS_H
#include "conduits/net/call.h"
#include "conduits/net/credit.h"

/* A conduit's look at its network: how much it has found. */
typedef int pst_net_look_fn(void);

/* A poll: `progress` looks, and then what waits runs. In a handler only replies may run. */
static inline int pst_net_poll_replies(pst_net_look_fn *progress)
{
  int n;
  pst_net_replies_only++;
  n = progress();
  n += pst_net_deliver_waiting(PST_NET_REPLIES);
  pst_net_replies_only--;
  return n;
}
static inline int pst_net_poll(pst_net_look_fn *progress)
{
  int n;
  if (pst_net_replies_only) return pst_net_poll_replies(progress);
  n = progress();
  n += pst_net_deliver_waiting(PST_NET_REPLIES);
  return n + pst_net_deliver_waiting(PST_NET_REQUESTS);
}

/* ---- networks that one thread at a time may call ---- */

/* After a look, outside of the call: few looks look at the clock. */
static inline void pst_net_after_look(void)
{
  enum { EVERY = 64 };
  static _Thread_local unsigned looks __attribute__((tls_model("initial-exec")));
  pst_credit_pay();
  if (__builtin_expect(++looks % EVERY == 0, 0)) pst_net_watch(pst_net_now());
}

/* -1: another thread is in the network. */
static inline int pst_net_look_alone(pst_net_look_fn *look)
{
  int n;
  if (!pst_net_call_try_enter()) return -1;
  n = look();
  pst_net_call_leave();
  return n;
}

/* The client's look; a thread that finds another one in the network has nothing to do there. */
static inline int pst_net_progress(pst_net_look_fn *look)
{
  int n;
  pst_net_count_look();
  n = pst_net_look_alone(look);
  pst_net_after_look();
  return n < 0 ? 0 : n;
}

/* The progress thread's look (struct pst_net_thread), which goes away while another thread is there. */
static inline int pst_net_serve(pst_net_look_fn *look)
{
  const int n = pst_net_look_alone(look);
  if (n >= 0) pst_net_after_look();
  return n;
}

#endif
