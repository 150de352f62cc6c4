/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The executing node set: a stack, at whose bottom are all nodes. Tasks and loops put a set on it while this
 * node is in them. The set of a loop is found out only when something asks for it.
 *
 * In a parallel region of OpenMP each thread has a stack of its own, which stands on the stack of the time
 * before the region. That one does not change in the region: it is read by all threads, and the sets that are
 * found out for it are stored under the lock of front/threads.h. */
#ifndef XMP_CONTEXT_H
#define XMP_CONTEXT_H

#include "xmp/nodes.h"

struct pst_xmp_context {
  struct pst_xmp_context *outer; /* of the free ones: the next */
  struct pst_xmp_group *group;   /* NULL: not asked for yet */
  struct pst_xmp_selection selection;
  const char *where; /* of the construct */
  int of_thread;     /* on the stack of a thread, in a parallel region */
};

/* Ends with the context that the construct has put on it. The caller's selection passes to it. */
struct pst_xmp_context *pst_xmp_context_push(const char *where, const struct pst_xmp_selection *s);
/* Takes c off, and what may still lie above it. */
void pst_xmp_context_pop(struct pst_xmp_context *c);

/* The executing set, whose reference stays the context's: it is valid until the construct ends. Waits for
 * nobody. */
struct pst_xmp_group *pst_xmp_executing(void);
/* What was the executing set before c was put on the stack. */
struct pst_xmp_group *pst_xmp_executing_before(const struct pst_xmp_context *c);

#endif
