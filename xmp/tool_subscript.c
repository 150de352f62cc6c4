/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Subscripts as tools see them: in the order and the numbers of the inquiry functions. The references may be
 * wrong: what they name is checked after the event. */
#include "front/threads.h"
#include "xmp/context.h"
#include "xmp/tool.h"

typedef pst_xmp_index_t index_t;
typedef struct _xmpt_subscript_t subscript_t;

static void entry_set(subscript_t *s, int at, index_t lower, index_t upper, index_t step)
{
  s->lbound[at] = (int)lower;
  s->ubound[at] = (int)upper;
  s->marker[at] = (int)step;
}

static index_t last_of(const struct pst_xmp_subscript *u, index_t lower, index_t upper)
{
  const index_t end = u->span == PST_XMP_BOUNDS ? u->last : u->step > 0 ? upper : lower;
  if (u->step == 0) return end;
  return u->first + (end - u->first) / u->step * u->step;
}

/* One subscript, in the program's numbers plus `shift`, of what has lower..upper, without it. */
static void entry_read(
    subscript_t *s, int at, const struct pst_xmp_subscript *u, index_t lower, index_t upper, index_t shift)
{
  const index_t first = u->first + shift;
  switch (u->span) {
  case PST_XMP_LOOP:
  case PST_XMP_ALL: entry_set(s, at, lower + shift, upper + shift, 1); break;
  case PST_XMP_OWN: entry_set(s, at, -1, -1, 0); break;
  case PST_XMP_ONE: entry_set(s, at, first, first, 1); break;
  case PST_XMP_COUNT: entry_set(s, at, first, first + (u->last - 1) * u->step, u->step); break;
  case PST_XMP_REST:
  case PST_XMP_BOUNDS: entry_set(s, at, first, last_of(u, lower, upper) + shift, u->step); break;
  }
}

static const struct pst_xmp_subscript all = {PST_XMP_ALL, 0, 0, 0, 1}, none = {PST_XMP_OWN, 0, 0, 0, 1};

/* The subscript of dimension k; where there are none, each is the whole dimension. */
static const struct pst_xmp_subscript *subscript_at(const struct pst_xmp_on *on, int k, int loop)
{
  if (k >= on->n) return loop ? &none : &all;
  return loop && on->subscript[k].span == PST_XMP_ALL ? &none : &on->subscript[k];
}

static void nodes_read(subscript_t *s, const struct pst_xmp_nodes *n, const struct pst_xmp_on *on, int loop)
{
  s->ndims = n->dims;
  for (int k = 0; k < n->dims; k++)
    entry_read(s, n->dims - 1 - k, subscript_at(on, k, loop), 0, n->size[k] - 1, 1);
}

static void template_read(
    subscript_t *s, const struct pst_xmp_template *t, const struct pst_xmp_on *on, int loop)
{
  s->ndims = t->dims;
  for (int k = 0; k < t->dims; k++)
    entry_read(s, t->dims - 1 - k, subscript_at(on, k, loop), t->axis[k].lower, t->axis[k].upper, 0);
}

/* ---- the executing nodes as a node array: each set has one, which stays ---- */

struct executing {
  struct executing *next;
  struct pst_xmp_nodes *nodes;
};

static struct pst_xmp_nodes *executing_find(const char *where)
{
  static struct executing *first;
  static const index_t star[] = {0};
  const struct pst_xmp_set *const set = &pst_xmp_executing()->set;
  struct executing *e = first;
  while (e && !pst_xmp_set_equal(&e->nodes->set, set)) e = e->next;
  if (e) return e->nodes;
  e = pst_xmp_own_take(where, sizeof *e);
  *e = (struct executing){first, pst_xmp_nodes_make(where, "(executing)", 1, star, PST_XMP_EXECUTING, NULL)};
  first = e;
  return e->nodes;
}

static struct pst_xmp_nodes *executing_nodes(const char *where)
{
  pst_front_shared_enter();
  struct pst_xmp_nodes *const nodes = executing_find(where);
  pst_front_shared_leave();
  return nodes;
}

void pst_xmp_tool_on(
    const char *where, const struct pst_xmp_on *on, int loop, xmp_desc_t *desc, subscript_t *s)
{
  *s = (subscript_t){.omit = 1};
  if (!on || !on->desc) {
    *desc = executing_nodes(where);
    return;
  }
  *desc = on->desc;
  s->omit = 0;
  switch (pst_xmp_desc_kind(where, on->desc)) {
  case XMP_DESC_NODES: nodes_read(s, on->desc, on, loop); break;
  case XMP_DESC_TEMPLATE: template_read(s, on->desc, on, loop); break;
  default: s->omit = 1;
  }
}

/* ---- sections of arrays ---- */

void pst_xmp_tool_section(const struct pst_xmp_side *side, subscript_t *s)
{
  const struct pst_xmp_array_full *const a = side->array ? pst_xmp_array_of(side->array) : NULL;
  *s = (subscript_t){.ndims = side->dims};
  for (int k = 0; k < side->dims && k < PST_XMP_DIMENSIONS; k++)
    entry_read(s, k, &side->subscript[k], 0, (a ? a->dim[k].extent : side->extent[k]) - 1, 0);
}

void pst_xmp_tool_side(const struct pst_xmp_side *side, xmp_desc_t *desc, subscript_t *s)
{
  *desc = side->array;
  if (side->array) pst_xmp_tool_section(side, s);
  else *s = (subscript_t){.omit = 1};
}
