/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Progress. One thread at a time calls UCP; messages that it receives wait (receive.c) until a thread
 * delivers them, another one or the same one inside a handler. */
#include <poll.h>

#include "conduits/net/progress.h"
#include "conduits/ucx/call.h"

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

int pst_ucx_progress(void) { return pst_net_progress(look_at_network); }
int pst_ucx_serve(void) { return pst_net_serve(look_at_network); }
int pst_ucx_poll(void) { return pst_net_poll(pst_ucx_progress); }
int pst_ucx_poll_replies(void) { return pst_net_poll_replies(pst_ucx_progress); }

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
  if (!pst_net_call_try_enter()) return;
  status = UCX(worker_arm)(pst_ucx.worker);
  pst_net_call_leave();
  if (status == UCS_OK) poll(&fd, 1, milliseconds);
  else if (status != UCS_ERR_BUSY) pst_net_nap(NAP);
}

/* What it has taken from us and not yet given to the network. */
int pst_ucx_flush_worker(double end)
{
  static const ucp_request_param_t param = {0};
  ucs_status_ptr_t all;
  int done;
  if (!pst_net_call_enter()) return 0;
  all = UCX(worker_flush_nbx)(pst_ucx.worker, &param);
  while (UCS_PTR_IS_PTR(all) && UCX(request_check_status)(all) == UCS_INPROGRESS && pst_net_now() < end)
    UCX(worker_progress)(pst_ucx.worker);
  done = !UCS_PTR_IS_PTR(all) || UCX(request_check_status)(all) != UCS_INPROGRESS;
  if (UCS_PTR_IS_PTR(all)) UCX(request_free)(all);
  pst_net_call_leave();
  return done;
}

/* What was sent must leave this process before it ends, but a peer that is gone must not keep it. */
int pst_ucx_flush(double seconds)
{
  const double end = pst_net_now() + seconds;
  atomic_store_explicit(&pst_net.closing, 1, memory_order_relaxed);
  pst_net_nothing_runs++;
  while (atomic_load_explicit(&pst_ucx.in_flight, memory_order_relaxed) && pst_net_now() < end)
    pst_ucx_progress();
  return !atomic_load_explicit(&pst_ucx.in_flight, memory_order_relaxed) && pst_ucx_flush_worker(end);
}
