/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Groups of implicit operations. All groups are in one list, among them each thread's own. Its lock is held
 * for a look at the counts, and never while a thread waits. */
#include "extended/group.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/amcheck.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/rma.h"

_Static_assert(PST_PUTS == GASNETX_GROUP_PUTS && PST_GETS == GASNETX_GROUP_GETS &&
        PST_LOCAL == GASNETX_GROUP_LOCAL && PST_EVENTS == GASNETX_GROUP_ALL,
    "one set of events");

/* In the order of their numbers. */
static struct {
  pthread_mutex_t lock;
  struct gasnetx_group *first, **end;
  uint64_t made;
} groups = {PTHREAD_MUTEX_INITIALIZER, NULL, &groups.first, 0};

void pst_groups_add(struct gasnetx_group *g)
{
  pthread_mutex_lock(&groups.lock);
  g->number = ++groups.made;
  g->next = NULL;
  *groups.end = g;
  groups.end = &g->next;
  pthread_mutex_unlock(&groups.lock);
}

static void groups_remove(struct gasnetx_group *g)
{
  struct gasnetx_group **at = &groups.first;
  pthread_mutex_lock(&groups.lock);
  while (*at != g) at = &(*at)->next;
  *at = g->next;
  if (groups.end == &g->next) groups.end = at;
  pthread_mutex_unlock(&groups.lock);
}

static void group_check(const char *call, const struct gasnetx_group *g, const struct pst_thread *t)
{
  pst_amcheck_client(call);
  if (PST_DEBUG && g && g->op.owner != PST_OP_SHARED && g->op.owner != t->index)
    pst_fatal("%s: group %p belongs to another thread (%u; this one is %u)", call, (const void *)g,
        g->op.owner, t->index);
}

gasnetx_group_t gasnetx_group_create(unsigned options)
{
  struct pst_thread *t = pst_thread_get();
  struct gasnetx_group *g;
  pst_amcheck_client("gasnetx_group_create");
  if (options & ~GASNETX_GROUP_SHARED) pst_fatal("gasnetx_group_create: there are no options %#x", options);
  g = calloc(1, sizeof *g);
  if (!g) pst_fatal("gasnetx_group_create: out of memory");
  g->op.kind = PST_OPKIND_IMPLICIT;
  g->op.owner = options & GASNETX_GROUP_SHARED ? PST_OP_SHARED : t->index;
  pst_groups_add(g);
  return g;
}

void gasnetx_group_destroy(gasnetx_group_t group)
{
  if (!group) pst_fatal("gasnetx_group_destroy: the group is NULL");
  group_check("gasnetx_group_destroy", group, pst_thread_get());
  if (atomic_load_explicit(&group->choosers, memory_order_relaxed))
    pst_fatal("gasnetx_group_destroy: a thread has chosen group %p", (void *)group);
  if (!pst_op_done(&group->op))
    pst_fatal("gasnetx_group_destroy: operations of group %p are outstanding", (void *)group);
  groups_remove(group);
  free(group);
}

gasnetx_group_t gasnetx_group_choose(gasnetx_group_t group)
{
  struct pst_thread *t = pst_thread_get();
  struct gasnetx_group *const before = t->chosen;
  if (group == before) return before;
  group_check("gasnetx_group_choose", group, t);
  if (group) atomic_fetch_add_explicit(&group->choosers, 1, memory_order_relaxed);
  if (before) atomic_fetch_sub_explicit(&before->choosers, 1, memory_order_relaxed);
  t->chosen = group;
  return before;
}

/* Sends what any thread has kept back of these operations: its owner may make no call for long. */
static void group_offer(struct gasnetx_group *g)
{
  struct pst_completion *c = &g->op.completion;
  if (atomic_load_explicit(&c->kept, memory_order_relaxed) != 0) pst_rma_send_kept(c);
}

static int group_is_done(struct gasnetx_group *g, unsigned what)
{
  const int done = pst_completion_is_done(&g->op.completion, what);
  if (done) pst_completion_ask(&g->op.completion);
  return done;
}

void gasnetx_group_wait(gasnetx_group_t group, unsigned what)
{
  struct pst_thread *t = pst_thread_get();
  struct gasnetx_group *g = group ? group : &t->own;
  struct pst_wait w = {0, 0};
  group_check("gasnetx_group_wait", group, t);
  PST_TRACE('S', "gasnetx_group_wait", -1, 0);
  for (; !group_is_done(g, what); pst_wait_step(&w)) group_offer(g);
  PST_SYNC_FENCE();
}

int gasnetx_group_test(gasnetx_group_t group, unsigned what)
{
  struct pst_thread *t = pst_thread_get();
  struct gasnetx_group *g = group ? group : &t->own;
  group_check("gasnetx_group_test", group, t);
  if (!group_is_done(g, what)) {
    group_offer(g);
    pst_wait_poll();
    if (!group_is_done(g, what)) return GASNET_ERR_NOT_READY;
  }
  PST_SYNC_FENCE();
  return GASNET_OK;
}

/* Moves *seen to the last group up to number `last` that was done when this function looked at it and at all
 * before it. 1: all were. A group is looked at until it was done once, so that others may go on using it. */
static int groups_look(uint64_t *seen, uint64_t last, unsigned what)
{
  int done = 1;
  pthread_mutex_lock(&groups.lock);
  for (struct gasnetx_group *g = groups.first; g && g->number <= last && done; g = g->next) {
    if (g->number <= *seen) continue;
    done = group_is_done(g, what);
    if (done) *seen = g->number;
  }
  pthread_mutex_unlock(&groups.lock);
  return done;
}

static uint64_t groups_last(void)
{
  uint64_t last;
  pthread_mutex_lock(&groups.lock);
  last = groups.made;
  pthread_mutex_unlock(&groups.lock);
  return last;
}

void gasnetx_group_wait_all(unsigned what)
{
  const uint64_t last = groups_last();
  struct pst_wait w = {0, 0};
  uint64_t seen = 0;
  pst_amcheck_client("gasnetx_group_wait_all");
  for (; !groups_look(&seen, last, what); pst_wait_step(&w)) pst_rma_send_kept(NULL);
  PST_SYNC_FENCE();
}

int gasnetx_group_test_all(unsigned what)
{
  const uint64_t last = groups_last();
  uint64_t seen = 0;
  pst_amcheck_client("gasnetx_group_test_all");
  if (!groups_look(&seen, last, what)) {
    pst_rma_send_kept(NULL);
    pst_wait_poll();
    if (!groups_look(&seen, last, what)) return GASNET_ERR_NOT_READY;
  }
  PST_SYNC_FENCE();
  return GASNET_OK;
}
