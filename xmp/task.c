/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/context.h"
#include "xmp/tool.h"

/* At most once: state[1] is what tools have been told of the beginning. */
#define block_end(t) \
  do { \
    if (__builtin_expect((t)->state[1] != NULL, 0)) pst_xmp_told_block_end((t)->state[1], PST_XMP_CODEPTR); \
    (t)->state[1] = NULL; \
  } while (0)

/* Nodes that the task names have to execute it, which costs nothing to see where all nodes do. The members
 * alone make a team when they need one, so that nodes outside need not come here, be it in `tasks` or not. */
int pst_xmp_task_enter(pst_xmp_task_t *t, const char *where, const struct pst_xmp_on *on, int nocomm)
{
  struct pst_xmp_selection s;
  t->state[0] = NULL;
  (void)nocomm;
  pst_xmp_select(where, on, &s);
  t->state[1] = PST_XMP_TOOLS ? pst_xmp_told_task(where, PST_XMP_CODEPTR, on, s.member) : NULL;
  if (!s.member) {
    pst_xmp_selection_free(&s);
    return 0;
  }
  t->state[0] = pst_xmp_context_push(where, &s);
  pst_xmp_executing();
  return 1;
}

void pst_xmp_task_leave(pst_xmp_task_t *t)
{
  pst_xmp_context_pop(t->state[0]);
  t->state[0] = NULL;
  block_end(t);
}

void pst_xmp_tasks_enter(pst_xmp_task_t *t, const char *where)
{
  pst_xmp_need_open(where);
  t->state[1] = PST_XMP_TOOLS ? pst_xmp_told_tasks(where, PST_XMP_CODEPTR) : NULL;
}

void pst_xmp_tasks_leave(pst_xmp_task_t *t) { block_end(t); }
