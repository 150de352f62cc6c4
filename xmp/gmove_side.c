/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The two sides of a gmove: their sections, shapes and types. */
#include <stdio.h>
#include <string.h>

#include "xmp/gmove.h"
#include "xmp/operation.h"

typedef pst_xmp_index_t index_t;

static const char *side_name(const struct pst_xmp_gmove_side *s, const char *which)
{
  return s->array ? s->array->name : which;
}

/* ---- sections ---- */

/* A pointer is as long as its subscript reaches. What is no section with a length the caller has refused. */
static index_t extent_reached(const struct pst_xmp_subscript *u)
{
  const index_t last = u->span == PST_XMP_COUNT ? u->first + (u->last - 1) * u->step : u->first;
  if (u->span != PST_XMP_ONE && (u->span != PST_XMP_COUNT || u->last <= 0)) return 0;
  return (last > u->first ? last : u->first) + 1;
}

static void side_extents(
    const char *where, struct pst_xmp_gmove_side *s, const struct pst_xmp_side *from, const char *which)
{
  s->dims = s->array ? s->array->dims : from->dims;
  if (s->dims != from->dims || s->dims > PST_XMP_DIMENSIONS)
    pst_xmp_fatal(
        where, "gmove: %s has %d dimensions, and %d subscripts", side_name(s, which), s->dims, from->dims);
  for (int k = 0; k < s->dims; k++) s->extent[k] = s->array ? s->array->dim[k].extent : from->extent[k];
  if (!s->array && s->dims && s->extent[0] == 0 && from->subscript)
    s->extent[0] = extent_reached(&from->subscript[0]);
}

/* What most subscripts are: all of a dimension, or an index. 0: another one, or a wrong one. */
static int section_plain(const struct pst_xmp_subscript *u, index_t extent, struct pst_xmp_section *s)
{
  const int all = u->span == PST_XMP_ALL;
  if (!all && (u->span != PST_XMP_ONE || u->first < 0 || u->first >= extent)) return 0;
  s->first = all ? 0 : u->first;
  s->count = all ? extent : 1;
  s->step = 1;
  return 1;
}

static void side_sections(
    const char *where, struct pst_xmp_gmove_side *s, const struct pst_xmp_side *from, const char *which)
{
  static const struct pst_xmp_subscript all = {.span = PST_XMP_ALL, .step = 1};
  for (int k = 0; k < s->dims; k++) {
    const struct pst_xmp_subscript *const u = from->subscript ? &from->subscript[k] : &all;
    if (u->span == PST_XMP_OWN || u->span == PST_XMP_LOOP)
      pst_xmp_fatal(
          where, "gmove: subscript %d of %s is no part of an array section", k + 1, side_name(s, which));
    if (!section_plain(u, s->extent[k], &s->section[k]))
      s->section[k] = pst_xmp_subscript_section(where, side_name(s, which), k, u, 0, s->extent[k] - 1);
    if (u->span != PST_XMP_ONE) s->dim[s->rank++] = k;
  }
}

static void side_open(
    const char *where, struct pst_xmp_gmove_side *s, const struct pst_xmp_side *from, const char *which)
{
  s->array = from->array ? pst_xmp_array_need(where, from->array) : NULL;
  s->id = 0;
  s->rank = 0;
  if (s->array) {
    s->size = s->array->size;
    s->type = s->array->type;
  } else {
    s->size = from->size;
    s->type = from->type;
  }
  side_extents(where, s, from, which);
  side_sections(where, s, from, which);
}

/* ---- comparing ---- */

static int sides_equal(const struct pst_xmp_gmove_side *a, const struct pst_xmp_gmove_side *b)
{
  if (a->array != b->array || a->id != b->id || a->size != b->size || a->type != b->type ||
      a->dims != b->dims || a->rank != b->rank)
    return 0;
  for (int k = 0; k < a->dims; k++)
    if (a->extent[k] != b->extent[k] || a->section[k].first != b->section[k].first ||
        a->section[k].count != b->section[k].count || a->section[k].step != b->section[k].step)
      return 0;
  for (int r = 0; r < a->rank; r++)
    if (a->dim[r] != b->dim[r]) return 0;
  return 1;
}

int pst_xmp_gmove_keys_equal(const struct pst_xmp_gmove_key *a, const struct pst_xmp_gmove_key *b)
{
  return a->group == b->group && a->mode == b->mode && sides_equal(&a->left, &b->left) &&
      sides_equal(&a->right, &b->right);
}

