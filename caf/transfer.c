/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Assignments to and from other images.
 *
 * Elements of one type and kind without vector subscripts are one strided transfer, or a plain put or get.
 * All others are assigned where both sides are in this process's memory. Where one is not, its elements are
 * packed here in its own type: for a put after the conversion, for a get before it.
 *
 * Puts of whole elements are implicit ones, and front/put.h keeps their order. */
#include <stdlib.h>
#include <string.h>

#include "caf/convert.h"

/* ---- memory for packing ---- */

enum { SMALL = 1024 };
struct packing {
  struct pst_caf_side side;
  char *taken; /* NULL: it fitted into `small` */
  char small[SMALL] __attribute__((aligned(16)));
};

/* As many elements as `s` has, of the type of `like`. */
static void packing_open(struct packing *p, const struct pst_caf_side *s, const struct pst_caf_side *like)
{
  const size_t nbytes = s->count * like->element;
  p->taken = nbytes > SMALL ? pst_caf_own_take(nbytes) : NULL;
  pst_caf_side_pack(&p->side, s, like, p->taken ? p->taken : p->small);
}

static void packing_close(struct packing *p) { free(p->taken); }

/* ---- order ---- */

static void range_order(gasnet_node_t node, const struct pst_caf_side *s, int put)
{
  char *low, *high;
  pst_caf_side_range(s, &low, &high);
  pst_front_put_order(node, low, (size_t)(high - low), put);
}

/* ---- elements of one type ---- */

static void strided_put(gasnet_node_t node, struct pst_caf_strided *t)
{
  if (t->levels == 0) gasnet_put_nbi(node, t->dst, t->src, t->count[0]);
  else gasnet_puts_bulk(node, t->dst, t->dst_stride, t->src, t->src_stride, t->count, t->levels);
}

static void strided_get(gasnet_node_t node, struct pst_caf_strided *t)
{
  if (t->levels == 0) gasnet_get_bulk(t->dst, node, t->src, t->count[0]);
  else gasnet_gets_bulk(t->dst, t->dst_stride, node, t->src, t->src_stride, t->count, t->levels);
}

/* The other side has vector subscripts, or goes down where this one goes up: a list of its elements. */
static void list_move(
    gasnet_node_t node, const struct pst_caf_side *there, const struct pst_caf_side *here, int put)
{
  struct pst_caf_walk w = {.side = there};
  void **const list = pst_caf_own_take(there->count * sizeof *list);
  void *packed[] = {here->base};
  for (size_t i = 0; i < there->count; i++, pst_caf_walk_next(&w)) list[i] = pst_caf_walk_at(&w);
  if (put)
    gasnet_puti_bulk(node, there->count, list, there->element, 1, packed, there->count * there->element);
  else gasnet_geti_bulk(1, packed, there->count * there->element, node, there->count, list, there->element);
  free(list);
}

static void packed_put(gasnet_node_t node, const struct pst_caf_side *dst, const struct pst_caf_side *packed)
{
  struct pst_caf_strided t;
  if (!pst_caf_strided_make(&t, dst, packed)) list_move(node, dst, packed, 1);
  else if (t.levels == 0) gasnet_put(node, t.dst, t.src, t.count[0]);
  else strided_put(node, &t);
}

static void packed_get(gasnet_node_t node, const struct pst_caf_side *packed, const struct pst_caf_side *src)
{
  struct pst_caf_strided t;
  if (pst_caf_strided_make(&t, packed, src)) strided_get(node, &t);
  else list_move(node, src, packed, 0);
}

/* ---- one side elsewhere ---- */

/* dst lies on the node, as that sees it. */
static void side_put(
    const char *call, gasnet_node_t node, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  struct pst_caf_strided t;
  struct packing p;
  if (dst->count == 0) return;
  if (pst_caf_is_alike(dst, src) && pst_caf_strided_make(&t, dst, src)) {
    range_order(node, dst, t.levels == 0);
    strided_put(node, &t);
    return;
  }
  range_order(node, dst, 0);
  packing_open(&p, dst, dst);
  pst_caf_assign(call, &p.side, src);
  packed_put(node, dst, &p.side);
  packing_close(&p);
}

static void side_get(
    const char *call, gasnet_node_t node, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  struct pst_caf_strided t;
  struct packing p;
  if (dst->count == 0) return;
  range_order(node, src, 0);
  if (pst_caf_is_alike(dst, src) && pst_caf_strided_make(&t, dst, src)) {
    strided_get(node, &t);
    return;
  }
  packing_open(&p, src, src);
  packed_get(node, &p.side, src);
  pst_caf_assign(call, dst, &p.side);
  packing_close(&p);
}

/* Both are in this process's memory, and one of them is the node's. may_overlap: src is read as a whole
 * before dst is written. */
static void side_copy(const char *call, gasnet_node_t node, const struct pst_caf_side *dst,
    const struct pst_caf_side *src, int put, int may_overlap)
{
  struct pst_caf_strided t;
  struct packing p;
  if (may_overlap) {
    packing_open(&p, src, src);
    pst_caf_assign(call, &p.side, src);
    pst_caf_assign(call, dst, &p.side);
    packing_close(&p);
  } else if (pst_caf_is_alike(dst, src) && pst_caf_strided_make(&t, dst, src) && dst->count) {
    if (put) strided_put(node, &t);
    else strided_get(node, &t);
  } else pst_caf_assign(call, dst, src);
}

