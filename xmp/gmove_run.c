/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Schedules. Within a host nodes get what they assign, so that each decides for itself whether it needs a
 * buffer. Over a network they put where they can, since a get takes a message more. In mode OUT they put. */
#include "xmp/gmove_run.h"

#include <stdlib.h>

typedef const struct pst_xmp_gmove_piece piece_t;

static const struct pst_xmp_gmove_side *near_side(const struct pst_xmp_schedule *s)
{
  return s->puts ? &s->key.right : &s->key.left;
}
static const struct pst_xmp_gmove_side *far_side(const struct pst_xmp_schedule *s)
{
  return s->puts ? &s->key.left : &s->key.right;
}

/* The elements on the way: of the far side's type. */
static size_t staged_size(const struct pst_xmp_schedule *s) { return far_side(s)->size; }
static int is_one_for_many(const struct pst_xmp_schedule *s)
{
  return s->key.right.rank == 0 && s->key.left.rank > 0;
}

static char *near_at(const struct pst_xmp_schedule *s, piece_t *p)
{
  const struct pst_xmp_gmove_side *const side = near_side(s);
  char *const base = side->array ? pst_xmp_array_at("gmove", side->array, pst_xmp_job.me) : s->near;
  return base + p->near;
}
static char *far_at(const struct pst_xmp_schedule *s, piece_t *p)
{
  const struct pst_xmp_gmove_side *const side = far_side(s);
  return (side->array ? pst_xmp_array_at("gmove", side->array, p->node) : s->far) + p->far;
}

/* ---- the stage: the elements of all pieces without gaps, or the only one ---- */

static int stage_is_one(const struct pst_xmp_schedule *s) { return is_one_for_many(s) && !s->puts; }

static char *stage_at(const struct pst_xmp_schedule *s, piece_t *p)
{
  return s->stage + (stage_is_one(s) ? 0 : p->before * staged_size(s));
}

static void stage_strides(const struct pst_xmp_schedule *s, piece_t *p, ptrdiff_t stride[])
{
  for (int i = 0; i < p->dims; i++)
    stride[i] = stage_is_one(s) ? 0 : p->packed[i] * (ptrdiff_t)staged_size(s);
}

/* Between the near side and the stage. */
static void piece_stage(const struct pst_xmp_schedule *s, piece_t *p, int to_near)
{
  ptrdiff_t stride[PST_XMP_PIECE_DIMS];
  const struct pst_xmp_gmove_view stage = {stage_at(s, p), stride, far_side(s)->type, staged_size(s)},
                                  near = {
                                      near_at(s, p), p->near_stride, near_side(s)->type, near_side(s)->size};
  stage_strides(s, p, stride);
  pst_xmp_gmove_copy(to_near ? &near : &stage, to_near ? &stage : &near, p->dims, p->count);
}

static void piece_copy(const struct pst_xmp_schedule *s, piece_t *p)
{
  const struct pst_xmp_gmove_view near = {near_at(s, p), p->near_stride, near_side(s)->type,
                                      near_side(s)->size},
                                  far = {far_at(s, p), p->far_stride, far_side(s)->type, far_side(s)->size};
  pst_xmp_gmove_copy(&near, &far, p->dims, p->count);
}

/* ---- the plan ---- */

static void plan_add(struct pst_xmp_schedule *s, piece_t *p)
{
  ptrdiff_t packed[PST_XMP_PIECE_DIMS];
  const int staged = s->way == PST_XMP_STAGED;
  const ptrdiff_t *const stride = staged ? packed : p->near_stride;
  char *const near = staged ? stage_at(s, p) : near_at(s, p);
  stage_strides(s, p, packed);
  if (s->puts)
    gasnetx_plan_puts_any(s->plan, (gasnet_node_t)p->node, far_at(s, p), p->far_stride, near, stride,
        staged_size(s), p->count, (size_t)p->dims);
  else if (far_side(s)->array)
    gasnetx_plan_gets_any(s->plan, near, stride, (gasnet_node_t)p->node, far_at(s, p), p->far_stride,
        staged_size(s), p->count, (size_t)p->dims);
  else /* from local memory to this node's own part, which alone is sure to lie in the segment */
    gasnetx_plan_puts_any(s->plan, (gasnet_node_t)pst_xmp_job.me, near, stride, far_at(s, p), p->far_stride,
        staged_size(s), p->count, (size_t)p->dims);
}

