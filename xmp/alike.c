/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The array directive: have the arrays' sections the shape of the template's, and has each node, of the
 * iterations that it runs, all elements? */
#include "xmp/array.h"
#include "xmp/context.h"
#include "xmp/loop.h"

typedef pst_xmp_index_t index_t;

struct check {
  const pst_xmp_loop_t *l;
  const struct pst_xmp_loop_state *s;
  const char *where;
  const struct pst_xmp_array_full *a;
  const struct pst_xmp_alike *of;
  struct pst_xmp_section on[PST_XMP_DIMENSIONS]; /* of the template, for each variable */
  int dim[PST_XMP_DIMENSIONS];                   /* the template's that the variable is of */
};

static void sections_read(struct check *c)
{
  const struct pst_xmp_template *const t = c->s->template_;
  for (int k = 0; k < c->s->dims; k++) {
    const int v = c->s->variable[k];
    if (v < 0) continue;
    c->dim[v] = k;
    c->on[v] = pst_xmp_subscript_section(
        c->where, t->head.name, k, &c->of->section[v], t->axis[k].lower, t->axis[k].upper);
    if (c->on[v].count != c->of->length[v])
      pst_xmp_fatal(c->where,
          "the section of %s has %lld indices in dimension %d, and that of %s %lld elements", t->head.name,
          c->on[v].count, k + 1, c->a->name, c->of->length[v]);
  }
}

static index_t iteration_next(const struct check *c, int v, index_t from)
{
  const struct pst_xmp_section *const s = &c->on[v];
  return pst_xmp_loop_next(&c->l->range[v], from, s->step, s->first + s->step * s->count);
}

static int runs_any(const struct check *c)
{
  if (!c->s->context) return 0;
  for (int v = 0; v < c->s->variables; v++)
    if (c->on[v].count == 0 ||
        iteration_next(c, v, c->on[v].first) == c->on[v].first + c->on[v].step * c->on[v].count)
      return 0;
  return 1;
}

/* Is index g of dimension k in this node's part or, if the element is only read, in its shadow? */
static int has_index(const struct check *c, int k, index_t g)
{
  const struct pst_xmp_dimension *const d = &c->a->dim[k];
  index_t first, last;
  if (d->node_dim < 0 || (d->full && !c->of->left)) return 1;
  if (!c->a->member) return 0;
  if (pst_xmp_axis_is_cyclic(&d->axis))
    return g >= 0 && g < d->extent && pst_xmp_axis_owner(&d->axis, g) == c->a->coordinate[k];
  pst_xmp_axis_bounds(&d->axis, c->a->coordinate[k], &first, &last);
  if (last < first) return 0;
  return c->of->left ? g >= first && g <= last : g >= first - d->shadow_lower && g <= last + d->shadow_upper;
}

static void index_check(const struct check *c, int k, index_t g)
{
  if (!has_index(c, k, g))
    pst_xmp_fatal(c->where,
        "index %lld of dimension %d of %s is on another node than the template's; its section is aligned "
        "otherwise",
        g, k + 1, c->a->name);
}

/* Does the section follow the template's, index by index? */
static int is_parallel(const struct check *c, int k, const struct pst_xmp_indices *p)
{
  const struct pst_xmp_dimension *const d = &c->a->dim[k];
  const struct pst_xmp_section *const on = &c->on[p->variable];
  return c->a->template_ == c->s->template_ && d->template_dim == c->dim[p->variable] &&
      p->first + d->offset == on->first && p->step == on->step;
}

static void section_check(const struct check *c, int k, const struct pst_xmp_indices *p)
{
  const struct pst_xmp_section *const on = &c->on[p->variable];
  const int node_dim = c->s->template_->node_dim[c->dim[p->variable]];
  if (is_parallel(c, k, p)) return;
  if (c->of->left && c->a->dim[k].node_dim < 0 && node_dim >= 0 && c->s->nodes->size[node_dim] > 1)
    pst_xmp_fatal(
        c->where, "dimension %d of %s is not distributed, and that of the template is", k + 1, c->a->name);
  for (index_t i = iteration_next(c, p->variable, on->first); i != on->first + on->step * on->count;
       i = iteration_next(c, p->variable, i + on->step))
    index_check(c, k, p->first + (i - on->first) / on->step * p->step);
}

void pst_xmp_array_alike(
    const pst_xmp_loop_t *l, const char *where, pst_xmp_array_t *array, const struct pst_xmp_alike *of)
{
  struct check c = {
      .l = l, .s = l->state[0], .where = where, .a = pst_xmp_array_need(where, array), .of = of};
  sections_read(&c);
  if (!runs_any(&c)) return;
  for (int k = 0; k < c.a->dims; k++) {
    const struct pst_xmp_indices *const p = &of->index[k];
    if (p->variable < 0) index_check(&c, k, p->first);
    else section_check(&c, k, p);
  }
}