/* ---- what fits together ---- */

static const char *shape_text(const struct pst_xmp_gmove_side *s, char *text, size_t n)
{
  size_t at = (size_t)snprintf(text, n, s->rank ? "the shape " : "no dimensions");
  for (int r = 0; r < s->rank && at < n; r++)
    at += (size_t)snprintf(text + at, n - at, "[%lld]", s->section[s->dim[r]].count);
  return text;
}

static int shapes_agree(const struct pst_xmp_gmove_side *left, const struct pst_xmp_gmove_side *right)
{
  if (right->rank == 0) return 1;
  if (left->rank != right->rank) return 0;
  for (int r = 0; r < left->rank; r++)
    if (left->section[left->dim[r]].count != right->section[right->dim[r]].count) return 0;
  return 1;
}

static void sides_check(
    const char *where, const struct pst_xmp_gmove_side *left, const struct pst_xmp_gmove_side *right)
{
  char a[160], b[160];
  if (!shapes_agree(left, right))
    pst_xmp_fatal(where, "gmove: the left side, %s, has %s, and the right side, %s, has %s",
        side_name(left, "local memory"), shape_text(left, a, sizeof a), side_name(right, "local memory"),
        shape_text(right, b, sizeof b));
  if (left->type == right->type && left->size == right->size) return;
  if (!pst_xmp_type_size(left->type) || !pst_xmp_type_size(right->type))
    pst_xmp_fatal(where, "gmove: elements of %s (%zu bytes) cannot become those of %s (%zu bytes)",
        pst_xmp_type_name(right->type), right->size, pst_xmp_type_name(left->type), left->size);
}

/* Where nodes have sets of their own, those that send must be in the same one. */
static void own_check(const char *where, const struct pst_xmp_gmove_key *k)
{
  const struct pst_xmp_nodes *const n = k->left.array->template_->nodes;
  if (!n->own || !k->right.array || k->right.array->template_->nodes == n) return;
  pst_xmp_fatal(where,
      "gmove out: %s lies on nodes that each node selects by its own coordinates, and %s on others, which do "
      "not know "
      "these",
      k->left.array->name, k->right.array->name);
}

void pst_xmp_gmove_key(const char *where, struct pst_xmp_gmove_key *k, const struct pst_xmp_side *left,
    const struct pst_xmp_side *right, enum pst_xmp_gmove_mode mode)
{
  side_open(where, &k->left, left, "the left side");
  side_open(where, &k->right, right, "the right side");
  sides_check(where, &k->left, &k->right);
  k->mode = mode;
  if (mode == PST_XMP_IN && !k->right.array)
    pst_xmp_fatal(where, "gmove in: the right side is no global array");
  if (mode == PST_XMP_OUT && !k->left.array)
    pst_xmp_fatal(where, "gmove out: the left side is no global array");
  if (mode == PST_XMP_OUT) own_check(where, k);
}

/* ---- who has what ---- */

struct pst_xmp_line pst_xmp_gmove_line(const struct pst_xmp_gmove_side *s, int r)
{
  const int k = s->dim[r];
  const struct pst_xmp_section *const section = &s->section[k];
  struct pst_xmp_line l = {
      .kind = PST_XMP_LINE_WHOLE, .first = section->first, .step = section->step, .width = 1, .nodes = 1};
  if (!s->array) return l;
  const struct pst_xmp_axis *const axis = &s->array->dim[k].axis;
  if (axis->kind == PST_XMP_NOT_DISTRIBUTED) return l;
  l.first -= axis->lower;
  l.width = axis->width;
  l.nodes = axis->nodes;
  l.bound = axis->start;
  l.kind = axis->kind == PST_XMP_CYCLIC ? PST_XMP_LINE_CYCLIC
      : axis->kind == PST_XMP_GBLOCK    ? PST_XMP_LINE_GBLOCK
                                        : PST_XMP_LINE_BLOCK;
  return l;
}

int pst_xmp_gmove_fixed_owner(const struct pst_xmp_gmove_side *s, int k)
{
  return s->array ? (int)pst_xmp_axis_owner(&s->array->dim[k].axis, s->section[k].first) : 0;
}

static int node_has_any(const struct pst_xmp_gmove_side *s, const int coordinate[])
{
  for (int k = 0; k < s->dims; k++) {
    const struct pst_xmp_dimension *const d = &s->array->dim[k];
    if (d->node_dim >= 0 && !pst_xmp_axis_meets(&d->axis, coordinate[d->node_dim], s->section[k])) return 0;
  }
  return 1;
}

