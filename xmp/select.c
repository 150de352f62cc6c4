/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* References to nodes and templates: which nodes they select. */
#include <limits.h>
#include <stdlib.h>

#include "xmp/context.h"
#include "xmp/template.h"

typedef pst_xmp_index_t index_t;

/* ---- subscripts ---- */

static index_t rest_count(index_t first, index_t step, index_t lower, index_t upper)
{
  return (step > 0 ? (upper - first) / step : (first - lower) / -step) + 1;
}

static index_t bounds_count(index_t first, index_t last, index_t step)
{
  const index_t n = pst_xmp_floor_div(step > 0 ? last - first : first - last, step > 0 ? step : -step) + 1;
  return n > 0 ? n : 0;
}

struct pst_xmp_section pst_xmp_subscript_section(const char *where, const char *name, int dim,
    const struct pst_xmp_subscript *u, index_t lower, index_t upper)
{
  struct pst_xmp_section s = {.first = u->first, .count = 1, .step = u->span == PST_XMP_ONE ? 1 : u->step};
  index_t end;
  if (u->span == PST_XMP_ALL) return (struct pst_xmp_section){lower, upper - lower + 1, 1};
  if (s.step == 0) pst_xmp_fatal(where, "%s: the step of subscript %d is 0", name, dim + 1);
  if (u->span != PST_XMP_COUNT && (s.first < lower || s.first > upper) &&
      !(u->span == PST_XMP_BOUNDS && bounds_count(u->first, u->last, s.step) == 0))
    pst_xmp_fatal(where, "%s: subscript %d is %lld; the dimension has %lld to %lld", name, dim + 1, s.first,
        lower, upper);
  if (u->span == PST_XMP_COUNT) s.count = u->last;
  else if (u->span == PST_XMP_REST) s.count = rest_count(s.first, s.step, lower, upper);
  else if (u->span == PST_XMP_BOUNDS) s.count = bounds_count(u->first, u->last, s.step);
  if (s.count < 0) pst_xmp_fatal(where, "%s: the length of subscript %d is %lld", name, dim + 1, s.count);
  end = s.first + (s.count - 1) * s.step;
  if (s.count > 0 && (s.first < lower || s.first > upper || end < lower || end > upper))
    pst_xmp_fatal(where, "%s: subscript %d goes from %lld to %lld; the dimension has %lld to %lld", name,
        dim + 1, s.first, end, lower, upper);
  return s;
}

static const struct pst_xmp_subscript everything = {.span = PST_XMP_ALL};

static const struct pst_xmp_subscript *subscript_of(const struct pst_xmp_on *on, int k)
{
  return on->n ? &on->subscript[k] : &everything;
}

static void dims_check(const char *where, const char *name, int dims, const struct pst_xmp_on *on)
{
  if (on->n && on->n != dims)
    pst_xmp_fatal(where, "%s has %d %s, and %d %s given", name, dims, dims == 1 ? "dimension" : "dimensions",
        on->n, on->n == 1 ? "subscript is" : "subscripts are");
}

/* ---- coordinates ---- */

static struct pst_xmp_pick pick_of(struct pst_xmp_section s)
{
  return (struct pst_xmp_pick){.first = (int)s.first, .count = (int)s.count, .step = (int)s.step};
}

/* A node runs those iterations that belong to its own coordinate. */
static int span_is_own(const struct pst_xmp_subscript *u)
{
  return u->span == PST_XMP_OWN || u->span == PST_XMP_LOOP;
}

/* This node's own coordinate in a dimension. */
static struct pst_xmp_pick pick_own(const struct pst_xmp_nodes *n, int dim, int *empty)
{
  if (n->rank < 0) *empty = 1;
  return (struct pst_xmp_pick){.first = n->rank < 0 ? 0 : n->coordinate[dim], .count = 1, .step = 1};
}

static int pick_has(const struct pst_xmp_pick *p, int coordinate)
{
  const int distance = coordinate - p->first;
  if (!p->list)
    return p->count > 0 && distance % p->step == 0 && distance / p->step >= 0 &&
        distance / p->step < p->count;
  for (int i = 0; i < p->count; i++)
    if (p->list[i] == coordinate) return 1;
  return 0;
}

/* Whether the section leaves out no node between its first and its last one. */
static int section_is_dense(const struct pst_xmp_axis *a, struct pst_xmp_section s)
{
  return s.count == 1 || (a->kind != PST_XMP_GBLOCK && (s.step < 0 ? -s.step : s.step) <= a->width);
}

