/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/transfer.h"

#include "core/job.h"
#include "core/trace.h"
#include "vis/kernel.h"
#include "vis/remote.h"

static void transfer_start_remote(const struct pst_transfer *t, const struct pst_side *remote,
    const struct pst_side *local, struct pst_op **o)
{
  if (!*o) *o = pst_rma_begin(t->op, pst_thread_get());
  pst_remote_start(t->op & PST_OP_GET, t->node, remote, local, t->notify, &(*o)->completion);
}

gasnet_handle_t pst_transfer_end(unsigned op, struct pst_op *o)
{
  return o ? pst_rma_end(op, pst_thread_get(), o) : GASNET_INVALID_HANDLE;
}

static void transfer_trace(const struct pst_transfer *t, size_t nbytes)
{
  (void)nbytes;
  PST_TRACE(t->op & PST_OP_GET ? 'G' : 'P', t->call, (int)t->node, nbytes);
}

/* Blocking calls order their copies before what follows, as contiguous ones do. */
static gasnet_handle_t transfer_copied(const struct pst_transfer *t, ptrdiff_t delta)
{
  if (t->op & PST_OP_GET) PST_ACQUIRE_FENCE();
  else PST_RELEASE_FENCE();
  if (t->notify) pst_notify_mapped(t->node, delta, t->notify);
  return GASNET_INVALID_HANDLE;
}

void pst_transfer_part(const struct pst_transfer *t, const struct pst_side *remote,
    const struct pst_side *local, struct pst_op **o)
{
  struct pst_side here = *remote;
  transfer_trace(t, remote->bytes);
  if (!pst_transfer_mapped(t->node, &here.delta)) {
    transfer_start_remote(t, remote, local, o);
    return;
  }
  if (t->op & PST_OP_GET) pst_side_copy(local, &here);
  else pst_side_copy(&here, local);
  transfer_copied(t, here.delta);
}

gasnet_handle_t pst_transfer_sides(
    const struct pst_transfer *t, const struct pst_side *remote, const struct pst_side *local)
{
  struct pst_op *o = NULL;
  pst_transfer_part(t, remote, local, &o);
  return pst_transfer_end(t->op, o);
}

static gasnet_handle_t shape_start_remote(
    const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src)
{
  struct pst_side to, from;
  struct pst_op *o = NULL;
  const int get = t->op & PST_OP_GET;
  pst_side_strided(&to, dst, s->row, s->levels, s->count, s->dst);
  pst_side_strided(&from, src, s->row, s->levels, s->count, s->src);
  transfer_start_remote(t, get ? &from : &to, get ? &to : &from, &o);
  return pst_transfer_end(t->op, o);
}

gasnet_handle_t pst_transfer_shape(
    const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src)
{
  ptrdiff_t delta;
  transfer_trace(t, pst_shape_bytes(s));
  if (!pst_transfer_mapped(t->node, &delta)) return shape_start_remote(t, s, dst, src);
  if (t->op & PST_OP_GET) pst_kernel_copy(s, dst, src + delta);
  else pst_kernel_copy(s, dst + delta, src);
  return transfer_copied(t, delta);
}
