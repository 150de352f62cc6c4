/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* upc_notify, upc_wait, upc_barrier, upc_fence. */
#include "upc/upc.h"

static struct {
  int notified, named, id;
} phase;

void pst_upc_need_all(const char *call)
{
  pst_upc_need_open(call);
  if (phase.notified) pst_upc_fatal(call, "collective calls are not allowed between upc_notify and upc_wait");
}

static int barrier_flags(int named) { return named ? 0 : GASNET_BARRIERFLAG_ANONYMOUS; }

static void barrier_notify(const char *call, int named, int id)
{
  pst_upc_need_open(call);
  if (phase.notified) pst_upc_fatal(call, "the last upc_notify has had no upc_wait");
  phase.notified = 1;
  phase.named = named;
  phase.id = id;
  gasnett_local_mb();
  gasnet_barrier_notify(id, barrier_flags(named));
}

/* A number given at only one of notify and wait is no mismatch. */
static void barrier_wait(const char *call, int named, int id)
{
  pst_upc_need_open(call);
  if (!phase.notified) pst_upc_fatal(call, "there was no upc_notify");
  phase.notified = 0;
  if (named && phase.named && id != phase.id)
    pst_upc_fatal(call, "its number is %d, that of upc_notify was %d", id, phase.id);
  if (gasnet_barrier_wait(phase.id, barrier_flags(phase.named)) != GASNET_OK) {
    if (phase.named)
      pst_upc_fatal(call, "barrier mismatch: this thread's number is %d, another's is not", phase.id);
    pst_upc_fatal(call, "barrier mismatch: other threads' numbers differ");
  }
  gasnett_local_mb();
}

void pst_upc_notify(int named, int id)
{
  GASP_BEGIN(UPC, GASP_UPC_NOTIFY, named, id);
  barrier_notify("upc_notify", named, id);
  GASP_FINISH(UPC, GASP_UPC_NOTIFY, named, id);
}

void pst_upc_wait(int named, int id)
{
  GASP_BEGIN(UPC, GASP_UPC_WAIT, named, id);
  barrier_wait("upc_wait", named, id);
  GASP_FINISH(UPC, GASP_UPC_WAIT, named, id);
}

void pst_upc_barrier(int named, int id)
{
  GASP_BEGIN(UPC, GASP_UPC_BARRIER, named, id);
  barrier_notify("upc_barrier", named, id);
  barrier_wait("upc_barrier", named, id);
  GASP_FINISH(UPC, GASP_UPC_BARRIER, named, id);
}

/* Blocking transfers are complete already. A thread may wait in a loop, with fences, for what others write
 * into its memory: the poll serves the messages that carry it. */
void upc_fence(void)
{
  GASP_BEGIN(UPC, GASP_UPC_FENCE);
  gasnet_AMPoll();
  gasnett_local_mb();
  GASP_FINISH(UPC, GASP_UPC_FENCE);
}

PST_UPC_ALIAS(fence);
