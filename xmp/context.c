/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/context.h"

#include <stdlib.h>

#include "front/threads.h"
#include "xmp/images.h"
#include "xmp/internal.h"

/* At the bottom are all nodes; it has no group of its own. */
static struct pst_xmp_context *top, *free_contexts;

/* In a parallel region: what this thread has put on top. Threads end when they like, so these contexts are
 * not kept. */
static _Thread_local struct pst_xmp_context *thread_top;

/* The stack of a thread of an inner region would stand on that of the thread which opened that region. What
 * is for threads is out of line, so that the way without stays short. */
__attribute__((noinline)) static struct pst_xmp_context *thread_now(const char *where, int level)
{
  if (thread_top) return thread_top;
  if (level > 1)
    pst_xmp_fatal(where,
        "in a parallel region of OpenMP within another one the executing nodes are not known; do this in the "
        "outer region");
  return top;
}

static inline void context_set(
    struct pst_xmp_context *c, const char *where, const struct pst_xmp_selection *s, int of_thread)
{
  c->group = NULL;
  c->selection = *s;
  c->where = where;
  c->of_thread = of_thread;
}

__attribute__((noinline)) static struct pst_xmp_context *thread_push(
    const char *where, const struct pst_xmp_selection *s, int level)
{
  struct pst_xmp_context *const outer = thread_now(where, level),
                                *const c = pst_xmp_own_take(where, sizeof *c);
  context_set(c, where, s, 1);
  c->outer = outer;
  pst_xmp_images_forget_here();
  return thread_top = c;
}

struct pst_xmp_context *pst_xmp_context_push(const char *where, const struct pst_xmp_selection *s)
{
  const int level = pst_front_parallel();
  if (__builtin_expect(level, 0)) return thread_push(where, s, level);
  struct pst_xmp_context *c = free_contexts;
  if (c) free_contexts = c->outer;
  else c = pst_xmp_own_take(where, sizeof *c);
  context_set(c, where, s, 0);
  c->outer = top;
  pst_xmp_images_forget();
  return top = c;
}

static void context_end(struct pst_xmp_context *c)
{
  if (c->group) pst_xmp_group_close(c->group);
  pst_xmp_selection_free(&c->selection);
}

static void top_drop(void)
{
  struct pst_xmp_context *c = top;
  context_end(c);
  top = c->outer;
  pst_xmp_images_forget();
  c->outer = free_contexts;
  free_contexts = c;
}

static void thread_drop(void)
{
  struct pst_xmp_context *const c = thread_top;
  context_end(c);
  thread_top = c->outer && c->outer->of_thread ? c->outer : NULL;
  free(c);
}

static int thread_has(const struct pst_xmp_context *c)
{
  for (const struct pst_xmp_context *t = thread_top; t && t->of_thread; t = t->outer)
    if (t == c) return 1;
  return 0;
}

__attribute__((noinline)) static void thread_pop(const struct pst_xmp_context *c)
{
  if (!thread_has(c)) return;
  while (thread_top != c) thread_drop();
  thread_drop();
}

static int stack_has(const struct pst_xmp_context *c)
{
  for (const struct pst_xmp_context *t = top; t; t = t->outer)
    if (t == c) return 1;
  return 0;
}

/* A region does not end within a construct that was begun in it, nor the other way round. */
void pst_xmp_context_pop(struct pst_xmp_context *c)
{
  if (__builtin_expect(pst_front_parallel(), 0)) {
    thread_pop(c);
    return;
  }
  if (!c || !stack_has(c)) return;
  while (top != c) top_drop();
  top_drop();
}

/* ---- the set ---- */

/* Stored when the group is complete, and read by other threads without the lock. */
static struct pst_xmp_group *group_known(const struct pst_xmp_context *c)
{
  return __atomic_load_n(&c->group, __ATOMIC_ACQUIRE);
}

static struct pst_xmp_group *group_find(struct pst_xmp_context *c)
{
  struct pst_xmp_group *g;
  if (!c) return pst_xmp_group_all;
  if (c->group) return c->group;
  if (!c->selection.nodes) g = pst_xmp_group_again(group_find(c->outer));
  else g = pst_xmp_selection_open(c->where, &c->selection, group_find(c->outer));
  __atomic_store_n(&c->group, g, __ATOMIC_RELEASE);
  return g;
}

static struct pst_xmp_group *group_of(struct pst_xmp_context *c, int level)
{
  if (!level) return group_find(c);
  pst_front_threads_lock();
  struct pst_xmp_group *const g = group_find(c);
  pst_front_threads_unlock();
  return g;
}

struct pst_xmp_group *pst_xmp_executing(void)
{
  const int level = pst_front_parallel();
  struct pst_xmp_context *const c = __builtin_expect(level, 0) ? thread_now("XcalableMP", level) : top;
  struct pst_xmp_group *g;
  /* Almost always asked for in no construct, or again in the same one. */
  return !c ? pst_xmp_group_all : (g = group_known(c)) ? g : group_of(c, level);
}

struct pst_xmp_group *pst_xmp_executing_before(const struct pst_xmp_context *c)
{
  return group_of(c->outer, pst_front_parallel());
}
