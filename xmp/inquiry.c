/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What programs ask about nodes, templates and arrays. Dimension 1 of nodes and templates is the last one of
 * the runtime's, dimension 1 of arrays the first. A wrong argument gets XMP_FAILURE. */
#include <limits.h>

#include "xmp/array.h"
#include "xmp/context.h"

typedef pst_xmp_index_t index_t;

/* ---- descriptors and dimensions ---- */

static struct pst_xmp_nodes *nodes_of(xmp_desc_t d)
{
  return d && pst_xmp_desc_kind("an inquiry", d) == XMP_DESC_NODES ? d : NULL;
}

static struct pst_xmp_template *template_of(xmp_desc_t d)
{
  return d && pst_xmp_desc_kind("an inquiry", d) == XMP_DESC_TEMPLATE ? d : NULL;
}

static struct pst_xmp_array_full *array_of(xmp_desc_t d)
{
  return d && pst_xmp_desc_kind("an inquiry", d) == XMP_DESC_ARRAY ? d : NULL;
}

/* The runtime's number of a dimension of nodes or a template, and the other way round. */
static int reversed(int dims, int dim) { return dims - dim; }

static int has_dim(int dims, int dim) { return dim >= 1 && dim <= dims; }

static int nodes_dim(const struct pst_xmp_nodes *n, int dim)
{
  return n && has_dim(n->dims, dim) ? reversed(n->dims, dim) : -1;
}

static int template_dim(const struct pst_xmp_template *t, int dim)
{
  return t && has_dim(t->dims, dim) ? reversed(t->dims, dim) : -1;
}

static int array_dim(const struct pst_xmp_array_full *a, int dim)
{
  return a && has_dim(a->dims, dim) ? dim - 1 : -1;
}

/* Results of type int: the language has no wider ones. */
static int answer(int *result, index_t value)
{
  *result = (int)value;
  return XMP_SUCCESS;
}

int xmp_desc_kind(xmp_desc_t d, int *kind)
{
  return d ? answer(kind, pst_xmp_desc_kind("xmp_desc_kind", d)) : XMP_FAILURE;
}

/* ---- nodes ---- */

int xmp_nodes_ndims(xmp_desc_t d, int *ndims)
{
  const struct pst_xmp_nodes *n = nodes_of(d);
  return n ? answer(ndims, n->dims) : XMP_FAILURE;
}

int xmpc_nodes_index(xmp_desc_t d, int dim, int *index)
{
  const struct pst_xmp_nodes *n = nodes_of(d);
  const int k = nodes_dim(n, dim);
  return k >= 0 && n->rank >= 0 ? answer(index, n->coordinate[k]) : XMP_FAILURE;
}

int xmp_nodes_index(xmp_desc_t d, int dim, int *index)
{
  int from_0;
  return xmpc_nodes_index(d, dim, &from_0) == XMP_SUCCESS ? answer(index, from_0 + 1) : XMP_FAILURE;
}

int xmp_nodes_size(xmp_desc_t d, int dim, int *size)
{
  const struct pst_xmp_nodes *n = nodes_of(d);
  const int k = nodes_dim(n, dim);
  return k >= 0 ? answer(size, n->size[k]) : XMP_FAILURE;
}

int xmp_nodes_attr(xmp_desc_t d, int *attr)
{
  static const int attributes[] = {[PST_XMP_NO_PARENT] = XMP_ENTIRE_NODES,
      [PST_XMP_EXECUTING] = XMP_EXECUTING_NODES,
      [PST_XMP_PRIMARY] = XMP_PRIMARY_NODES,
      [PST_XMP_OF_NODES] = XMP_EQUIVALENCE_NODES};
  const struct pst_xmp_nodes *n = nodes_of(d);
  return n ? answer(attr, attributes[n->parent]) : XMP_FAILURE;
}

int xmp_nodes_equiv(xmp_desc_t d, xmp_desc_t *dn, int lb[], int ub[], int st[])
{
  const struct pst_xmp_nodes *n = nodes_of(d);
  if (!n || !n->of) return XMP_FAILURE;
  *dn = n->of;
  for (int dim = 1; dim <= n->of->dims; dim++) {
    const struct pst_xmp_pick *p = &n->equivalent[reversed(n->of->dims, dim)];
    lb[dim - 1] = p->first + 1;
    ub[dim - 1] = p->first + (p->count - 1) * p->step + 1;
    st[dim - 1] = p->step;
  }
  return XMP_SUCCESS;
}

