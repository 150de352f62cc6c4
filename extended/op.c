/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "extended/op.h"

#include <stdlib.h>

#include "core/wait.h"

/* Ops come in blocks that are never given back: the most that were ever in flight. */
static struct pst_op *make_block(struct pst_thread *t)
{
  enum { BLOCK = 256 };
  struct pst_op *block = calloc(BLOCK, sizeof *block);
  if (!block) pst_fatal("out of memory for operations in flight; synchronise some first");
  for (int i = 0; i < BLOCK; i++) {
    block[i].owner = t->index;
    block[i].next = i + 1 < BLOCK
    ? &block[i + 1] : NULL;
  }
  return block;
}

struct pst_op *pst_op_new(struct pst_thread *t, enum pst_op_kind kind)
{
  struct pst_op *op = t->free ? t->free : make_block(t);
  t->free = op->next;
  op->kind = kind;
  return op;
}

void pst_op_free(struct pst_thread *t, struct pst_op *op)
{
  op->kind = PST_OPKIND_FREE;
  op->next = t->free;
  t->free = op;
}

void pst_pending_wait(const pst_pending_t *p)
{
  struct pst_wait w = {0, 0};
  while (atomic_load_explicit(p, memory_order_acquire) != 0) pst_wait_step(&w);
}
