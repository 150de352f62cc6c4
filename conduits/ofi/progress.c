/* The completion queue. */
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <time.h>

#include "conduits/ofi/ofi.h"

static _Atomic int closing;

/* After the end has begun peers are gone, and nobody waits for what was meant for them. */
static void fail(void)
{
  struct fi_cq_err_entry e = { 0 };
  const struct pst_ofi_op *op;
  if (fi_cq_readerr(pst_ofi.cq, &e, 0) < 0) return;
  op = e.op_context;
  if (atomic_load_explicit(&closing, memory_order_relaxed) || e.err == FI_ECANCELED) return;
  if (!op || op->kind == PST_OFI_OP_RECV) pst_fatal("libfabric cannot receive: %s", fi_strerror(e.err));
  pst_fatal("libfabric (%s) cannot reach node %u: %s", pst_ofi.info->fabric_attr->prov_name, op->peer, fi_strerror(e.err));
}

static void complete(const struct fi_cq_data_entry *e)
{
  struct pst_ofi_op *op = e->op_context;
  if (op->kind == PST_OFI_OP_RECV) pst_ofi_receive_done(e);
  else pst_ofi_op_done(op);
}

int pst_ofi_progress(void)
{
  enum { BATCH = 16 };
  struct fi_cq_data_entry e[BATCH];
  const ssize_t n = fi_cq_read(pst_ofi.cq, e, BATCH);
  if (n == -FI_EAVAIL) fail();
  else if (n < 0 && n != -FI_EAGAIN && n != -FI_EINTR) pst_fatal("libfabric's completion queue failed: %s", pst_ofi_error(n));
  for (ssize_t i = 0; i < n; i++) complete(&e[i]);
  pst_ofi_receive_retry();
  pst_ofi_pay();
  return n > 0 ? (int)n : 0;
}

/* A handler's own poll comes through here too, but then only replies may run. */
int pst_ofi_poll(void)
{
  const unsigned before = atomic_load_explicit(&pst_ofi.served, memory_order_relaxed);
  if (pst_ofi_replies_only) return pst_ofi_poll_replies();
  pst_ofi_deliver_waiting();
  pst_ofi_progress();
  return (int)(atomic_load_explicit(&pst_ofi.served, memory_order_relaxed) - before);
}

int pst_ofi_poll_replies(void)
{
  int n;
  pst_ofi_replies_only++;
  n = pst_ofi_progress();
  pst_ofi_replies_only--;
  return n;
}

unsigned pst_ofi_served(void) { return atomic_load_explicit(&pst_ofi.served, memory_order_acquire); }

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What was sent must leave this process before it ends, but a peer that is gone must not keep it. */
void pst_ofi_flush(double seconds)
{
  const double end = now() + seconds;
  atomic_store_explicit(&closing, 1, memory_order_relaxed);
  pst_ofi_replies_only++;
  while (atomic_load_explicit(&pst_ofi.in_flight, memory_order_relaxed) && now() < end) pst_ofi_progress();
  pst_ofi_replies_only--;
}
