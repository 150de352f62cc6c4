/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/context.h"

/* Nodes that the task names have to execute it, which costs nothing to see where all nodes do. The members
 * alone make a team when they need one, so that nodes outside need not come here, be it in `tasks` or not. */
int pst_xmp_task_enter(pst_xmp_task_t *t, const char *where, const struct pst_xmp_on *on, int nocomm)
{
  struct pst_xmp_selection s;
  t->state[0] = NULL;
  (void)nocomm;
  pst_xmp_select(where, on, &s);
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
}

void pst_xmp_tasks_enter(pst_xmp_task_t *t, const char *where)
{
  pst_xmp_need_open(where);
  t->state[0] = NULL;
}

void pst_xmp_tasks_leave(pst_xmp_task_t *t) { (void)t; }