int xmp_nodes_rank(xmp_desc_t d, int *rank)
{
  const struct pst_xmp_nodes *n = nodes_of(d);
  return n && n->rank >= 0 ? answer(rank, n->rank) : XMP_FAILURE;
}

/* ---- templates ---- */

int xmp_template_fixed(xmp_desc_t d, int *fixed)
{
  const struct pst_xmp_template *t = template_of(d);
  return t ? answer(fixed, t->fixed) : XMP_FAILURE;
}

int xmp_template_ndims(xmp_desc_t d, int *ndims)
{
  const struct pst_xmp_template *t = template_of(d);
  return t ? answer(ndims, t->dims) : XMP_FAILURE;
}

int xmp_template_lbound(xmp_desc_t d, int dim, int *lbound)
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  return k >= 0 && t->has_bounds ? answer(lbound, t->axis[k].lower) : XMP_FAILURE;
}

int xmp_template_ubound(xmp_desc_t d, int dim, int *ubound)
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  return k >= 0 && t->has_bounds ? answer(ubound, t->axis[k].upper) : XMP_FAILURE;
}

int xmp_template_gsize(xmp_desc_t d, int dim)
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  return k >= 0 && t->has_bounds ? (int)(t->axis[k].upper - t->axis[k].lower + 1) : XMP_FAILURE;
}

int xmp_template_lsize(xmp_desc_t d, int dim)
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  if (k < 0 || !t->fixed) return XMP_FAILURE;
  return t->nodes->rank < 0 ? 0 : (int)pst_xmp_axis_count(&t->axis[k], pst_xmp_template_mine(t, k));
}

int xmp_dist_format(xmp_desc_t d, int dim, int *format)
{
  static const int formats[] = {[PST_XMP_NOT_DISTRIBUTED] = XMP_NOT_DISTRIBUTED,
      [PST_XMP_BLOCK] = XMP_BLOCK,
      [PST_XMP_CYCLIC] = XMP_CYCLIC,
      [PST_XMP_GBLOCK] = XMP_GBLOCK};
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  return k >= 0 && t->nodes ? answer(format, formats[t->format[k].kind]) : XMP_FAILURE;
}

int xmp_dist_blocksize(xmp_desc_t d, int dim, int *blocksize)
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  if (k < 0 || !t->fixed) return XMP_FAILURE;
  if (t->axis[k].kind == PST_XMP_GBLOCK)
    return answer(
        blocksize, t->nodes->rank < 0 ? 0 : pst_xmp_axis_count(&t->axis[k], pst_xmp_template_mine(t, k)));
  return answer(blocksize, t->axis[k].width);
}

int xmp_dist_gblockmap(xmp_desc_t d, int dim, int map[])
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  if (k < 0 || !t->nodes || t->format[k].kind != PST_XMP_GBLOCK || !t->map[k]) return XMP_FAILURE;
  for (int i = 0; i < t->nodes->size[t->node_dim[k]]; i++) map[i] = (int)(t->map[k][i + 1] - t->map[k][i]);
  return XMP_SUCCESS;
}

int xmp_dist_nodes(xmp_desc_t d, xmp_desc_t *dn)
{
  const struct pst_xmp_template *t = template_of(d);
  if (!t || !t->nodes) return XMP_FAILURE;
  *dn = t->nodes;
  return XMP_SUCCESS;
}

int xmp_dist_axis(xmp_desc_t d, int dim, int *axis)
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  if (k < 0 || !t->nodes) return XMP_FAILURE;
  return answer(axis, t->node_dim[k] < 0 ? XMP_UNDEFINED : reversed(t->nodes->dims, t->node_dim[k]));
}

int xmp_dist_stride(xmp_desc_t d, int dim)
{
  const struct pst_xmp_template *t = template_of(d);
  const int k = template_dim(t, dim);
  if (k < 0 || !t->fixed) return XMP_FAILURE;
  return t->axis[k].kind == PST_XMP_CYCLIC ? (int)(t->axis[k].width * t->axis[k].nodes) : 1;
}

