/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmp/alone.h"
#include "xmp/context.h"
#include "xmp/tool.h"

struct pst_xmp_nodes *pst_xmp_nodes_of(const char *where, void *desc)
{
  if (pst_xmp_desc_kind(where, desc) != XMP_DESC_NODES) pst_xmp_fatal(where, "this must be a node array");
  return desc;
}

struct pst_xmp_nodes *pst_xmp_nodes_again(struct pst_xmp_nodes *n)
{
  pst_front_shared_enter();
  n->head.refs++;
  pst_front_shared_leave();
  return n;
}

static void nodes_end(struct pst_xmp_nodes *n)
{
  if (n->of) pst_xmp_nodes_drop(n->of);
  pst_xmp_set_free(&n->set);
  free(n);
}

void pst_xmp_nodes_drop(struct pst_xmp_nodes *n)
{
  pst_front_shared_enter();
  if (--n->head.refs == 0) nodes_end(n);
  pst_front_shared_leave();
}

void pst_xmp_nodes_free(void **nodes)
{
  struct pst_xmp_nodes *const n = *nodes;
  if (n && PST_XMP_TOOLS)
    pst_xmp_told_desc(xmpt_event_nodes_desc_end, n, &n->head.tool_data, PST_XMP_CODEPTR);
  if (n) pst_xmp_nodes_drop(n);
  *nodes = NULL;
}

/* ---- coordinates ---- */

int pst_xmp_nodes_at(const struct pst_xmp_nodes *n, const int coordinate[])
{
  int rank = 0;
  for (int k = 0; k < n->dims; k++) rank = rank * n->size[k] + coordinate[k];
  return pst_xmp_set_node(&n->set, rank);
}

void pst_xmp_nodes_coordinates(const struct pst_xmp_nodes *n, int rank, int coordinate[])
{
  for (int k = n->dims - 1; k >= 0; k--) {
    coordinate[k] = rank % n->size[k];
    rank /= n->size[k];
  }
}

int pst_xmp_nodes_equal(const struct pst_xmp_nodes *a, const struct pst_xmp_nodes *b)
{
  if (a == b) return 1;
  if (a->dims != b->dims || a->known != b->known) return 0;
  for (int k = 0; k < a->dims; k++)
    if (a->size[k] != b->size[k]) return 0;
  return !a->known || pst_xmp_set_equal(&a->set, &b->set);
}

/* ---- declarations ---- */

static struct pst_xmp_nodes *nodes_new(
    const char *where, const char *name, int dims, enum pst_xmp_parent parent)
{
  struct pst_xmp_nodes *n;
  pst_xmp_need_open(where);
  if (dims < 1 || dims > PST_XMP_DIMENSIONS)
    pst_xmp_fatal(where, "%s: a node array has 1 to %d dimensions, not %d", name, PST_XMP_DIMENSIONS, dims);
  n = pst_xmp_own_take_clear(where, 1, sizeof *n);
  n->head = (struct pst_xmp_object){.kind = XMP_DESC_NODES, .name = name, .where = where, .refs = 1};
  n->dims = dims;
  n->parent = parent;
  n->rank = -1;
  return n;
}

/* The shape as it was declared, in square brackets. */
static const char *shape_text(int dims, const pst_xmp_index_t size[], char text[], size_t room)
{
  size_t at = 0;
  for (int k = 0; k < dims && at < room; k++) {
    const int n = size[k] ? snprintf(text + at, room - at, "[%lld]", size[k])
                          : snprintf(text + at, room - at, "[*]");
    at += (size_t)n;
  }
  return text;
}

