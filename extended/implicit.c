/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Implicit handles and access regions. */
#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/op.h"

static struct pst_op *mine(const char *call)
{
  struct pst_thread *t = pst_thread_get();
  pst_amcheck_client(call);
  if (PST_DEBUG && t->region) pst_fatal("%s inside an access region", call);
  pst_wait_offer();
  PST_TRACE('S', call, -1, 0);
  return &t->implicit;
}

static int none(const pst_pending_t *p) { return atomic_load_explicit(p, memory_order_acquire) == 0; }
static int status(int done)
{
  if (done) PST_SYNC_FENCE();
  return done ? GASNET_OK : GASNET_ERR_NOT_READY;
}

/* One poll even when nothing is outstanding: programs wait in loops for what their handlers do. The fence
 * orders earlier plain stores to neighbours before what tells them. */
void gasnet_wait_syncnbi_gets(void)
{
  struct pst_op *op = mine("gasnet_wait_syncnbi_gets");
  pst_poll();
  pst_pending_wait(&op->gets);
  PST_ACQUIRE_FENCE();
}

void gasnet_wait_syncnbi_puts(void)
{
  struct pst_op *op = mine("gasnet_wait_syncnbi_puts");
  pst_poll();
  pst_pending_wait(&op->puts);
  PST_RELEASE_FENCE();
}

void gasnet_wait_syncnbi_all(void)
{
  struct pst_op *op = mine("gasnet_wait_syncnbi_all");
  pst_poll();
  pst_pending_wait(&op->gets);
  pst_pending_wait(&op->puts);
  PST_SYNC_FENCE();
}

int gasnet_try_syncnbi_gets(void)
{
  struct pst_op *op = mine("gasnet_try_syncnbi_gets");
  pst_wait_poll();
  return status(none(&op->gets));
}

int gasnet_try_syncnbi_puts(void)
{
  struct pst_op *op = mine("gasnet_try_syncnbi_puts");
  pst_wait_poll();
  return status(none(&op->puts));
}

int gasnet_try_syncnbi_all(void)
{
  struct pst_op *op = mine("gasnet_try_syncnbi_all");
  pst_wait_poll();
  return status(pst_op_done(op));
}

void gasnet_begin_nbi_accessregion(void)
{
  struct pst_thread *t = pst_thread_get();
  pst_amcheck_client("gasnet_begin_nbi_accessregion");
  if (t->region) pst_fatal("gasnet_begin_nbi_accessregion inside an access region; they do not nest");
  t->region = pst_op_new(t, PST_OPKIND_REGION);
}

/* Most regions among neighbours are complete by now: then there is nothing to hand out. */
gasnet_handle_t gasnet_end_nbi_accessregion(void)
{
  struct pst_thread *t = pst_thread_get();
  struct pst_op *op = t->region;
  pst_amcheck_client("gasnet_end_nbi_accessregion");
  if (!op) pst_fatal("gasnet_end_nbi_accessregion without gasnet_begin_nbi_accessregion");
  pst_wait_offer();
  t->region = NULL;
  if (!pst_op_done(op)) return op;
  pst_op_free(t, op);
  return GASNET_INVALID_HANDLE;
}
