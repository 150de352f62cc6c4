/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Explicit handles: gasnet_wait/try_syncnb and their array forms. */
#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/op.h"

static void check(const char *call, const struct pst_op *op)
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
static int success(int done)
{
  if (done) PST_SYNC_FENCE();
  return done ? GASNET_OK : GASNET_ERR_NOT_READY;
}

static int reap(struct pst_op *op)
{
  if (!op) return 1;
  if (!pst_op_done(op)) return 0;
  pst_op_free(pst_thread_get(), op);
  return 1;
}

void pst_sync_wait(gasnet_handle_t handle)
{
  struct pst_wait w = {0, 0};
  check("gasnet_wait_syncnb", handle);
  PST_TRACE('S', "WAIT_SYNCNB", -1, 0);
  while (!reap(handle)) pst_wait_step(&w);
}

int gasnet_try_syncnb_nopoll(gasnet_handle_t handle)
{
  check("gasnet_try_syncnb", handle);
  PST_TRACE('S', "TRY_SYNCNB", -1, 0);
  return success(reap(handle));
}

int gasnet_try_syncnb(gasnet_handle_t handle)
{
  pst_wait_poll();
  return gasnet_try_syncnb_nopoll(handle);
}

/* Completed entries become invalid; how many did, and how many valid ones remain. */
static void sweep(const char *call, gasnet_handle_t *handles, size_t n, size_t *completed, size_t *open)
{
  *completed = *open = 0;
  for (size_t i = 0; i < n; i++) {
    if (handles[i] == GASNET_INVALID_HANDLE) continue;
    check(call, handles[i]);
    if (reap(handles[i])) {
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
  sweep("gasnet_try_syncnb_some", handles, n, &completed, &open);
  return success(completed || !open);
}

int gasnet_try_syncnb_all_nopoll(gasnet_handle_t *handles, size_t n)
{
  size_t completed, open;
  PST_TRACE('S', "TRY_SYNCNB_ALL", -1, 0);
  sweep("gasnet_try_syncnb_all", handles, n, &completed, &open);
  return success(!open);
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

/* In order: one that is not complete is waited for before the next is looked at, so each is visited once. */
void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    gasnet_wait_syncnb(handles[i]);
    handles[i] = GASNET_INVALID_HANDLE;
  }
}