/* Sets n's sizes, one of which may follow from the number of nodes. */
static void shape_fit(struct pst_xmp_nodes *n, const pst_xmp_index_t size[], int available)
{
  const char *const where = n->head.where, *const name = n->head.name;
  char text[200];
  pst_xmp_index_t product = 1;
  int star = -1;
  shape_text(n->dims, size, text, sizeof text);
  for (int k = 0; k < n->dims; k++) {
    if (size[k] < 0 || (size[k] == 0 && star >= 0))
      pst_xmp_fatal(where, "nodes %s%s: sizes are above 0, and one may be *", name, text);
    if (size[k] == 0) star = k;
    else product = product > available ? product : product * size[k]; /* does not overflow */
    n->size[k] = (int)size[k];
  }
  if (star >= 0 && available % product == 0) n->size[star] = (int)(available / product);
  else if (star >= 0 || product != available)
    pst_xmp_fatal(where, "the shape of nodes %s%s does not fit %d %s", name, text, available,
        available == 1 ? "node" : "nodes");
  n->count = available;
}

/* Takes over the set. */
static void members_set(struct pst_xmp_nodes *n, struct pst_xmp_set set)
{
  n->set = set;
  n->known = 1;
  n->rank = pst_xmp_set_rank(&n->set, pst_xmp_job.me);
  if (n->rank >= 0) pst_xmp_nodes_coordinates(n, n->rank, n->coordinate);
}

static int selects_own(const struct pst_xmp_nodes *parent, const struct pst_xmp_on *of)
{
  for (int k = 0; k < of->n; k++)
    if (of->subscript[k].span == PST_XMP_OWN && parent->size[k] > 1) return 1;
  return parent->own;
}

static void part_set(struct pst_xmp_nodes *n, const pst_xmp_index_t size[], const struct pst_xmp_on *of)
{
  const char *const where = n->head.where;
  struct pst_xmp_selection s;
  struct pst_xmp_nodes *parent = pst_xmp_nodes_of(where, of->desc);
  pst_xmp_select(where, of, &s);
  n->of = pst_xmp_nodes_again(parent);
  n->own = selects_own(parent, of);
  memcpy(n->equivalent, s.pick, (size_t)parent->dims * sizeof s.pick[0]); /* of nodes: there are no lists */
  shape_fit(n, size, pst_xmp_selection_size(&s));
  if (!s.empty) members_set(n, pst_xmp_selection_set(where, &s));
}

static pst_xmp_index_t shape_product(int dims, const pst_xmp_index_t size[])
{
  pst_xmp_index_t product = 1;
  for (int k = 0; k < dims && product <= pst_xmp_job.nodes; k++) product *= size[k];
  return product;
}

/* Without a parent an array is made of the executing nodes; in a task, one of all nodes may be declared that
 * has just their number. */
static const struct pst_xmp_set *parent_set(
    enum pst_xmp_parent parent, int dims, const pst_xmp_index_t size[])
{
  const struct pst_xmp_group *executing = pst_xmp_executing();
  if (parent == PST_XMP_PRIMARY) return &pst_xmp_group_all->set;
  if (parent == PST_XMP_NO_PARENT && shape_product(dims, size) == pst_xmp_job.nodes)
    return &pst_xmp_group_all->set;
  return &executing->set;
}

struct pst_xmp_nodes *pst_xmp_nodes_make(const char *where, const char *name, int dims,
    const pst_xmp_index_t size[], enum pst_xmp_parent parent, const struct pst_xmp_on *of)
{
  struct pst_xmp_nodes *n = nodes_new(where, name, dims, parent);
  const struct pst_xmp_set *set;
  if (parent == PST_XMP_OF_NODES) {
    part_set(n, size, of);
    return n;
  }
  set = parent_set(parent, dims, size);
  shape_fit(n, size, set->size);
  members_set(n, pst_xmp_set_copy(set));
  return n;
}

void *pst_xmp_nodes(const char *where, const char *name, int dims, const pst_xmp_index_t size[],
    enum pst_xmp_parent parent, const struct pst_xmp_on *of)
{
  struct pst_xmp_nodes *const n = pst_xmp_nodes_make(where, name, dims, size, parent, of);
  if (PST_XMP_TOOLS) pst_xmp_told_desc(xmpt_event_nodes_desc_begin, n, &n->head.tool_data, PST_XMP_CODEPTR);
  return n;
}