/* The right side may have another replica among the executing nodes, which is found out for each piece. */
void pst_xmp_gmove_check_executes(
    const char *where, const struct pst_xmp_gmove_side *s, const struct pst_xmp_group *g, const char *which)
{
  int coordinate[PST_XMP_DIMENSIONS];
  const struct pst_xmp_nodes *n;
  if (!s->array) return;
  n = s->array->template_->nodes;
  if (pst_xmp_set_within(&n->set, &g->set)) return;
  if (which[0] == 'r' && pst_xmp_array_is_replicated(s->array)) return;
  for (int rank = 0; rank < n->set.size; rank++) {
    const int node = pst_xmp_set_node(&n->set, rank);
    if (pst_xmp_set_rank(&g->set, node) >= 0) continue;
    pst_xmp_nodes_coordinates(n, rank, coordinate);
    if (node_has_any(s, coordinate))
      pst_xmp_fatal(where,
          "gmove: node %d has elements of %s, on the %s side, and does not execute this; "
          "gmove %s may be meant",
          node, s->array->name, which, which[0] == 'r' ? "in" : "out");
  }
}

/* Whether the elements of dimension k lie on one coordinate: in one block. */
static int is_in_one_block(const struct pst_xmp_gmove_side *s, int k)
{
  const struct pst_xmp_axis *const axis = &s->array->dim[k].axis;
  const struct pst_xmp_section *const section = &s->section[k];
  const index_t last = section->first + (section->count - 1) * section->step;
  if (axis->kind == PST_XMP_NOT_DISTRIBUTED || section->count == 1) return 1;
  if (axis->kind == PST_XMP_CYCLIC)
    return (section->first - axis->lower) / axis->width == (last - axis->lower) / axis->width;
  return pst_xmp_axis_owner(axis, section->first) == pst_xmp_axis_owner(axis, last);
}

static int replica_rank(const struct pst_xmp_gmove_side *s, const struct pst_xmp_group *g, int dim, int at[])
{
  const struct pst_xmp_array_full *const a = s->array;
  const struct pst_xmp_nodes *const n = a->template_->nodes;
  if (dim == n->dims) return pst_xmp_set_rank(&g->set, pst_xmp_nodes_at(n, at));
  if (a->array_dim[dim] >= 0) {
    at[dim] = pst_xmp_gmove_fixed_owner(s, a->array_dim[dim]);
    return replica_rank(s, g, dim + 1, at);
  }
  for (at[dim] = 0; at[dim] < n->size[dim]; at[dim]++) {
    const int rank = replica_rank(s, g, dim + 1, at);
    if (rank >= 0) return rank;
  }
  return -1;
}

/* Each node may have an array of its own by one declaration, where the nodes were selected by its own
 * coordinates. Such sets of nodes do not overlap, so if this node's has all that execute, it is theirs as
 * well. */
static int is_common(const struct pst_xmp_gmove_side *s, const struct pst_xmp_group *g)
{
  return pst_xmp_set_within(&g->set, &s->array->template_->nodes->set);
}

int pst_xmp_gmove_single_owner(const struct pst_xmp_gmove_side *s, const struct pst_xmp_group *g)
{
  int at[PST_XMP_DIMENSIONS];
  if (!is_common(s, g)) return -1;
  for (int k = 0; k < s->dims; k++)
    if (s->section[k].count == 0 || !is_in_one_block(s, k)) return -1;
  return replica_rank(s, g, 0, at);
}

int pst_xmp_gmove_overlap(const struct pst_xmp_gmove_side *a, const struct pst_xmp_gmove_side *b)
{
  if (!a->array || a->array != b->array) return 0;
  for (int k = 0; k < a->dims; k++) {
    const struct pst_xmp_section *const s = &a->section[k], *const t = &b->section[k];
    const index_t s_end = s->first + (s->count - 1) * s->step, t_end = t->first + (t->count - 1) * t->step;
    const index_t s_low = s->step < 0 ? s_end : s->first, s_high = s->step < 0 ? s->first : s_end,
                  t_low = t->step < 0 ? t_end : t->first, t_high = t->step < 0 ? t->first : t_end;
    if (s_high < t_low || t_high < s_low) return 0;
  }
  return 1;
}
