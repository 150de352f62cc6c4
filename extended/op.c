/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations in flight, and the states of the threads that own them. */
#include "extended/group.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/job.h"
#include "core/loss.h"
#include "core/variables.h"
#include "core/wait.h"
#include "support/env.h"

/* Ops come in blocks, which are never given back. */
static struct pst_op *op_block_make(struct pst_thread *t)
{
  enum { BLOCK = 256 };
  struct pst_op *block = calloc(BLOCK, sizeof *block);
  if (!block) pst_fatal("out of memory for operations in flight; synchronise some first");
  for (int i = 0; i < BLOCK; i++) {
    block[i].owner = t->index;
    if (i) block[i - 1].next = &block[i];
  }
  return block;
}

/* By index. An entry is set once, before any op of its thread can get to another one. */
static struct pst_thread **threads;

/* Ops that other threads have freed. These push with release; the owner alone takes, all at once with
 * acquire: so no op can leave the list and come back while somebody looks at its `next`. */
static void op_return(struct pst_thread *owner, struct pst_op *op)
{
  op->next = atomic_load_explicit(&owner->returned, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &owner->returned, &op->next, op, memory_order_release, memory_order_relaxed)) {}
}

static struct pst_op *op_refill(struct pst_thread *t)
{
  struct pst_op *op = atomic_exchange_explicit(&t->returned, NULL, memory_order_acquire);
  return op ? op : op_block_make(t);
}

struct pst_op *pst_op_new(struct pst_thread *t, enum pst_op_kind kind)
{
  struct pst_op *op = t->free ? t->free : op_refill(t);
  t->free = op->next;
  op->kind = kind;
  return op;
}

void pst_completion_note(struct pst_completion *c)
{
  pst_loss_note(atomic_exchange_explicit(&c->lost, 0, memory_order_relaxed));
}

void pst_op_free(struct pst_thread *t, struct pst_op *op)
{
  op->kind = PST_OPKIND_FREE;
  pst_completion_ask(&op->completion);
  if (__builtin_expect(op->owner != t->index, 0)) {
    op_return(threads[op->owner], op);
    return;
  }
  op->next = t->free;
  t->free = op;
}

void pst_completion_wait(struct pst_completion *c, unsigned events)
{
  struct pst_wait w = {0, 0};
  while (!pst_completion_is_done(c, events)) pst_wait_step(&w);
  pst_completion_ask(c);
}

/* ---- threads ---- */

_Thread_local struct pst_thread *pst_thread_self __attribute__((tls_model("initial-exec")));

/* The state of a thread outlives it, for operations may still be in flight, and serves a later thread. */
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pst_thread *threads_ended;
static uint32_t threads_made;
static pthread_key_t thread_key;
static pthread_once_t thread_key_once = PTHREAD_ONCE_INIT;

static void thread_leave(void *thread)
{
  struct pst_thread *t = thread;
  pst_wait_offer();
  pst_thread_self = NULL; /* a later destructor's call joins anew */
  t->region = NULL;
  if (t->chosen) atomic_fetch_sub_explicit(&t->chosen->choosers, 1, memory_order_relaxed);
  t->chosen = NULL;
  pthread_mutex_lock(&threads_lock);
  t->next = threads_ended;
  threads_ended = t;
  pthread_mutex_unlock(&threads_lock);
}

static void thread_key_make(void)
{
  if (pthread_key_create(&thread_key, thread_leave) != 0)
    pst_fatal("no thread keys left; the library needs one");
}

static struct pst_thread *thread_make(void)
{
  const int64_t most = pst_env_int(&pst_core_env.max_threads);
  struct pst_thread *t;
  if (threads_made >= most)
    pst_fatal("more than %lld threads use the library at once; raise GASNET_MAX_THREADS", (long long)most);
  t = calloc(1, sizeof *t);
  if (!t) pst_fatal("out of memory for thread %u", threads_made);
  if (!threads && !(threads = calloc((size_t)most, sizeof *threads)))
    pst_fatal("out of memory for %lld threads", (long long)most);
  t->index = threads_made++;
  threads[t->index] = t;
  t->own.op.kind = PST_OPKIND_IMPLICIT;
  t->own.op.owner = t->index;
  pst_groups_add(&t->own);
  return t;
}

struct pst_thread *pst_thread_join(void)
{
  struct pst_thread *t;
  pthread_once(&thread_key_once, thread_key_make);
  pthread_mutex_lock(&threads_lock);
  t = threads_ended;
  if (t) threads_ended = t->next;
  else t = thread_make();
  pthread_mutex_unlock(&threads_lock);
  pthread_setspecific(thread_key, t);
  return pst_thread_self = t;
}
