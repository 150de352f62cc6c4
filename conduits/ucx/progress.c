/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Progress. One thread at a time calls UCP; messages that it receives wait (receive.c) until a thread
 * delivers them, another one or the same one inside a handler. */
#include <poll.h>
#include <time.h>

#include "conduits/ucx/call.h"

pthread_mutex_t pst_ucx_lock = PTHREAD_MUTEX_INITIALIZER;

/* Few of the looks at the network look at the clock. */
static inline void watch_clock(void)
{
  enum { EVERY = 64 };
  static _Thread_local unsigned looks __attribute__((tls_model("initial-exec")));
  if (__builtin_expect(++looks % EVERY == 0, 0)) pst_net_watch(pst_net_now());
}

/* Puts are flushed first, so that the flush leaves with them. Answers are sent last, for the look may have
 * made room. */
static inline int look_at_network(void)
{
  int n;
  if (pst_ucx_open_batches) pst_ucx_flush_batches();
  n = (int)UCX(worker_progress)(pst_ucx.worker);
  if (pst_ucx_late_answers) pst_ucx_bulk_answer();
  return n;
}

/* Outside of the call of UCP. */
static inline void after_look(void)
{
  pst_credit_pay();
  watch_clock();
}

int pst_ucx_progress(void)
{
  int n = 0;
  pst_net_count_look();
  if (pst_ucx_try_enter()) {
    n = look_at_network();
    pst_ucx_leave();
  }
  after_look();
  return n;
}

int pst_ucx_serve(void)
{
  int n;
  if (!pst_ucx_try_enter()) return -1;
  n = look_at_network();
  pst_ucx_leave();
  after_look();
  return n;
}

/* UCP signals its descriptor only when it was asked to, and refuses while something is there already. */
void pst_ucx_sleep(int milliseconds)
{
  enum { NAP = 200 /* microseconds */ };
  struct pollfd fd = {.fd = pst_ucx.efd, .events = POLLIN};
  ucs_status_t status;
  if (pst_ucx.efd < 0) {
    pst_net_nap(NAP);
    return;
  }
  if (!pst_ucx_try_enter()) return;
  status = UCX(worker_arm)(pst_ucx.worker);
  pst_ucx_leave();
  if (status == UCS_OK) poll(&fd, 1, milliseconds);
  else if (status != UCS_ERR_BUSY) pst_net_nap(NAP);
}

/* A handler's own poll comes through here too, but then only replies may run. */
int pst_ucx_poll(void)
{
  int n;
  if (pst_net_replies_only) return pst_ucx_poll_replies();
  n = pst_ucx_progress() + pst_net_deliver_waiting(PST_NET_REPLIES);
  return n + pst_net_deliver_waiting(PST_NET_REQUESTS);
}

int pst_ucx_poll_replies(void)
{
  int n;
  pst_net_replies_only++;
  n = pst_ucx_progress() + pst_net_deliver_waiting(PST_NET_REPLIES);
  pst_net_replies_only--;
  return n;
}

/* What was sent must leave this process before it ends, but a peer that is gone must not keep it. UCP's
 * own flush covers what it has taken from us and not yet given to the network. */
int pst_ucx_flush(double seconds)
{
  static const ucp_request_param_t param = {0};
  const double end = pst_net_now() + seconds;
  ucs_status_ptr_t all;
  int done;
  atomic_store_explicit(&pst_net.closing, 1, memory_order_relaxed);
  pst_net_nothing_runs++;
  while (atomic_load_explicit(&pst_ucx.in_flight, memory_order_relaxed) && pst_net_now() < end)
    pst_ucx_progress();
  if (atomic_load_explicit(&pst_ucx.in_flight, memory_order_relaxed) || !pst_ucx_enter()) return 0;
  all = UCX(worker_flush_nbx)(pst_ucx.worker, &param);
  while (UCS_PTR_IS_PTR(all) && UCX(request_check_status)(all) == UCS_INPROGRESS && pst_net_now() < end)
    UCX(worker_progress)(pst_ucx.worker);
  done = !UCS_PTR_IS_PTR(all) || UCX(request_check_status)(all) != UCS_INPROGRESS;
  if (UCS_PTR_IS_PTR(all)) UCX(request_free)(all);
  pst_ucx_leave();
  return done;
}
