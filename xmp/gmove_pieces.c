/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The pieces of a gmove. In each dimension of the section the meetings of the two distributions say which
 * runs of elements this node exchanges with which coordinate. A piece is a meeting of each dimension.
 *
 * Who gets decides from which replica: the nearest one. Where nodes put, each of the replicas of the left
 * side gets its own copy; which of the nodes that have an element sends it follows from the number of the
 * receiver. */
#include <stdlib.h>

#include "xmp/gmove.h"

typedef pst_xmp_index_t index_t;

struct sending {
  int mine, all; /* of puts: this node is number `mine` of `all` nodes that have its elements */
};
struct building {
  const char *where;
  const struct pst_xmp_gmove_key *key;
  int puts;
  const struct pst_xmp_gmove_side *near, *far;
  struct pst_xmp_line near_line[PST_XMP_DIMENSIONS], far_line[PST_XMP_DIMENSIONS];
  struct pst_xmp_meetings meetings[PST_XMP_DIMENSIONS];
  const struct pst_xmp_meeting *chosen[PST_XMP_DIMENSIONS];
  struct sending sending;
  struct pst_xmp_gmove_pieces *pieces;
};

/* ---- the place of a piece on one side ---- */

/* Strides of the part of the node with these coordinates, or of local memory. */
static void side_strides(const struct pst_xmp_gmove_side *s, const int coordinate[], ptrdiff_t stride[])
{
  ptrdiff_t step = (ptrdiff_t)s->size;
  for (int k = s->dims - 1; k >= 0; k--) {
    stride[k] = step;
    step *= (ptrdiff_t)(s->array ? pst_xmp_array_extent(s->array, k, coordinate[k]).ld : s->extent[k]);
  }
}

static ptrdiff_t side_subscript(const struct pst_xmp_gmove_side *s, int k, int c, index_t g)
{
  return (ptrdiff_t)(s->array ? pst_xmp_array_subscript(s->array, k, c, g) : g);
}

/* Which of the section's dimensions is dimension k; -1: it is dropped. They may come in any order, as those
 * of a transposed array do. */
static int side_rank_of(const struct pst_xmp_gmove_side *s, int k)
{
  for (int r = 0; r < s->rank; r++)
    if (s->dim[r] == k) return r;
  return -1;
}

/* A side without dimensions of its own is one element, whatever the section of the other. */
static ptrdiff_t side_place(const struct building *b, const struct pst_xmp_gmove_side *s,
    const struct pst_xmp_line line[], const int coordinate[], ptrdiff_t of_piece[])
{
  ptrdiff_t stride[PST_XMP_DIMENSIONS], offset = 0;
  const int rank = b->key->left.rank;
  side_strides(s, coordinate, stride);
  for (int k = 0; k < s->dims; k++)
    offset += side_subscript(s, k, coordinate[k], s->section[k].first) * stride[k] * (s->rank == 0);
  for (int r = 0, at = 2 * (rank - 1); r < rank; r++, at -= 2) {
    of_piece[at] = of_piece[at + 1] = 0;
    if (s->rank == 0) continue;
    of_piece[at] = (ptrdiff_t)line[r].step * stride[s->dim[r]];
    of_piece[at + 1] = (ptrdiff_t)pst_xmp_line_shift(&line[r], b->chosen[r]->period) * stride[s->dim[r]];
  }
  if (s->rank == 0) return offset;
  for (int k = 0; k < s->dims; k++) {
    const int r = side_rank_of(s, k);
    const index_t g = s->section[k].first + (r >= 0 ? b->chosen[r]->k * s->section[k].step : 0);
    offset += side_subscript(s, k, coordinate[k], g) * stride[k];
  }
  return offset;
}

/* ---- a piece ---- */

static struct pst_xmp_gmove_piece *pieces_next(const struct building *b)
{
  struct pst_xmp_gmove_pieces *const p = b->pieces;
  if (p->n == p->room) {
    p->room = p->room ? 2 * p->room : 8;
    p->piece = realloc(p->piece, (size_t)p->room * sizeof *p->piece);
    if (!p->piece) pst_xmp_fatal(b->where, "gmove: out of memory for %d pieces", p->room);
  }
  return &p->piece[p->n++];
}

