/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/transfer.h"

#include <stdio.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "core/segment.h"
#include "core/trace.h"
#include "vis/kernel.h"
#include "vis/remote.h"

const char *pst_transfer_name(char form, unsigned op)
{
  static const char *const names[3][2][3] = {
      {{"gasnet_putv_bulk", "gasnet_putv_nb_bulk", "gasnet_putv_nbi_bulk"},
          {"gasnet_getv_bulk", "gasnet_getv_nb_bulk", "gasnet_getv_nbi_bulk"}},
      {{"gasnet_puti_bulk", "gasnet_puti_nb_bulk", "gasnet_puti_nbi_bulk"},
          {"gasnet_geti_bulk", "gasnet_geti_nb_bulk", "gasnet_geti_nbi_bulk"}},
      {{"gasnet_puts_bulk", "gasnet_puts_nb_bulk", "gasnet_puts_nbi_bulk"},
          {"gasnet_gets_bulk", "gasnet_gets_nb_bulk", "gasnet_gets_nbi_bulk"}}};
  return names[form == 'v' ? 0
          : form == 'i'    ? 1
                           : 2][op & PST_OP_GET ? 1 : 0][op & PST_OP_NB ? 1
          : op & PST_OP_NBI                                          ? 2
                                                                     : 0];
}

/* ---- debug builds ---- */

void pst_transfer_check_call(const char *call, gasnet_node_t node)
{
  pst_job_check(call, node);
  pst_amcheck_client(call);
}

/* Adds how far a level reaches, or as much as there can be. */
static void add_reach(size_t *sum, size_t stride, size_t count)
{
  size_t reach;
  if (__builtin_mul_overflow(stride, count - 1, &reach) || __builtin_add_overflow(*sum, reach, sum))
    *sum = SIZE_MAX;
}

/* From the lowest row to the highest: strides may be negative, and far too large. */
static void check_strided(
    const char *call, const char *argument, gasnet_node_t node, const struct pst_side *s)
{
  const uintptr_t base = (uintptr_t)s->base;
  size_t below = 0, above = s->piece, nbytes;
  for (size_t i = 0; i < s->n; i++) {
    if (s->stride[i] < 0) add_reach(&below, -(size_t)s->stride[i], s->count[i]);
    else add_reach(&above, (size_t)s->stride[i], s->count[i]);
  }
  if (below > base) below = base;
  if (__builtin_add_overflow(below, above, &nbytes)) nbytes = SIZE_MAX;
  pst_segment_check(call, argument, node, (void *)(base - below), nbytes);
}

void pst_transfer_check_side(
    const char *call, const char *argument, gasnet_node_t node, const struct pst_side *s)
{
  char name[64];
  if (s->bytes == 0) return;
  if (s->kind == PST_SIDE_STRIDED) {
    check_strided(call, argument, node, s);
    return;
  }
  for (size_t i = 0; i < s->n; i++) {
    const int vector = s->kind == PST_SIDE_VECTOR;
    snprintf(name, sizeof name, "%s[%zu]", argument, i);
    pst_segment_check(
        call, name, node, vector ? s->vector[i].addr : s->indexed[i], vector ? s->vector[i].len : s->piece);
  }
}

/* ---- */

static void start_remote(const struct pst_transfer *t, const struct pst_side *remote,
    const struct pst_side *local, struct pst_op **o)
{
  if (!*o) *o = pst_rma_begin(t->op, pst_thread_get());
  pst_remote_start(t->op & PST_OP_GET, t->node, remote, local, t->notify, pst_rma_counter(t->op, *o));
}

gasnet_handle_t pst_transfer_end(unsigned op, struct pst_op *o)
{
  return o ? pst_rma_end(op, pst_thread_get(), o) : GASNET_INVALID_HANDLE;
}

static void trace(const struct pst_transfer *t, size_t nbytes)
{
  (void)nbytes;
  PST_TRACE(t->op & PST_OP_GET ? 'G' : 'P', t->call, (int)t->node, nbytes);
}

/* Blocking calls order their copies before what follows, as contiguous ones do. */
static gasnet_handle_t copied(const struct pst_transfer *t, ptrdiff_t delta)
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
  trace(t, remote->bytes);
  if (!pst_transfer_mapped(t->node, &here.delta)) {
    start_remote(t, remote, local, o);
    return;
  }
  if (t->op & PST_OP_GET) pst_side_copy(local, &here);
  else pst_side_copy(&here, local);
  copied(t, here.delta);
}

gasnet_handle_t pst_transfer_sides(
    const struct pst_transfer *t, const struct pst_side *remote, const struct pst_side *local)
{
  struct pst_op *o = NULL;
  pst_transfer_part(t, remote, local, &o);
  return pst_transfer_end(t->op, o);
}

static gasnet_handle_t shape_remote(
    const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src)
{
  struct pst_side to, from;
  struct pst_op *o = NULL;
  const int get = t->op & PST_OP_GET;
  pst_side_strided(&to, dst, s->row, s->levels, s->count, s->dst);
  pst_side_strided(&from, src, s->row, s->levels, s->count, s->src);
  start_remote(t, get ? &from : &to, get ? &to : &from, &o);
  return pst_transfer_end(t->op, o);
}

gasnet_handle_t pst_transfer_shape(
    const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src)
{
  ptrdiff_t delta;
  trace(t, pst_shape_bytes(s));
  if (!pst_transfer_mapped(t->node, &delta)) return shape_remote(t, s, dst, src);
  if (t->op & PST_OP_GET) pst_kernel_copy(s, dst, src + delta);
  else pst_kernel_copy(s, dst + delta, src);
  return copied(t, delta);
}
