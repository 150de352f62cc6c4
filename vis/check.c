/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/check.h"

#include <stdio.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "core/segment.h"
#include "vis/notify.h"

void pst_check_call(const char *call, gasnet_node_t node)
{
  pst_job_check(call, node);
  pst_amcheck_client(call);
}

/* Adds how far a level reaches; at most SIZE_MAX. */
static void add_reach(size_t *sum, size_t stride, size_t count)
{
  size_t reach;
  if (__builtin_mul_overflow(stride, count - 1, &reach) || __builtin_add_overflow(*sum, reach, sum))
    *sum = SIZE_MAX;
}

/* Checks from the lowest row to the highest. Strides may be negative, and far too large. */
static void check_extent(const char *call, const char *argument, gasnet_node_t node, const struct pst_side *s)
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

void pst_check_side(const char *call, const char *argument, gasnet_node_t node, const struct pst_side *s)
{
  char name[64];
  if (s->bytes == 0) return;
  if (s->kind == PST_SIDE_STRIDED) {
    check_extent(call, argument, node, s);
    return;
  }
  for (size_t i = 0; i < s->n; i++) {
    const int vector = s->kind == PST_SIDE_VECTOR;
    snprintf(name, sizeof name, "%s[%zu]", argument, i);
    pst_segment_check(
        call, name, node, vector ? s->vector[i].addr : s->indexed[i], vector ? s->vector[i].len : s->piece);
  }
}

static void check_strides(
    const char *call, const char *what, const size_t strides[], const size_t count[], size_t levels)
{
  for (size_t i = 0; i < levels; i++) {
    size_t least = count[0];
    if (i && __builtin_mul_overflow(count[i], strides[i - 1], &least)) least = SIZE_MAX;
    if (strides[i] < least)
      pst_fatal("%s: %s[%zu] is %zu; it must be at least %zu (count[%zu] is %zu)", call, what, i, strides[i],
          least, i, count[i]);
  }
}

void pst_check_shape(const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src)
{
  struct pst_side remote;
  const int get = t->op & PST_OP_GET;
  pst_check_call(t->call, t->node);
  if (s->row == 0) return;
  pst_side_strided(&remote, get ? src : dst, s->row, s->levels, s->count, get ? s->src : s->dst);
  pst_check_side(t->call, get ? "srcaddr" : "dstaddr", t->node, &remote);
}

void pst_check_block(const struct pst_transfer *t, const struct pst_block *b, const struct pst_shape *s)
{
  pst_check_call(t->call, t->node);
  if (s->row) {
    check_strides(t->call, "dststrides", b->dststrides, b->count, b->levels);
    check_strides(t->call, "srcstrides", b->srcstrides, b->count, b->levels);
  }
  pst_check_shape(t, s, b->dst, b->src);
}

void pst_check_lists(const struct pst_transfer *t, const struct pst_side *dst, const struct pst_side *src)
{
  const int get = t->op & PST_OP_GET;
  pst_check_call(t->call, t->node);
  if (dst->bytes != src->bytes)
    pst_fatal("%s: dstlist has %zu bytes, srclist %zu; they must be equal", t->call, dst->bytes, src->bytes);
  pst_check_side(t->call, get ? "srclist" : "dstlist", t->node, get ? src : dst);
}

void pst_check_notify(const struct pst_transfer *t)
{
  const gasnetx_notify_t *n = t->notify;
  if (!n) pst_fatal("%s: notify is NULL", t->call);
  if (pst_notify_valid(n, t->node)) return;
  if (n->kind == GASNETX_NOTIFY_HANDLER)
    pst_fatal("%s: notify: %u is not the index of a client's handler", t->call, n->handler);
  pst_fatal("%s: notify: kind %d, word %p; needs an aligned uint64_t in the segment of node %u", t->call,
      (int)n->kind, (void *)n->word, t->node);
}
