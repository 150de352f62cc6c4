/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Synchronisation: explicit handles and arrays of them, implicit handles, access regions. */
#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/op.h"

static void handle_check(const char *call, const struct pst_op *op)
{
  if (!PST_DEBUG) return;
  pst_amcheck_client(call);
  if (!op) return;
  if (op->kind == PST_OPKIND_VALUE)
    pst_fatal("%s: %p is a handle of gasnet_get_nb_val", call, (const void *)op);
  if (op->kind != PST_OPKIND_EXPLICIT && op->kind != PST_OPKIND_REGION)
    pst_fatal("%s: handle %p is dead; it was synchronised before", call, (const void *)op);
  if (op->owner != pst_thread_get()->index)
    pst_fatal("%s: handle %p belongs to another thread (%u; this one is %u)", call, (const void *)op,
        op->owner, pst_thread_get()->index);
  if (op == pst_thread_get()->region)
    pst_fatal("%s: the access region of handle %p is open", call, (const void *)op);
}

/* A handle that was complete from the start stands for plain loads and stores: hence the fences. */
static int sync_result(int done)
{
  if (done) PST_SYNC_FENCE();
  return done ? GASNET_OK : GASNET_ERR_NOT_READY;
}

static int handle_reap(struct pst_op *op)
{
  if (!op) return 1;
  if (!pst_op_done(op)) return 0;
  pst_op_free(pst_thread_get(), op);
  return 1;
}

void pst_sync_wait(gasnet_handle_t handle)
{
  struct pst_wait w = {0, 0};
  handle_check("gasnet_wait_syncnb", handle);
  PST_TRACE('S', "WAIT_SYNCNB", -1, 0);
  while (!handle_reap(handle)) pst_wait_step(&w);
}

int gasnet_try_syncnb_nopoll(gasnet_handle_t handle)
{
  handle_check("gasnet_try_syncnb", handle);
  PST_TRACE('S', "TRY_SYNCNB", -1, 0);
  return sync_result(handle_reap(handle));
}

int gasnet_try_syncnb(gasnet_handle_t handle)
{
  pst_wait_poll();
  return gasnet_try_syncnb_nopoll(handle);
}

/* Completed entries become invalid. Counts them, and those that remain. */
static void handles_reap(
    const char *call, gasnet_handle_t *handles, size_t n, size_t *completed, size_t *open)
{
  *completed = *open = 0;
  for (size_t i = 0; i < n; i++) {
    if (handles[i] == GASNET_INVALID_HANDLE) continue;
    handle_check(call, handles[i]);
    if (handle_reap(handles[i])) {
      handles[i] = GASNET_INVALID_HANDLE;
      ++*completed;
    } else {
      ++*open;
    }
  }
}

int gasnet_try_syncnb_some_nopoll(gasnet_handle_t *handles, size_t n)
{
  size_t completed, open;
  PST_TRACE('S', "TRY_SYNCNB_SOME", -1, 0);
  handles_reap("gasnet_try_syncnb_some", handles, n, &completed, &open);
  return sync_result(completed || !open);
}

int gasnet_try_syncnb_all_nopoll(gasnet_handle_t *handles, size_t n)
{
  size_t completed, open;
  PST_TRACE('S', "TRY_SYNCNB_ALL", -1, 0);
  handles_reap("gasnet_try_syncnb_all", handles, n, &completed, &open);
  return sync_result(!open);
}

int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t n)
{
  pst_wait_poll();
  return gasnet_try_syncnb_some_nopoll(handles, n);
}

int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t n)
{
  pst_wait_poll();
  return gasnet_try_syncnb_all_nopoll(handles, n);
}

void gasnet_wait_syncnb_some(gasnet_handle_t *handles, size_t n)
{
  struct pst_wait w = {0, 0};
  while (gasnet_try_syncnb_some_nopoll(handles, n) != GASNET_OK) pst_wait_step(&w);
}

/* In order, so that each handle is visited once. */
void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    gasnet_wait_syncnb(handles[i]);
    handles[i] = GASNET_INVALID_HANDLE;
  }
}

/* ---- implicit handles and access regions ---- */

static struct pst_op *implicit_begin(const char *call)
{
  struct pst_thread *t = pst_thread_get();
  pst_amcheck_client(call);
  if (PST_DEBUG && t->region) pst_fatal("%s inside an access region", call);
  pst_wait_offer();
  PST_TRACE('S', call, -1, 0);
  return &t->own.op;
}

/* One poll even when nothing is outstanding: programs wait in loops for what their handlers do. */
static void implicit_wait(const char *call, unsigned events)
{
  struct pst_op *op = implicit_begin(call);
  pst_poll();
  pst_completion_wait(&op->completion, events);
}

static int implicit_try(const char *call, unsigned events)
{
  struct pst_op *op = implicit_begin(call);
  pst_wait_poll();
  const int done = pst_completion_is_done(&op->completion, events);
  if (done) pst_completion_ask(&op->completion);
  return sync_result(done);
}

/* The fence orders earlier plain stores to neighbours before what tells them. */
void gasnet_wait_syncnbi_gets(void)
{
  implicit_wait("gasnet_wait_syncnbi_gets", PST_GETS);
  PST_ACQUIRE_FENCE();
}

void gasnet_wait_syncnbi_puts(void)
{
  implicit_wait("gasnet_wait_syncnbi_puts", PST_PUTS);
  PST_RELEASE_FENCE();
}

void gasnet_wait_syncnbi_all(void)
{
  implicit_wait("gasnet_wait_syncnbi_all", PST_EVENTS);
  PST_SYNC_FENCE();
}

int gasnet_try_syncnbi_gets(void) { return implicit_try("gasnet_try_syncnbi_gets", PST_GETS); }
int gasnet_try_syncnbi_puts(void) { return implicit_try("gasnet_try_syncnbi_puts", PST_PUTS); }
int gasnet_try_syncnbi_all(void) { return implicit_try("gasnet_try_syncnbi_all", PST_EVENTS); }

void gasnet_begin_nbi_accessregion(void)
{
  struct pst_thread *t = pst_thread_get();
  pst_amcheck_client("gasnet_begin_nbi_accessregion");
  if (t->region) pst_fatal("gasnet_begin_nbi_accessregion inside an access region; they do not nest");
  t->region = pst_op_new(t, PST_OPKIND_REGION);
}

/* Most regions among neighbours are complete by now: they need no handle. */
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