/* Dimensions of one element go; so few are left that a transfer takes little time to begin. */
static void piece_close_up(struct pst_xmp_gmove_piece *p, int dims)
{
  ptrdiff_t packed = 1;
  for (int i = 0; i < dims; i++) {
    if (p->count[i] == 1) continue;
    p->count[p->dims] = p->count[i];
    p->near_stride[p->dims] = p->near_stride[i];
    p->far_stride[p->dims] = p->far_stride[i];
    p->packed[p->dims++] = packed;
    packed *= (ptrdiff_t)p->count[i];
  }
  p->elements = (size_t)packed;
}

static void piece_add(const struct building *b, int node, const int near[], const int far[])
{
  struct pst_xmp_gmove_piece *const p = pieces_next(b);
  const int rank = b->key->left.rank;
  *p = (struct pst_xmp_gmove_piece){.node = node, .before = b->pieces->elements};
  for (int r = 0, at = 2 * (rank - 1); r < rank; r++, at -= 2) {
    p->count[at] = (size_t)b->chosen[r]->run;
    p->count[at + 1] = (size_t)b->chosen[r]->repeats;
  }
  p->near = side_place(b, b->near, b->near_line, near, p->near_stride);
  p->far = side_place(b, b->far, b->far_line, far, p->far_stride);
  piece_close_up(p, 2 * rank);
  b->pieces->elements += p->elements;
}

/* ---- which nodes are at the far end ---- */

static void piece_get(const struct building *b, const int near[], const int far[])
{
  index_t coordinate[PST_XMP_DIMENSIONS];
  int node = pst_xmp_job.me;
  if (b->far->array) {
    for (int k = 0; k < b->far->dims; k++) coordinate[k] = far[k];
    node = pst_xmp_array_node(b->far->array, coordinate);
    if (b->key->mode == PST_XMP_COLLECTIVE && pst_xmp_set_rank(&b->key->group->set, node) < 0)
      pst_xmp_fatal(b->where,
          "gmove: node %d has elements of %s and does not execute this; gmove in may be meant", node,
          b->far->array->name);
  }
  piece_add(b, node, near, far);
}

/* Local memory is the same on all nodes that execute, so one that has the elements copies them itself. That
 * is right also where each node has an array of its own by one declaration. */
static int is_sender(const struct building *b, int node)
{
  if (!b->near->array && pst_xmp_set_rank(&b->key->group->set, node) >= 0) return node == pst_xmp_job.me;
  return node % b->sending.all == b->sending.mine;
}

/* To each replica of the left side that this node is to send to. */
static void piece_put(const struct building *b, const int near[], const int far[], int dim, int at[])
{
  const struct pst_xmp_array_full *const a = b->far->array;
  const struct pst_xmp_nodes *const n = a->template_->nodes;
  if (dim == n->dims) {
    const int node = pst_xmp_nodes_at(n, at);
    if (is_sender(b, node)) piece_add(b, node, near, far);
    return;
  }
  if (a->array_dim[dim] >= 0) {
    at[dim] = far[a->array_dim[dim]];
    piece_put(b, near, far, dim + 1, at);
    return;
  }
  for (at[dim] = 0; at[dim] < n->size[dim]; at[dim]++) piece_put(b, near, far, dim + 1, at);
}

/* Of the nodes that have the same elements of the right side as this one, those that execute the construct.
 */
static void replicas_count(const struct building *b, int dim, int at[], struct sending *s)
{
  const struct pst_xmp_array_full *const a = b->near->array;
  const struct pst_xmp_nodes *const n = a->template_->nodes;
  if (dim == n->dims) {
    const int node = pst_xmp_nodes_at(n, at);
    if (node == pst_xmp_job.me) s->mine = s->all;
    s->all += pst_xmp_set_rank(&b->key->group->set, node) >= 0;
    return;
  }
  if (a->array_dim[dim] >= 0) {
    at[dim] = n->coordinate[dim];
    replicas_count(b, dim + 1, at, s);
    return;
  }
  for (at[dim] = 0; at[dim] < n->size[dim]; at[dim]++) replicas_count(b, dim + 1, at, s);
}

