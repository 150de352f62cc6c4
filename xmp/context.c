/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/context.h"

#include "xmp/images.h"
#include "xmp/internal.h"

/* At the bottom are all nodes; it has no group of its own. */
static struct pst_xmp_context *top, *free_contexts;

struct pst_xmp_context *pst_xmp_context_push(const char *where, const struct pst_xmp_selection *s)
{
  struct pst_xmp_context *c = free_contexts;
  if (c) free_contexts = c->outer;
  else c = pst_xmp_own_take(where, sizeof *c);
  c->outer = top;
  c->group = NULL;
  c->selection = *s;
  c->where = where;
  pst_xmp_images_forget();
  return top = c;
}

static void top_drop(void)
{
  struct pst_xmp_context *c = top;
  if (c->group) pst_xmp_group_close(c->group);
  pst_xmp_selection_free(&c->selection);
  top = c->outer;
  pst_xmp_images_forget();
  c->outer = free_contexts;
  free_contexts = c;
}

static int stack_has(const struct pst_xmp_context *c)
{
  for (const struct pst_xmp_context *t = top; t; t = t->outer)
    if (t == c) return 1;
  return 0;
}

void pst_xmp_context_pop(struct pst_xmp_context *c)
{
  if (!c || !stack_has(c)) return;
  while (top != c) top_drop();
  top_drop();
}

static struct pst_xmp_group *group_of(struct pst_xmp_context *c)
{
  if (!c) return pst_xmp_group_all;
  if (c->group) return c->group;
  if (!c->selection.nodes) c->group = pst_xmp_group_again(group_of(c->outer));
  else c->group = pst_xmp_selection_open(c->where, &c->selection, group_of(c->outer));
  return c->group;
}

struct pst_xmp_group *pst_xmp_executing(void)
{
  /* Almost always asked for in no construct, or again in the same one. */
  return !top ? pst_xmp_group_all : top->group ? top->group : group_of(top);
}

struct pst_xmp_group *pst_xmp_executing_before(const struct pst_xmp_context *c) { return group_of(c->outer); }
