/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_plan_puts and so on: members of a plan. */
#include <stdlib.h>
#include <string.h>

#include "core/job.h"
#include "vis/check.h"
#include "vis/plan.h"

static void *plan_allocate(const char *call, size_t n, size_t size)
{
  void *p = calloc(n ? n : 1, size);
  if (!p) pst_fatal("%s: out of memory for a plan", call);
  return p;
}

static struct pst_member *plan_grow(const char *call, struct gasnetx_plan *plan)
{
  if (plan->members == plan->room) {
    plan->room = plan->room ? 2 * plan->room : 8;
    plan->member = realloc(plan->member, plan->room * sizeof *plan->member);
    if (!plan->member) pst_fatal("%s: out of memory for a plan of %zu members", call, plan->room);
  }
  return &plan->member[plan->members++];
}

/* The member's number. */
static size_t plan_add(const struct pst_transfer *t, struct gasnetx_plan *plan, struct pst_member *m)
{
  m->op = t->op & PST_OP_GET;
  m->node = t->node;
  m->mapped = pst_transfer_mapped(t->node, &m->delta);
  *plan_grow(t->call, plan) = *m;
  return plan->members - 1;
}

static size_t plan_add_shape(const struct pst_transfer *t, struct gasnetx_plan *plan, struct pst_member *m,
    const struct pst_shape *s, char *dst, char *src)
{
  const size_t n = s->levels;
  struct pst_member *added;
  size_t number;
  m->row = s->row;
  m->levels = n;
  m->count = plan_allocate(t->call, 3 * n, sizeof *m->count);
  m->dststride = (ptrdiff_t *)m->count + n;
  m->srcstride = m->dststride + n;
  memcpy(m->count, s->count, n * sizeof *s->count);
  memcpy(m->dststride, s->dst, n * sizeof *s->dst);
  memcpy(m->srcstride, s->src, n * sizeof *s->src);
  number = plan_add(t, plan, m);
  added = &plan->member[number];
  if (added->mapped && s->row) added->kernel = pst_kernel_choose(s);
  pst_plan_place(added, dst, src);
  return number;
}

static size_t plan_add_block(
    const struct pst_transfer *t, struct gasnetx_plan *plan, const struct pst_block *b)
{
  struct pst_member m = {.kernel = NULL};
  struct pst_shape s;
  pst_plan_check(t->call, plan);
  pst_shape_strided(&s, t->call, b->dststrides, b->srcstrides, b->count, b->levels);
  if (PST_DEBUG) pst_check_block(t, b, &s);
  return plan_add_shape(t, plan, &m, &s, b->dst, b->src);
}

static size_t plan_add_grid(const struct pst_transfer *t, struct gasnetx_plan *plan, const struct pst_grid *g)
{
  struct pst_member m = {.kernel = NULL};
  struct pst_shape s;
  pst_plan_check(t->call, plan);
  pst_shape_any(
      &s, t->call, g->elemsz, g->dststrides, g->srcstrides, g->count, g->dims, &m.dstshift, &m.srcshift);
  if (PST_DEBUG) pst_check_shape(t, &s, g->dst + m.dstshift, g->src + m.srcshift);
  return plan_add_shape(t, plan, &m, &s, g->dst, g->src);
}

static void *array_copy(const char *call, const void *array, size_t n, size_t size)
{
  return memcpy(plan_allocate(call, n, size), array, n * size);
}

/* Of a transfer without bytes the plan keeps nothing. */
static void side_copy(const char *call, struct pst_side *kept, const struct pst_side *s, int empty)
{
  *kept = *s;
  if (empty) pst_side_vector(kept, 0, NULL);
  else if (s->kind == PST_SIDE_VECTOR) kept->vector = array_copy(call, s->vector, s->n, sizeof *s->vector);
  else kept->indexed = array_copy(call, s->indexed, s->n, sizeof *s->indexed);
}