static void plan_make(struct pst_xmp_schedule *s)
{
  static const size_t one = 1;
  static const ptrdiff_t none = 0;
  piece_t *const first = s->pieces.piece;
  s->plan = gasnetx_plan_create();
  if (!stage_is_one(s))
    for (int i = 0; i < s->pieces.n; i++) plan_add(s, &s->pieces.piece[i]);
  else if (s->pieces.n)
    gasnetx_plan_gets_any(s->plan, s->stage, &none, (gasnet_node_t)first->node, far_at(s, first), &none,
        staged_size(s), &one, 1);
}

/* ---- making a schedule ---- */

static int types_differ(const struct pst_xmp_gmove_key *k) { return k->left.type != k->right.type; }

/* All nodes decide alike: either each of them reaches all others by shared memory, or none does. */
static int has_network(void)
{
  for (int i = 0; i < pst_xmp_job.nodes; i++)
    if (pst_map[i] == PST_UNMAPPED) return 1;
  return 0;
}

/* Over a network a broadcast is better than gets: it needs no barrier before, and nobody asks. */
static int root_of(const struct pst_xmp_gmove_key *k)
{
  if (k->mode != PST_XMP_COLLECTIVE || k->left.array || !k->right.array) return -1;
  if (k->group->size == 1 || !has_network()) return -1;
  return pst_xmp_gmove_single_owner(&k->right, k->group);
}

/* All nodes must decide alike, so each of them has to know both sides; and elements that change their type or
 * overlap are read as a whole before any is written, which the getting side does. */
static int puts_wanted(const struct pst_xmp_gmove_key *k, int overlap)
{
  if (k->mode != PST_XMP_COLLECTIVE) return k->mode == PST_XMP_OUT;
  if (!k->left.array || !k->right.array || !k->right.rank || types_differ(k) || overlap) return 0;
  const struct pst_xmp_nodes *const left = k->left.array->template_->nodes,
                                    *const right = k->right.array->template_->nodes;
  return has_network() && !left->own && !right->own && pst_xmp_set_within(&right->set, &k->group->set);
}

static enum pst_xmp_schedule_way way_of(const struct pst_xmp_schedule *s)
{
  const int changes = types_differ(&s->key) || is_one_for_many(s);
  if (s->root >= 0 && s->pieces.n) return PST_XMP_MULTICAST;
  if (!far_side(s)->array && (changes || !near_side(s)->array)) return PST_XMP_COPY;
  return changes || s->overlap ? PST_XMP_STAGED : PST_XMP_DIRECT;
}

static size_t stage_bytes(const struct pst_xmp_schedule *s)
{
  if ((s->way != PST_XMP_STAGED && s->way != PST_XMP_MULTICAST) || s->pieces.n == 0) return 0;
  return (stage_is_one(s) ? 1 : s->pieces.elements) * staged_size(s);
}

static void place_set(struct pst_xmp_schedule *s, void *left, void *right)
{
  const int near_is_global = near_side(s)->array != NULL, far_is_global = far_side(s)->array != NULL;
  s->near = near_is_global ? NULL : s->puts ? right : left;
  s->far = far_is_global ? NULL : s->puts ? left : right;
}

struct pst_xmp_schedule *pst_xmp_schedule_make(
    const char *where, const struct pst_xmp_gmove_key *key, void *left, void *right)
{
  struct pst_xmp_schedule *s = pst_xmp_own_take_clear(where, 1, sizeof *s);
  s->key = *key;
  pst_xmp_group_again(key->group);
  if (key->mode != PST_XMP_OUT) pst_xmp_gmove_check_executes(where, &key->left, key->group, "left");
  if (key->mode != PST_XMP_IN) pst_xmp_gmove_check_executes(where, &key->right, key->group, "right");
  s->overlap = pst_xmp_gmove_overlap(&key->left, &key->right);
  s->puts = puts_wanted(key, s->overlap);
  pst_xmp_gmove_pieces(where, key, s->puts, &s->pieces);
  s->root = root_of(key);
  s->way = way_of(s);
  place_set(s, left, right);
  if (stage_bytes(s)) s->stage = pst_xmp_own_take(where, stage_bytes(s));
  if (s->way == PST_XMP_DIRECT || s->way == PST_XMP_STAGED) plan_make(s);
  return s;
}