static struct sending sending_of(const struct building *b)
{
  struct sending s = {0, 0};
  int at[PST_XMP_DIMENSIONS];
  if (b->near->array) replicas_count(b, 0, at, &s);
  else s = (struct sending){b->key->group->rank, b->key->group->size};
  return s;
}

/* ---- all of them ---- */

static void coordinates_of(const struct building *b, const struct pst_xmp_gmove_side *s, int coordinate[])
{
  const int is_near = s == b->near;
  for (int k = 0; k < s->dims; k++)
    coordinate[k] = is_near && s->array ? s->array->coordinate[k] : pst_xmp_gmove_fixed_owner(s, k);
  for (int r = 0; r < s->rank; r++)
    if (!is_near) coordinate[s->dim[r]] = b->chosen[r]->other;
}

static void pieces_choose(struct building *b, int r)
{
  int near[PST_XMP_DIMENSIONS] = {0}, far[PST_XMP_DIMENSIONS] = {0}, at[PST_XMP_DIMENSIONS];
  if (r < b->key->left.rank) {
    for (int i = 0; i < b->meetings[r].n; i++) {
      b->chosen[r] = &b->meetings[r].piece[i];
      pieces_choose(b, r + 1);
    }
    return;
  }
  coordinates_of(b, b->near, near);
  coordinates_of(b, b->far, far);
  if (b->puts) piece_put(b, near, far, 0, at);
  else piece_get(b, near, far);
}

/* Whether this node has the elements of the dropped dimensions. */
static int near_is_here(const struct pst_xmp_gmove_side *s)
{
  if (!s->array) return 1;
  if (!s->array->member) return 0;
  for (int k = 0; k < s->dims; k++)
    if (side_rank_of(s, k) < 0 && pst_xmp_gmove_fixed_owner(s, k) != s->array->coordinate[k]) return 0;
  return 1;
}

static struct pst_xmp_line line_of(const struct pst_xmp_gmove_side *s, int r)
{
  static const struct pst_xmp_line scalar = {.kind = PST_XMP_LINE_WHOLE, .width = 1, .nodes = 1};
  return s->rank ? pst_xmp_gmove_line(s, r) : scalar;
}

static int lines_meet(struct building *b)
{
  for (int r = 0; r < b->key->left.rank; r++) {
    const struct pst_xmp_gmove_side *const left = &b->key->left;
    const int me = b->near->array && b->near->rank ? b->near->array->coordinate[b->near->dim[r]] : 0;
    if (left->section[left->dim[r]].count == 0) return 0;
    b->meetings[r].long_runs = 1;
    b->near_line[r] = line_of(b->near, r);
    b->far_line[r] = line_of(b->far, r);
    if (pst_xmp_line_meet(
            &b->near_line[r], me, &b->far_line[r], left->section[left->dim[r]].count, &b->meetings[r]))
      pst_xmp_fatal(b->where, "gmove: out of memory for the pieces of dimension %d", r);
    if (b->meetings[r].n == 0) return 0;
  }
  return 1;
}

/* Each node begins with the one behind it, so that not all of them go to the same node first. Its own
 * elements come last, while the others' are on their way. */
static int piece_distance(const struct pst_xmp_gmove_piece *p)
{
  return (p->node - pst_xmp_job.me - 1 + pst_xmp_job.nodes) % pst_xmp_job.nodes;
}
static int pieces_compare(const void *a, const void *b)
{
  const struct pst_xmp_gmove_piece *const p = a, *const q = b;
  const int order = piece_distance(p) - piece_distance(q);
  return order ? order : (p->before > q->before) - (p->before < q->before);
}

void pst_xmp_gmove_pieces(
    const char *where, const struct pst_xmp_gmove_key *k, int puts, struct pst_xmp_gmove_pieces *p)
{
  struct building b = {.where = where,
      .key = k,
      .puts = puts,
      .near = puts ? &k->right : &k->left,
      .far = puts ? &k->left : &k->right,
      .pieces = p};
  if (near_is_here(b.near) && lines_meet(&b)) {
    if (puts) b.sending = sending_of(&b);
    pieces_choose(&b, 0);
  }
  if (p->n > 1) qsort(p->piece, (size_t)p->n, sizeof *p->piece, pieces_compare);
  for (int r = 0; r < k->left.rank; r++) free(b.meetings[r].piece);
}