/* The list becomes a first one, a count and a step where it can. */
static struct pst_xmp_pick pick_list(int *list, int count)
{
  const int step = count > 1 ? list[1] - list[0] : 1;
  struct pst_xmp_pick p = {.first = list[0], .count = count, .step = step, .list = list};
  for (int i = 1; i < count; i++)
    if (list[i] - list[i - 1] != step) return p;
  free(list);
  p.list = NULL;
  return p;
}

/* One look at each node of the dimension. */
static struct pst_xmp_pick owners_search(
    const char *where, const struct pst_xmp_axis *a, struct pst_xmp_section s)
{
  int *list = pst_xmp_own_take(where, (size_t)a->nodes * sizeof *list), count = 0;
  for (int node = 0; node < a->nodes; node++)
    if (pst_xmp_axis_meets(a, node, s)) list[count++] = node;
  return pick_list(list, count);
}

/* The coordinates of the owners of a section, which has at least one index, in ascending order. */
static struct pst_xmp_pick owners_of(
    const char *where, const struct pst_xmp_axis *a, struct pst_xmp_section s)
{
  const index_t last = s.first + (s.count - 1) * s.step, low = s.step > 0 ? s.first : last,
                high = s.step > 0 ? last : s.first;
  if (!section_is_dense(a, s)) return owners_search(where, a, s);
  if (!pst_xmp_axis_is_cyclic(a)) {
    const int from = (int)pst_xmp_axis_owner(a, low), to = (int)pst_xmp_axis_owner(a, high);
    return (struct pst_xmp_pick){.first = from, .count = to - from + 1, .step = 1};
  }
  if ((high - a->lower) / a->width - (low - a->lower) / a->width + 1 >= a->nodes)
    return (struct pst_xmp_pick){.first = 0, .count = (int)a->nodes, .step = 1};
  return owners_search(where, a, s);
}

/* ---- selections ---- */

static void nodes_select(const char *where, const struct pst_xmp_on *on, struct pst_xmp_selection *s)
{
  struct pst_xmp_nodes *n = pst_xmp_nodes_of(where, on->desc);
  s->nodes = n;
  dims_check(where, n->head.name, n->dims, on);
  for (int k = 0; k < n->dims; k++) {
    const struct pst_xmp_subscript *u = subscript_of(on, k);
    if (span_is_own(u)) s->pick[k] = pick_own(n, k, &s->empty);
    else s->pick[k] = pick_of(pst_xmp_subscript_section(where, n->head.name, k, u, 0, n->size[k] - 1));
  }
}

/* One dimension of a template. Those that are not distributed select nothing, but may be empty. */
static void template_select_dim(const char *where, const struct pst_xmp_template *t, int k,
    const struct pst_xmp_subscript *u, struct pst_xmp_selection *s)
{
  const struct pst_xmp_axis *a = &t->axis[k];
  const int dim = t->node_dim[k];
  struct pst_xmp_section section = {0, 0, 1};
  if (!span_is_own(u)) {
    section = pst_xmp_subscript_section(where, t->head.name, k, u, a->lower, a->upper);
    if (section.count == 0) s->empty = 1;
  }
  if (dim < 0) return;
  if (span_is_own(u)) s->pick[dim] = pick_own(t->nodes, dim, &s->empty);
  else if (u->span == PST_XMP_ALL) s->pick[dim] = (struct pst_xmp_pick){0, (int)a->nodes, 1, NULL};
  else if (section.count > 0) s->pick[dim] = owners_of(where, a, section);
}

static void template_select(const char *where, const struct pst_xmp_on *on, struct pst_xmp_selection *s)
{
  const struct pst_xmp_template *t = pst_xmp_template_need_fixed(where, on->desc);
  s->nodes = t->nodes;
  dims_check(where, t->head.name, t->dims, on);
  for (int k = 0; k < t->nodes->dims; k++) s->pick[k] = (struct pst_xmp_pick){0, 0, 1, NULL};
  for (int k = 0; k < t->dims; k++) template_select_dim(where, t, k, subscript_of(on, k), s);
}

static void selection_judge(struct pst_xmp_selection *s)
{
  const struct pst_xmp_nodes *n = s->nodes;
  s->member = n->known && n->rank >= 0;
  if (!n->known) s->empty = 1;
  for (int k = 0; k < n->dims; k++) {
    if (s->pick[k].count == 0) s->empty = 1;
    if (s->member && !pick_has(&s->pick[k], n->coordinate[k])) s->member = 0;
  }
  if (s->empty) s->member = 0;
}