void pst_xmp_schedule_free(struct pst_xmp_schedule *s)
{
  if (s->plan) gasnetx_plan_destroy(s->plan);
  pst_xmp_group_close(s->key.group);
  free(s->pieces.piece);
  free(s->stage);
  free(s);
}

void pst_xmp_schedule_place(struct pst_xmp_schedule *s, void *left, void *right)
{
  char *const near = s->near, *const far = s->far;
  place_set(s, left, right);
  if ((s->near == near && s->far == far) || s->way != PST_XMP_DIRECT) return;
  for (int i = 0; i < s->pieces.n; i++) {
    char *const n = near_at(s, &s->pieces.piece[i]), *const f = far_at(s, &s->pieces.piece[i]);
    gasnetx_plan_rebase(s->plan, (size_t)i, s->puts ? f : n, s->puts ? n : f);
  }
}

/* ---- running ---- */

/* The root's own elements, as all nodes get them. */
static void root_stage(const struct pst_xmp_schedule *s)
{
  ptrdiff_t stride[PST_XMP_PIECE_DIMS];
  for (piece_t *p = s->pieces.piece; p < s->pieces.piece + (stage_is_one(s) ? 1 : s->pieces.n); p++) {
    const struct pst_xmp_gmove_view stage = {stage_at(s, p), stride, far_side(s)->type, staged_size(s)},
                                    far = {far_at(s, p), p->far_stride, far_side(s)->type, staged_size(s)};
    stage_strides(s, p, stride);
    pst_xmp_gmove_copy(&stage, &far, stage_is_one(s) ? 0 : p->dims, p->count);
  }
}

void pst_xmp_schedule_before(struct pst_xmp_schedule *s)
{
  if (s->way == PST_XMP_MULTICAST && s->root == s->key.group->rank) root_stage(s);
  if (!s->puts || s->way != PST_XMP_STAGED) return;
  for (int i = 0; i < s->pieces.n; i++) piece_stage(s, &s->pieces.piece[i], 0);
}

void pst_xmp_schedule_transfer(struct pst_xmp_schedule *s)
{
  if (s->plan) gasnetx_plan_run(s->plan);
  if (s->way == PST_XMP_MULTICAST)
    gasnetx_coll_broadcast(
        pst_xmp_group_team(s->key.group), s->stage, (gasnet_node_t)s->root, s->stage, stage_bytes(s));
}

gasnet_handle_t pst_xmp_schedule_transfer_nb(struct pst_xmp_schedule *s, gasnetx_team_t team)
{
  if (s->plan) return gasnetx_plan_start(s->plan);
  if (s->way != PST_XMP_MULTICAST) return GASNET_INVALID_HANDLE;
  return gasnetx_coll_broadcast_nb(team, s->stage, (gasnet_node_t)s->root, s->stage, stage_bytes(s));
}

void pst_xmp_schedule_after(struct pst_xmp_schedule *s)
{
  if (s->way == PST_XMP_DIRECT || s->puts) return;
  for (int i = 0; i < s->pieces.n; i++)
    if (s->way == PST_XMP_COPY) piece_copy(s, &s->pieces.piece[i]);
    else piece_stage(s, &s->pieces.piece[i], 1);
}

int pst_xmp_schedule_meets_first(const struct pst_xmp_schedule *s)
{
  return s->way != PST_XMP_MULTICAST && (s->puts || far_side(s)->array);
}

int pst_xmp_schedule_meets_last(const struct pst_xmp_schedule *s)
{
  return s->key.left.array || s->key.right.array;
}