void xmp_sched_template_index(
    int *local_first, int *local_last, int first, int last, int step, xmp_desc_t d, int dim0)
{
  static const char call[] = "xmp_sched_template_index";
  const struct pst_xmp_template *t = pst_xmp_template_need_fixed(call, d);
  const int k = template_dim(t, dim0 + 1);
  const struct pst_xmp_axis *a = k < 0 ? NULL : &t->axis[k];
  struct pst_xmp_pieces pieces;
  struct pst_xmp_piece p = {.count = 0};
  if (!a) pst_xmp_fatal(call, "%s has no dimension %d", t->head.name, dim0);
  if (step == 0) pst_xmp_fatal(call, "the step is 0");
  if (pst_xmp_axis_is_cyclic(a) && a->width > 1)
    pst_xmp_fatal(call, "dimension %d of %s is distributed in blocks by turns", dim0, t->head.name);
  *local_first = 0, *local_last = step > 0 ? -1 : 1;
  if (t->nodes->rank < 0 || (step > 0 ? last < first : last > first)) return;
  pst_xmp_pieces_begin(&pieces, a, pst_xmp_template_mine(t, k),
      (struct pst_xmp_section){first, (last - first) / step + 1, step});
  if (!pst_xmp_pieces_next(&pieces, &p)) return;
  *local_first = first + (int)p.k * step;
  *local_last = first + (int)(p.k + (p.count - 1) * p.k_step) * step;
}

/* ---- alignment ---- */

int xmp_align_axis(xmp_desc_t d, int dim, int *axis)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = array_dim(a, dim);
  if (k < 0) return XMP_FAILURE;
  if (a->dim[k].template_dim == PST_XMP_COLLAPSED) return answer(axis, XMP_UNDEFINED);
  return answer(axis, reversed(a->template_->dims, a->dim[k].template_dim));
}

int xmp_align_offset(xmp_desc_t d, int dim, int *offset)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = array_dim(a, dim);
  if (k < 0) return XMP_FAILURE;
  return answer(offset, a->dim[k].template_dim == PST_XMP_COLLAPSED ? XMP_UNDEFINED : a->dim[k].offset);
}

int xmp_align_replicated(xmp_desc_t d, int dim, int *replicated)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = a ? template_dim(a->template_, dim) : -1;
  if (k < 0) return XMP_FAILURE;
  *replicated = a->template_->node_dim[k] >= 0 && a->array_dim[a->template_->node_dim[k]] < 0;
  return XMP_SUCCESS;
}

int xmp_align_template(xmp_desc_t d, xmp_desc_t *dt)
{
  const struct pst_xmp_array_full *a = array_of(d);
  if (!a) return XMP_FAILURE;
  *dt = a->template_;
  return XMP_SUCCESS;
}

/* ---- arrays ---- */

int xmp_array_ndims(xmp_desc_t d, int *ndims)
{
  const struct pst_xmp_array_full *a = array_of(d);
  return a ? answer(ndims, a->dims) : XMP_FAILURE;
}

/* A full shadow is what lies below and above this node's part. */
static int shadow_tell(xmp_desc_t d, int dim, int upper, int *width)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = array_dim(a, dim);
  if (k < 0) return XMP_FAILURE;
  if (!a->dim[k].full) return answer(width, upper ? a->dim[k].shadow_upper : a->dim[k].shadow_lower);
  if (!a->allocated) return XMP_FAILURE;
  return answer(width, upper ? a->dim[k].extent - 1 - a->mine[k].last : a->mine[k].first);
}

int xmp_array_lshadow(xmp_desc_t d, int dim, int *lshadow) { return shadow_tell(d, dim, 0, lshadow); }
int xmp_array_ushadow(xmp_desc_t d, int dim, int *ushadow) { return shadow_tell(d, dim, 1, ushadow); }

int xmp_array_lbound(xmp_desc_t d, int dim, int *lbound)
{
  return array_dim(array_of(d), dim) < 0 ? XMP_FAILURE : answer(lbound, 0);
}

int xmp_array_ubound(xmp_desc_t d, int dim, int *ubound)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = array_dim(a, dim);
  return k < 0 || a->dim[k].extent == 0 ? XMP_FAILURE : answer(ubound, a->dim[k].extent - 1);
}

int xmp_array_lbound_global(xmp_desc_t d, int dim)
{
  return array_dim(array_of(d), dim) < 0 ? XMP_FAILURE : 0;
}

int xmp_array_ubound_global(xmp_desc_t d, int dim)
{
  int last;
  return xmp_array_ubound(d, dim, &last) == XMP_SUCCESS ? last : XMP_FAILURE;
}

