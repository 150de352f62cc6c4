/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The completion queue.
 *
 * A thread reads several completions at once. What is done with the operations is noted at once; messages
 * wait in `arrived` for the next thread that comes. That may be the same thread, inside a handler of the
 * first message: kept in its own variables, the second one could never bring the room that this handler waits
 * for. One thread at a time reads, and counts each message on its buffer before another may read that the
 * buffer is full. */
#include <poll.h>
#include <rdma/fi_errno.h>
#include <stddef.h>
#include <string.h>

#include "conduits/net/progress.h"
#include "conduits/ofi/call.h"

/* What completed is an operation or a receive buffer (receive.c), which has its kind at the same place. */
static enum pst_ofi_kind kind_of(const void *context)
{
  enum pst_ofi_kind kind;
  memcpy(&kind, (const char *)context + offsetof(struct pst_ofi_op, kind), sizeof kind);
  return kind;
}

/* An operation for a peer that is gone is never done; at the end nobody waits for it. Where losses are
 * reported all are messages, for which nobody waits, and others need the room. */
static void fail_operation(struct pst_ofi_op *op, int err)
{
  const int greeting = op->kind == PST_OFI_OP_GREETING,
            closing = atomic_load_explicit(&pst_net.closing, memory_order_relaxed);
  if (greeting) pst_ofi_meet_failed(op->peer, err);
  else if (!closing) pst_ofi_lost(op->peer, err);
  if (greeting || closing || pst_net_reports()) pst_ofi_op_free(op);
}

static void fail_receive(const struct fi_cq_err_entry *e)
{
  if (atomic_load_explicit(&pst_net.closing, memory_order_relaxed) || e->err == FI_ECANCELED) return;
  if (!pst_net_reports())
    pst_fatal("%s cannot receive: %s", pst_net.library, pst_ofi_library.strerror(e->err));
  pst_ofi_receive_failed(e->op_context, e->flags);
}

static void handle_error(void)
{
  struct fi_cq_err_entry e = {0};
  if (fi_cq_readerr(pst_ofi.cq, &e, 0) < 0) return;
  if (!e.op_context) pst_ofi_lost(PST_NET_SOME_PEER, e.err); /* injected */
  else if (kind_of(e.op_context) != PST_OFI_OP_RECV) fail_operation(e.op_context, e.err);
  else fail_receive(&e);
}

/* ---- completions ---- */

enum { BATCH = 16 };

static struct {
  pthread_mutex_t lock;
  struct fi_cq_data_entry e[BATCH];
  unsigned next, count;
} arrived = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The operations that were found complete; messages are in `arrived` afterwards. */
static int read_queue(void)
{
  struct fi_cq_data_entry e[BATCH];
  const ssize_t n = pst_ofi_call_completions(e, BATCH);
  arrived.next = arrived.count = 0;
  if (n == -FI_EAVAIL) handle_error();
  else if (n < 0 && n != -FI_EAGAIN && n != -FI_EINTR)
    pst_fatal("libfabric's completion queue failed: %s", pst_ofi_error(n));
  for (ssize_t i = 0; i < n; i++) {
    if (kind_of(e[i].op_context) == PST_OFI_OP_RECV) {
      pst_ofi_receive_hold(&e[i]);
      arrived.e[arrived.count++] = e[i];
    } else {
      pst_ofi_op_done(e[i].op_context);
    }
  }
  return n > 0 ? (int)n - (int)arrived.count : 0;
}

/* 1: a message. The queue is read only where that is allowed and nothing waits; *done grows by the operations
 * that were complete. A thread that reads at this moment does it for this thread, too. */
static int next_message(int may_read, struct fi_cq_data_entry *e, int *done)
{
  int found;
  if (pst_net.par && pthread_mutex_trylock(&arrived.lock) != 0) return 0;
  if (arrived.next == arrived.count && may_read) *done += read_queue();
  found = arrived.next < arrived.count;
  if (found) *e = arrived.e[arrived.next++];
  if (pst_net.par) pthread_mutex_unlock(&arrived.lock);
  return found;
}

static int progress_queue(void)
{
  struct fi_cq_data_entry e;
  int done = 0;
  for (int n = 0; n < BATCH && next_message(n == 0, &e, &done); n++) {
    pst_ofi_receive_done(&e);
    done++;
  }
  pst_ofi_receive_retry();
  pst_credit_pay();
  pst_ofi_watch();
  return done;
}

int pst_ofi_progress(void)
{
  pst_net_count_look();
  return progress_queue();
}

/* The thread that holds the lock may wait for the core that this thread runs on. */
static int somebody_reads(void)
{
  if (pthread_mutex_trylock(&arrived.lock) != 0) return 1;
  pthread_mutex_unlock(&arrived.lock);
  return 0;
}

int pst_ofi_serve(void)
{
  int n;
  if (somebody_reads()) return -1;
  pst_net_nothing_runs++;
  n = progress_queue();
  pst_net_nothing_runs--;
  return n;
}

/* ---- sleeping ---- */

static int is_readable(int fd, int milliseconds)
{
  struct pollfd p = {.fd = fd, .events = POLLIN};
  return poll(&p, 1, milliseconds) > 0;
}

/* fi_trywait(3): a thread that sleeps after it was granted is woken. libfabric 1.17's net grants it, and
 * leaves the descriptor readable since the last completion: only a wait inside libfabric takes that back. It
 * is one of a millisecond, which takes no completion, and ends when there is one. */
static int queue_arm(void)
{
  enum { SHORT = 1 /* ms */ };
  struct fid *cq = &pst_ofi.cq->fid;
  int rc;
  if (pst_ofi.wait_fd < 0) return PST_ERR_UNSUPPORTED;
  if (!pst_net_call_try()) return PST_ERR_AGAIN;
  rc = fi_trywait(pst_ofi.fabric, &cq, 1);
  if (rc == FI_SUCCESS && is_readable(pst_ofi.wait_fd, 0)) {
    fi_cq_sread(pst_ofi.cq, NULL, 0, NULL, SHORT);
    rc = -FI_EAGAIN;
  }
  pst_net_call_end();
  return rc == FI_SUCCESS ? pst_ofi.wait_fd : PST_ERR_AGAIN;
}

void pst_ofi_sleep(int milliseconds)
{
  enum { NAP = 200, SHORT_NAP = 50 }; /* microseconds; each takes some 20 of a core */
  const int fd = queue_arm();
  if (fd >= 0) is_readable(fd, milliseconds);
  else
    pst_net_nap(
        fd == PST_ERR_AGAIN ? SHORT_NAP : NAP); /* another thread may be about to take what is there */
}

/* Where there is a progress thread it sleeps on the descriptor, and takes what comes. */
int pst_ofi_arm(void) { return pst_net.has_thread ? PST_ERR_UNSUPPORTED : queue_arm(); }

int pst_ofi_poll(void) { return pst_net_poll(pst_ofi_progress); }
int pst_ofi_poll_replies(void) { return pst_net_poll_replies(pst_ofi_progress); }

/* What was sent must leave this process before it ends, but a peer that is gone must not keep it. */
int pst_ofi_flush(double seconds)
{
  const double end = pst_net_now() + seconds;
  atomic_store_explicit(&pst_net.closing, 1, memory_order_relaxed);
  pst_net_replies_only++;
  pst_ofi_chase();
  while (atomic_load_explicit(&pst_ofi.in_flight, memory_order_relaxed) && pst_net_now() < end)
    pst_ofi_progress();
  pst_net_replies_only--;
  return atomic_load_explicit(&pst_ofi.in_flight, memory_order_relaxed) == 0;
}