/* ---- the calls ---- */

/* A stat of an image that is lost, else 0. */
static void image_status(const char *call, gasnet_node_t node, int *stat)
{
  const struct pst_caf_status status = {.call = call, .stat = stat};
  if (__builtin_expect(pst_caf_job.losses, 0) && gasnetx_node_is_lost(node))
    pst_caf_status_set(&status, PST_CAF_STAT_FAILED_IMAGE, "the image has failed");
  else pst_caf_status_ok(stat);
}

static inline int is_plain(
    const gfc_descriptor_t *dst, const gfc_descriptor_t *src, int dst_kind, int src_kind)
{
  return (dst->rank | src->rank) == 0 && dst->type == src->type && dst_kind == src_kind &&
      dst->element == src->element;
}

static inline void plain_copy(void *dst, const void *src, size_t nbytes)
{
  if (nbytes == 8) memcpy(dst, src, 8);
  else if (nbytes == 4) memcpy(dst, src, 4);
  else memmove(dst, src, nbytes);
}

static void section_send(const char *call, const struct pst_caf_place *to, const gfc_descriptor_t *dst,
    const caf_vector_t *vector, const gfc_descriptor_t *src, int dst_kind, int src_kind, int may_overlap)
{
  struct pst_caf_side d, s;
  pst_caf_side_read(&s, src, NULL, src_kind, src->base);
  pst_caf_side_read(&d, dst, vector, dst_kind, to->here ? to->here : to->there);
  if (to->here) side_copy(call, to->node, &d, &s, 1, may_overlap && to->node == pst_caf_job.me);
  else side_put(call, to->node, &d, &s);
}

void _gfortran_caf_send(caf_token_t token, size_t offset, int image, gfc_descriptor_t *dst,
    caf_vector_t *dst_vector, gfc_descriptor_t *src, int dst_kind, int src_kind, bool may_overlap, int *stat,
    caf_team_t *team)
{
  static const char call[] = "assignment to another image";
  const struct pst_caf_place to = pst_caf_place(pst_caf_node(call, image), token, offset);
  (void)team;
  if (to.here && !dst_vector && is_plain(dst, src, dst_kind, src_kind))
    plain_copy(to.here, src->base, src->element);
  else section_send(call, &to, dst, dst_vector, src, dst_kind, src_kind, may_overlap);
  image_status(call, to.node, stat);
}

static void section_get(const char *call, const struct pst_caf_place *from, const gfc_descriptor_t *src,
    const caf_vector_t *vector, const struct pst_caf_side *d, int src_kind, int may_overlap)
{
  struct pst_caf_side s;
  pst_caf_side_read(&s, src, vector, src_kind, from->here ? from->here : from->there);
  if (from->here) side_copy(call, from->node, d, &s, 0, may_overlap && from->node == pst_caf_job.me);
  else side_get(call, from->node, d, &s);
}

void _gfortran_caf_get(caf_token_t token, size_t offset, int image, gfc_descriptor_t *src,
    caf_vector_t *src_vector, gfc_descriptor_t *dst, int src_kind, int dst_kind, bool may_overlap, int *stat)
{
  static const char call[] = "reference to another image";
  const struct pst_caf_place from = pst_caf_place(pst_caf_node(call, image), token, offset);
  struct pst_caf_side d;
  if (from.here && !src_vector && is_plain(dst, src, dst_kind, src_kind))
    plain_copy(dst->base, from.here, src->element);
  else {
    pst_caf_side_read(&d, dst, NULL, dst_kind, dst->base);
    section_get(call, &from, src, src_vector, &d, src_kind, may_overlap);
  }
  image_status(call, from.node, stat);
}

/* The source comes here as a whole, so the two may overlap. */
void _gfortran_caf_sendget(caf_token_t dst_token, size_t dst_offset, int dst_image, gfc_descriptor_t *dst,
    caf_vector_t *dst_vector, caf_token_t src_token, size_t src_offset, int src_image, gfc_descriptor_t *src,
    caf_vector_t *src_vector, int dst_kind, int src_kind, bool may_overlap, int *stat)
{
  static const char call[] = "assignment between images";
  const struct pst_caf_place to = pst_caf_place(pst_caf_node(call, dst_image), dst_token, dst_offset);
  const struct pst_caf_place from = pst_caf_place(pst_caf_node(call, src_image), src_token, src_offset);
  struct pst_caf_side d, s;
  struct packing p;
  (void)may_overlap;
  pst_caf_side_read(&s, src, src_vector, src_kind, from.here ? from.here : from.there);
  pst_caf_side_read(&d, dst, dst_vector, dst_kind, to.here ? to.here : to.there);
  packing_open(&p, &s, &s);
  if (from.here) pst_caf_assign(call, &p.side, &s);
  else side_get(call, from.node, &p.side, &s);
  if (to.here) pst_caf_assign(call, &d, &p.side);
  else side_put(call, to.node, &d, &p.side);
  packing_close(&p);
  image_status(call, to.node, stat);
}
