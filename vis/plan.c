/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_plan_start and what else is done with a whole plan; members are added in plan_add.c. */
#include "vis/plan.h"

#include <stdlib.h>

#include "core/amcheck.h"
#include "core/forked.h"
#include "core/job.h"
#include "core/trace.h"
#include "vis/check.h"
#include "vis/remote.h"

/* ---- life ---- */

void pst_plan_check(const char *call, const struct gasnetx_plan *plan)
{
  if (__builtin_expect(pst_job.phase == PST_PHASE_FORKED, 0))
    pst_forked_refuse(); /* in a forked child a mapped member would go on to work */
  if (!PST_DEBUG) return;
  pst_amcheck_client(call);
  if (!plan) pst_fatal("%s: the plan is NULL", call);
  if (plan->alive != PST_PLAN_ALIVE) pst_fatal("%s: plan %p was destroyed before", call, (const void *)plan);
}

static struct pst_member *plan_member(const char *call, struct gasnetx_plan *plan, size_t member)
{
  pst_plan_check(call, plan);
  if (member >= plan->members)
    pst_fatal("%s: member %zu; the plan has %zu, from 0", call, member, plan->members);
  return &plan->member[member];
}

gasnetx_plan_t gasnetx_plan_create(void)
{
  struct gasnetx_plan *plan = calloc(1, sizeof *plan);
  if (!plan) pst_fatal("gasnetx_plan_create: out of memory");
  plan->alive = PST_PLAN_ALIVE;
  return plan;
}

static void side_free(const struct pst_side *s)
{
  free(s->kind == PST_SIDE_VECTOR ? (void *)s->vector : (void *)s->indexed);
}

static void member_free(struct pst_member *m)
{
  free(m->count);
  free(m->notify);
  if (!m->lists) return;
  side_free(&m->lists[0]);
  side_free(&m->lists[1]);
  free(m->lists);
}

/* Debug builds keep destroyed plans, so that a later use of one is recognised. */
static void plan_keep_dead(struct gasnetx_plan *plan)
{
  static _Atomic(struct gasnetx_plan *) dead;
  plan->alive = 0;
  plan->next = atomic_load(&dead);
  while (!atomic_compare_exchange_weak(&dead, &plan->next, plan)) continue;
}

void gasnetx_plan_destroy(gasnetx_plan_t plan)
{
  pst_plan_check("gasnetx_plan_destroy", plan);
  for (size_t i = 0; i < plan->members; i++) member_free(&plan->member[i]);
  free(plan->member);
  if (PST_DEBUG) plan_keep_dead(plan);
  else free(plan);
}

/* ---- changes ---- */

void pst_plan_place(struct pst_member *m, void *dstaddr, void *srcaddr)
{
  const ptrdiff_t delta = m->mapped ? m->delta : 0;
  m->dst = (char *)((uintptr_t)dstaddr + (uintptr_t)(m->dstshift + (m->op ? 0 : delta)));
  m->src = (char *)((uintptr_t)srcaddr + (uintptr_t)(m->srcshift + (m->op ? delta : 0)));
}

/* The sides of a strided member. */
static void member_sides(const struct pst_member *m, struct pst_side *dst, struct pst_side *src)
{
  pst_side_strided(dst, m->dst, m->row, m->levels, m->count, m->dststride);
  pst_side_strided(src, m->src, m->row, m->levels, m->count, m->srcstride);
}

static void member_check_place(const char *call, const struct pst_member *m)
{
  struct pst_side dst, src;
  member_sides(m, &dst, &src);
  pst_check_side(call, m->op ? "srcaddr" : "dstaddr", m->node, m->op ? &src : &dst);
}

void gasnetx_plan_rebase(gasnetx_plan_t plan, size_t member, void *dstaddr, void *srcaddr)
{
  struct pst_member *m = plan_member("gasnetx_plan_rebase", plan, member);
  if (m->lists)
    pst_fatal("gasnetx_plan_rebase: member %zu is a list; only strided members have base addresses", member);
  pst_plan_place(m, dstaddr, srcaddr);
  if (PST_DEBUG) member_check_place("gasnetx_plan_rebase", m);
}

void gasnetx_plan_notify(gasnetx_plan_t plan, size_t member, const gasnetx_notify_t *notify)
{
  static const char call[] = "gasnetx_plan_notify";
  struct pst_member *m = plan_member(call, plan, member);
  const struct pst_transfer t = {.node = m->node, .call = call, .notify = notify};
  if (m->op) pst_fatal("%s: member %zu is a get; only puts notify", call, member);
  if (!notify) {
    free(m->notify);
    m->notify = NULL;
    return;
  }
  if (PST_DEBUG) pst_check_notify(&t);
  if (!m->notify && !(m->notify = malloc(sizeof *m->notify))) pst_fatal("%s: out of memory", call);
  *m->notify = *notify;
}

/* ---- starting ---- */

/* A kernel takes a whole struct pst_shape, but reads only the levels in use. */
static inline void member_copy(const struct pst_member *m)
{
  struct pst_shape s;
  s.row = m->row;
  s.levels = (unsigned)m->levels;
  for (size_t i = 0; i < m->levels; i++) {
    s.count[i] = m->count[i];
    s.dst[i] = m->dststride[i];
    s.src[i] = m->srcstride[i];
  }
  m->kernel(&s, m->dst, m->src);
}

static void member_start_remote(const char *call, const struct pst_member *m, unsigned op, struct pst_op **o)
{
  struct pst_side strided[2], *side = m->lists;
  const int get = m->op != 0;
  if (m->row == 0 && !m->notify) return;
  if (!side) member_sides(m, &strided[0], &strided[1]), side = strided;
  PST_TRACE(get ? 'G' : 'P', call, (int)m->node, side->bytes);
  if (!*o) *o = pst_rma_begin(op, pst_thread_get());
  pst_remote_start(m->op, m->node, &side[get], &side[!get], m->notify, &(*o)->completion);
}

static void member_start(const char *call, const struct pst_member *m, unsigned op, struct pst_op **o)
{
  if (!m->mapped) {
    member_start_remote(call, m, op, o);
    return;
  }
  if (m->kernel) member_copy(m);
  else if (m->row) pst_side_copy(&m->lists[0], &m->lists[1]);
  if (m->notify) pst_notify_mapped(m->node, m->delta, m->notify);
}

static inline gasnet_handle_t plan_start(const char *call, unsigned op, const struct gasnetx_plan *plan)
{
  struct pst_op *o = NULL;
  pst_plan_check(call, plan);
  for (size_t i = 0; i < plan->members; i++) member_start(call, &plan->member[i], op, &o);
  PST_SYNC_FENCE();
  return o ? pst_transfer_end(op, o) : GASNET_INVALID_HANDLE;
}

gasnet_handle_t gasnetx_plan_start(gasnetx_plan_t plan) { return plan_start(__func__, PST_OP_NB, plan); }
void gasnetx_plan_start_nbi(gasnetx_plan_t plan) { plan_start(__func__, PST_OP_NBI, plan); }
void gasnetx_plan_run(gasnetx_plan_t plan) { plan_start(__func__, 0, plan); }