int xmp_array_gcglbound(xmp_desc_t d, int dim) { return xmp_array_lbound_global(d, dim); }
int xmp_array_gcgubound(xmp_desc_t d, int dim) { return xmp_array_ubound_global(d, dim); }

size_t xmp_array_type_size(xmp_desc_t d)
{
  const struct pst_xmp_array_full *a = array_of(d);
  return a ? a->size : 0;
}

int xmp_array_gsize(xmp_desc_t d, int dim)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = array_dim(a, dim);
  return k < 0 ? XMP_FAILURE : (int)a->dim[k].extent;
}

/* This node's part in a dimension; NULL: there is none. */
static const struct pst_xmp_extent *part_of(xmp_desc_t d, int dim)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = array_dim(a, dim);
  return k >= 0 && a->allocated && a->member ? &a->mine[k] : NULL;
}

/* ld is 1 at least, and a part may be empty. */
int xmp_array_lsize(xmp_desc_t d, int dim, int *lsize)
{
  const struct pst_xmp_extent *e = part_of(d, dim);
  const struct pst_xmp_dimension *const k = e ? &array_of(d)->dim[dim - 1] : NULL;
  const int is_empty = e && e->count == 0 && !k->full && k->shadow_lower + k->shadow_upper == 0;
  return e ? answer(lsize, is_empty ? 0 : e->ld) : XMP_FAILURE;
}

int xmp_array_laddr(xmp_desc_t d, void **laddr)
{
  const struct pst_xmp_array_full *a = array_of(d);
  if (!a || !a->allocated) return XMP_FAILURE;
  *laddr = a->seen.base;
  return XMP_SUCCESS;
}

int xmp_array_lda(xmp_desc_t d, int lda[])
{
  const struct pst_xmp_array_full *a = array_of(d);
  index_t stride = 1;
  if (!a || !a->allocated) return XMP_FAILURE;
  for (int k = a->dims - 1; k >= 0; k--) {
    lda[k] = (int)stride;
    stride *= a->seen.ld[k];
  }
  return XMP_SUCCESS;
}

int xmp_array_lead_dim(xmp_desc_t d, int size[]) { return xmp_array_lda(d, size); }

int xmp_array_gtol(xmp_desc_t d, int dim, int g_index, int *l_index)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int k = array_dim(a, dim);
  index_t l;
  if (!part_of(d, dim)) return XMP_FAILURE;
  if (pst_xmp_axis_is_cyclic(&a->dim[k].axis) &&
      (g_index < 0 || g_index >= a->dim[k].extent ||
          pst_xmp_axis_owner(&a->dim[k].axis, g_index) != a->coordinate[k]))
    return XMP_FAILURE;
  l = pst_xmp_array_subscript(a, k, a->coordinate[k], g_index);
  return l >= 0 && l < a->mine[k].ld ? answer(l_index, l) : XMP_FAILURE;
}

int xmp_array_owner(xmp_desc_t d, int ndims, int index[], int dim)
{
  const struct pst_xmp_array_full *a = array_of(d);
  const int node_dim = a ? nodes_dim(a->template_->nodes, dim) : -1;
  int k;
  if (node_dim < 0 || ndims != a->dims || !a->allocated) return XMP_FAILURE;
  k = a->array_dim[node_dim];
  if (k < 0) return XMP_UNDEFINED;
  if (index[k] < 0 || index[k] >= a->dim[k].extent) return XMP_FAILURE;
  return (int)pst_xmp_axis_owner(&a->dim[k].axis, index[k]) + 1;
}

int xmp_array_gcllbound(xmp_desc_t d, int dim)
{
  const struct pst_xmp_extent *e = part_of(d, dim);
  return e ? (int)e->first : XMP_FAILURE;
}

int xmp_array_gclubound(xmp_desc_t d, int dim)
{
  const struct pst_xmp_extent *e = part_of(d, dim);
  return e ? (int)e->last : XMP_FAILURE;
}

int xmp_array_lcllbound(xmp_desc_t d, int dim)
{
  const struct pst_xmp_extent *e = part_of(d, dim);
  return e ? (int)e->origin : XMP_FAILURE;
}

int xmp_array_lclubound(xmp_desc_t d, int dim)
{
  const struct pst_xmp_extent *e = part_of(d, dim);
  return e ? (int)(e->origin + e->count - 1) : XMP_FAILURE;
}