static size_t plan_add_lists(const struct pst_transfer *t, struct gasnetx_plan *plan,
    const struct pst_side *dst, const struct pst_side *src)
{
  struct pst_member m = {.row = dst->bytes ? src->bytes : 0};
  struct pst_member *added;
  size_t number;
  pst_plan_check(t->call, plan);
  if (PST_DEBUG) pst_check_lists(t, dst, src);
  m.lists = plan_allocate(t->call, 2, sizeof *m.lists);
  side_copy(t->call, &m.lists[0], dst, m.row == 0);
  side_copy(t->call, &m.lists[1], src, m.row == 0);
  number = plan_add(t, plan, &m);
  added = &plan->member[number];
  if (added->mapped) added->lists[t->op & PST_OP_GET ? 1 : 0].delta = added->delta;
  return number;
}

static size_t plan_add_vectors(const struct pst_transfer *t, struct gasnetx_plan *plan, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[])
{
  struct pst_side dst, src;
  pst_side_vector(&dst, dstcount, dstlist);
  pst_side_vector(&src, srccount, srclist);
  return plan_add_lists(t, plan, &dst, &src);
}

static size_t plan_add_indexed(const struct pst_transfer *t, struct gasnetx_plan *plan, size_t dstcount,
    void *const dstlist[], size_t dstlen, size_t srccount, void *const srclist[], size_t srclen)
{
  struct pst_side dst, src;
  pst_side_indexed(&dst, dstcount, dstlist, dstlen);
  pst_side_indexed(&src, srccount, srclist, srclen);
  return plan_add_lists(t, plan, &dst, &src);
}

#define PUT ((struct pst_transfer){.node = dstnode, .call = __func__})
#define GET ((struct pst_transfer){.op = PST_OP_GET, .node = srcnode, .call = __func__})

size_t gasnetx_plan_puts(gasnetx_plan_t plan, gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[],
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  return plan_add_block(&PUT, plan, &PST_BLOCK);
}

size_t gasnetx_plan_gets(gasnetx_plan_t plan, void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode,
    void *srcaddr, const size_t srcstrides[], const size_t count[], size_t stridelevels)
{
  return plan_add_block(&GET, plan, &PST_BLOCK);
}

size_t gasnetx_plan_puts_any(gasnetx_plan_t plan, gasnet_node_t dstnode, void *dstaddr,
    const ptrdiff_t dststrides[], void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz,
    const size_t count[], size_t dims)
{
  return plan_add_grid(&PUT, plan, &PST_GRID);
}

size_t gasnetx_plan_gets_any(gasnetx_plan_t plan, void *dstaddr, const ptrdiff_t dststrides[],
    gasnet_node_t srcnode, void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[],
    size_t dims)
{
  return plan_add_grid(&GET, plan, &PST_GRID);
}

size_t gasnetx_plan_putv(gasnetx_plan_t plan, gasnet_node_t dstnode, size_t dstcount,
    gasnet_memvec_t const dstlist[], size_t srccount, gasnet_memvec_t const srclist[])
{
  return plan_add_vectors(&PUT, plan, dstcount, dstlist, srccount, srclist);
}

size_t gasnetx_plan_getv(gasnetx_plan_t plan, size_t dstcount, gasnet_memvec_t const dstlist[],
    gasnet_node_t srcnode, size_t srccount, gasnet_memvec_t const srclist[])
{
  return plan_add_vectors(&GET, plan, dstcount, dstlist, srccount, srclist);
}

size_t gasnetx_plan_puti(gasnetx_plan_t plan, gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen)
{
  return plan_add_indexed(&PUT, plan, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}

size_t gasnetx_plan_geti(gasnetx_plan_t plan, size_t dstcount, void *const dstlist[], size_t dstlen,
    gasnet_node_t srcnode, size_t srccount, void *const srclist[], size_t srclen)
{
  return plan_add_indexed(&GET, plan, dstcount, dstlist, dstlen, srccount, srclist, srclen);
}
