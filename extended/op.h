/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations in flight, and the per-thread state that owns them.
 *
 * An op is owned by the thread that made it. Only that thread allocates it; any may wait for it and free it,
 * and then returns it to the owner.
 * The code that completes a part does not touch the op afterwards (core/completion.h). */
#ifndef EXTENDED_OP_H
#define EXTENDED_OP_H
#include "core/conduit.h"
#include "core/loss.h"
#include "gasnetx.h"

enum pst_op_kind {
  PST_OPKIND_FREE,
  PST_OPKIND_EXPLICIT,
  PST_OPKIND_REGION,
  PST_OPKIND_VALUE,
  PST_OPKIND_IMPLICIT
};

struct pst_op {
  struct pst_completion completion;
  uint32_t kind;       /* enum pst_op_kind */
  uint32_t owner;      /* index of the thread, or PST_OP_SHARED: any may wait */
  uint64_t value;      /* of a VALUE op: where its bytes arrive */
  struct pst_op *next; /* in the owner's free list */
};

#define PST_OP_SHARED UINT32_MAX

struct gasnetx_group {
  struct pst_op op;          /* IMPLICIT */
  _Atomic uint32_t choosers; /* threads whose operations count on it */
  uint64_t number;
  struct gasnetx_group *next;
};

struct pst_thread {
  uint32_t index;
  struct pst_op *free;
  _Atomic(struct pst_op *) returned; /* by other threads */
  struct pst_op *region;             /* the access region that is open, or NULL */
  struct gasnetx_group own, *chosen; /* chosen: NULL where it is `own` */
  struct pst_unsent *unsent;         /* small transfers kept back, see pst_rma_coalesce */
  struct pst_thread *next;           /* in the list of ended threads */
};

extern _Thread_local struct pst_thread *pst_thread_self __attribute__((tls_model("initial-exec")));
struct pst_thread *pst_thread_join(void);

/* This thread's state, made on the first call. */
static inline struct pst_thread *pst_thread_get(void)
{
  struct pst_thread *t = pst_thread_self;
  return __builtin_expect(t != NULL, 1) ? t : pst_thread_join();
}

struct pst_op *pst_op_new(struct pst_thread *t, enum pst_op_kind kind);
void pst_op_free(struct pst_thread *t, struct pst_op *op);

static inline int pst_op_done(const struct pst_op *op)
{
  return pst_completion_is_done(&op->completion, PST_EVENTS);
}

/* The op that counts a new implicit operation: the open access region, else the chosen group. */
static inline struct pst_op *pst_op_implicit(struct pst_thread *t)
{
  if (t->region) return t->region;
  return t->chosen ? &t->chosen->op : &t->own.op;
}

/* Serves messages until none of the events is outstanding. */
void pst_completion_wait(struct pst_completion *c, unsigned events);

/* An operation is not begun: its node, for which there is no room, is lost. */
static inline int pst_completion_loses(struct pst_completion *c, gasnet_node_t node)
{
  const int lost = pst_loss_of(node);
  if (lost) pst_completion_lose(c, PST_LOSS_LOST);
  return lost;
}

/* When events of it are complete: if some have ended because a node is lost or has left, the calling thread's
 * status says so, once. */
void pst_completion_note(struct pst_completion *c);
static inline void pst_completion_ask(struct pst_completion *c)
{
  if (__builtin_expect(atomic_load_explicit(&c->lost, memory_order_relaxed) != 0, 0)) pst_completion_note(c);
}

#endif