void pst_xmp_select(const char *where, const struct pst_xmp_on *on, struct pst_xmp_selection *s)
{
  pst_xmp_need_open(where);
  s->nodes = NULL; /* what follows sets the dimensions that there are */
  s->empty = 0;
  s->member = 1;
  if (!on || !on->desc) return;
  s->member = 0;
  switch (pst_xmp_desc_kind(where, on->desc)) {
  case XMP_DESC_NODES: nodes_select(where, on, s); break;
  case XMP_DESC_TEMPLATE: template_select(where, on, s); break;
  default: pst_xmp_fatal(where, "this must be a node array or a template, and is neither");
  }
  selection_judge(s);
}

void pst_xmp_selection_free(struct pst_xmp_selection *s)
{
  for (int k = 0; s->nodes && k < s->nodes->dims; k++) {
    free(s->pick[k].list);
    s->pick[k].list = NULL;
  }
}

int pst_xmp_selection_size(const struct pst_xmp_selection *s)
{
  int size = 1;
  if (!s->nodes) return pst_xmp_executing()->size;
  for (int k = 0; k < s->nodes->dims; k++) size *= s->pick[k].count;
  return size;
}

struct pst_xmp_set pst_xmp_selection_set(const char *where, const struct pst_xmp_selection *s)
{
  const struct pst_xmp_nodes *n = s->nodes;
  if (!n) return pst_xmp_set_copy(&pst_xmp_executing()->set);
  return pst_xmp_set_pick(where, &n->set, n->dims, n->size, s->pick);
}

/* ---- on clauses ---- */

/* The node of a set, not empty, that does not execute the construct. */
static void outsider_tell(const char *where, const struct pst_xmp_nodes *n, const struct pst_xmp_set *s,
    const struct pst_xmp_set *executing) __attribute__((noreturn, cold));
static void outsider_tell(const char *where, const struct pst_xmp_nodes *n, const struct pst_xmp_set *s,
    const struct pst_xmp_set *executing)
{
  int rank = 0;
  while (pst_xmp_set_rank(executing, pst_xmp_set_node(s, rank)) >= 0) rank++;
  pst_xmp_fatal(where, "the nodes of %s that are named include node %d, which does not execute this",
      n->head.name, pst_xmp_set_node(s, rank));
}

struct pst_xmp_group *pst_xmp_selection_open(
    const char *where, const struct pst_xmp_selection *s, const struct pst_xmp_group *within)
{
  struct pst_xmp_set set;
  struct pst_xmp_group *g;
  if (!s->member) return NULL;
  set = pst_xmp_selection_set(where, s);
  if (!pst_xmp_set_within(&set, &within->set)) outsider_tell(where, s->nodes, &set, &within->set);
  g = pst_xmp_group_open(&set);
  pst_xmp_set_free(&set);
  return g;
}

struct pst_xmp_group *pst_xmp_on_open(const char *where, const struct pst_xmp_on *on)
{
  struct pst_xmp_selection s;
  struct pst_xmp_group *g;
  if (!on || !on->desc) {
    pst_xmp_need_open(where);
    return pst_xmp_group_again(pst_xmp_executing());
  }
  pst_xmp_select(where, on, &s);
  g = pst_xmp_selection_open(where, &s, pst_xmp_executing());
  pst_xmp_selection_free(&s);
  return g;
}

/* The usual reference: coordinates of one node of an array. -1: it is another one, or a wrong one. */
static int node_named(const char *where, const struct pst_xmp_on *on)
{
  const struct pst_xmp_nodes *n;
  int rank = 0;
  if (!on || !on->desc || pst_xmp_desc_kind(where, on->desc) != XMP_DESC_NODES) return -1;
  n = pst_xmp_nodes_of(where, on->desc);
  if (!n->known || on->n != n->dims) return -1;
  for (int k = 0; k < n->dims; k++) {
    const struct pst_xmp_subscript *const u = &on->subscript[k];
    if (u->span != PST_XMP_ONE || u->first < 0 || u->first >= n->size[k]) return -1;
    rank = rank * n->size[k] + (int)u->first;
  }
  return pst_xmp_set_node(&n->set, rank);
}

int pst_xmp_on_one(const char *where, const struct pst_xmp_on *on)
{
  struct pst_xmp_selection s;
  struct pst_xmp_set set;
  int node, size;
  pst_xmp_need_open(where);
  node = node_named(where, on);
  if (node >= 0) return node;
  pst_xmp_select(where, on, &s);
  size = s.empty ? 0 : pst_xmp_selection_size(&s);
  if (size != 1) pst_xmp_fatal(where, "one node has to be named, and %d nodes are", size);
  set = pst_xmp_selection_set(where, &s);
  node = set.first;
  pst_xmp_set_free(&set);
  pst_xmp_selection_free(&s);
  return node;
}
