/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Assignments to and from other images.
 *
 * Elements of one type and kind without vector subscripts are one strided transfer, or a plain put or get.
 * All others are assigned where both sides are in this process's memory. Where one is not, its elements are
 * packed here in its own type: for a put after the conversion, for a get before it.
 *
 * Puts that need no packing are implicit ones, and front/put.h keeps their order. */
#include "caf/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "caf/tool.h"

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

/* ---- elements of one type: complete on return ---- */

static void strided_put(gasnet_node_t node, const struct pst_caf_strided *t)
{
  if (t->dims == 0) gasnet_put_bulk(node, t->dst, t->src, t->element);
  else
    gasnetx_puts_any_bulk(node, t->dst, t->dst_stride, t->src, t->src_stride, t->element, t->count, t->dims);
}

static void strided_get(gasnet_node_t node, const struct pst_caf_strided *t)
{
  if (t->dims == 0) gasnet_get_bulk(t->dst, node, t->src, t->element);
  else
    gasnetx_gets_any_bulk(t->dst, t->dst_stride, node, t->src, t->src_stride, t->element, t->count, t->dims);
}

/* The other side has vector subscripts: a list of its elements. */
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
  if (pst_caf_strided_make(&t, dst, packed)) strided_put(node, &t);
  else list_move(node, dst, packed, 1);
}

static void packed_get(gasnet_node_t node, const struct pst_caf_side *packed, const struct pst_caf_side *src)
{
  struct pst_caf_strided t;
  if (pst_caf_strided_make(&t, packed, src)) strided_get(node, &t);
  else list_move(node, src, packed, 0);
}

/* ---- one side elsewhere ---- */

/* The source may be changed on return, and the data may be on their way. */
static void strided_put_start(
    gasnet_node_t node, const struct pst_caf_side *dst, const struct pst_caf_strided *t)
{
  if (t->dims == 0) {
    pst_front_put_start(node, t->dst, t->src, t->element);
    return;
  }
  range_order(node, dst, 1);
  gasnetx_puts_any_nbi_bulk(
      node, t->dst, t->dst_stride, t->src, t->src_stride, t->element, t->count, t->dims);
  gasnetx_group_wait(NULL, GASNETX_GROUP_LOCAL);
}

/* dst lies on the node, as that sees it. */
static void side_put(
    const char *call, gasnet_node_t node, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  struct pst_caf_strided t;
  struct packing p;
  if (pst_caf_is_alike(dst, src) && pst_caf_strided_make(&t, dst, src)) {
    strided_put_start(node, dst, &t);
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

/* Both are in this process's memory, and one of them is the node's: a pointer's target may be any memory of
 * this image, which is no segment. */
static void side_copy(const char *call, gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src)
{
  struct pst_caf_strided t;
  const char *const remote = put ? dst->base : src->base;
  if (dst->count == 0 || !pst_caf_is_in_segment(node, remote) || !pst_caf_is_alike(dst, src) ||
      !pst_caf_strided_make(&t, dst, src))
    pst_caf_assign(call, dst, src);
  else if (put) strided_put(node, &t);
  else strided_get(node, &t);
}

/* src is read as a whole before dst is written. */
static void side_copy_overlapping(
    const char *call, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  struct packing p;
  packing_open(&p, src, src);
  pst_caf_assign(call, &p.side, src);
  pst_caf_assign(call, dst, &p.side);
  packing_close(&p);
}

/* ---- what other files use ---- */

void pst_caf_move(const char *call, gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src, int may_overlap)
{
  if (pst_caf_is_empty(dst, src)) return;
  if (pst_caf_is_here(node)) {
    if (may_overlap && node == pst_caf_job.me) side_copy_overlapping(call, dst, src);
    else side_copy(call, node, put, dst, src);
  } else if (put) side_put(call, node, dst, src);
  else side_get(call, node, dst, src);
}

void pst_caf_put_get(const char *call, gasnet_node_t dst_node, const struct pst_caf_side *dst,
    gasnet_node_t src_node, const struct pst_caf_side *src)
{
  struct packing p;
  if (pst_caf_is_empty(dst, src)) return;
  packing_open(&p, src, src);
  pst_caf_move(call, src_node, 0, &p.side, src, 0);
  pst_caf_move(call, dst_node, 1, dst, &p.side, 0);
  packing_close(&p);
}

void pst_caf_fetch(gasnet_node_t node, void *dst, const char *there, size_t nbytes)
{
  if (pst_caf_is_here(node)) memcpy(dst, there, nbytes);
  else {
    pst_front_put_order(node, there, nbytes, 0);
    gasnet_get(dst, node, (void *)(uintptr_t)there, nbytes);
  }
}

void pst_caf_put_status(const char *call, gasnet_node_t node, int *stat)
{
  const struct pst_caf_status status = {.call = call, .stat = stat};
  if (__builtin_expect(pst_caf_job.losses, 0)) pst_caf_status_end(&status, gasnetx_node_is_lost(node));
  else pst_caf_status_ok(stat);
}

/* ---- the calls ---- */

/* gfortran 12 computes wrong offsets for some variables, such as static complex scalars: no other memory is
 * touched then. */
static void coarray_left(const char *call, const struct pst_caf_token *token) __attribute__((noreturn, cold));
static void coarray_left(const char *call, const struct pst_caf_token *token)
{
  pst_caf_fatal(
      call, "the place that gfortran has computed is not in the coarray, which has %zu bytes", token->nbytes);
}

static inline void element_check(
    const char *call, const struct pst_caf_token *token, size_t offset, size_t nbytes)
{
  if (__builtin_expect(offset > token->nbytes || nbytes > token->nbytes - offset, 0))
    coarray_left(call, token);
}

static void side_check(
    const char *call, const struct pst_caf_token *token, gasnet_node_t node, const struct pst_caf_side *s)
{
  char *const begin = pst_caf_at(token, node, 0), *low, *high;
  pst_caf_side_range(s, &low, &high);
  if (low < begin || high > begin + token->nbytes) coarray_left(call, token);
}

/* One element, or a scalar, of one type: most assignments in loops are such. */
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

void _gfortran_caf_send(caf_token_t token, size_t offset, int image, gfc_descriptor_t *dst,
    caf_vector_t *dst_vector, gfc_descriptor_t *src, int dst_kind, int src_kind, bool may_overlap, int *stat,
    caf_team_t *team)
{
  static const char call[] = "assignment to another image";
  PST_CAF_TOLD(GASP_CAF_PUT, pst_caf_told_bytes(dst, dst_vector, dst_kind), image,
      _gfortran_caf_send(
          token, offset, image, dst, dst_vector, src, dst_kind, src_kind, may_overlap, stat, team));
  const gasnet_node_t node = pst_caf_node(call, image);
  char *const at = pst_caf_at(token, node, offset);
  (void)team;
  if (!dst_vector && is_plain(dst, src, dst_kind, src_kind) && pst_caf_is_here(node)) {
    element_check(call, token, offset, src->element);
    plain_copy(at, src->base, src->element);
  } else {
    struct pst_caf_side d, s;
    pst_caf_side_read(&s, src, NULL, src_kind, src->base);
    pst_caf_side_read(&d, dst, dst_vector, dst_kind, at);
    if (!pst_caf_is_empty(&d, &s)) side_check(call, token, node, &d);
    pst_caf_move(call, node, 1, &d, &s, may_overlap);
  }
  pst_caf_put_status(call, node, stat);
}

void _gfortran_caf_get(caf_token_t token, size_t offset, int image, gfc_descriptor_t *src,
    caf_vector_t *src_vector, gfc_descriptor_t *dst, int src_kind, int dst_kind, bool may_overlap, int *stat)
{
  static const char call[] = "reference to another image";
  PST_CAF_TOLD(GASP_CAF_GET, pst_caf_told_bytes(src, src_vector, src_kind), image,
      _gfortran_caf_get(token, offset, image, src, src_vector, dst, src_kind, dst_kind, may_overlap, stat));
  const gasnet_node_t node = pst_caf_node(call, image);
  char *const at = pst_caf_at(token, node, offset);
  if (!src_vector && is_plain(dst, src, dst_kind, src_kind) && pst_caf_is_here(node)) {
    element_check(call, token, offset, src->element);
    plain_copy(dst->base, at, src->element);
  } else {
    struct pst_caf_side d, s;
    pst_caf_side_read(&d, dst, NULL, dst_kind, dst->base);
    pst_caf_side_read(&s, src, src_vector, src_kind, at);
    if (!pst_caf_is_empty(&d, &s)) side_check(call, token, node, &s);
    pst_caf_move(call, node, 0, &d, &s, may_overlap);
  }
  pst_caf_put_status(call, node, stat);
}

/* The two may overlap, whatever may_overlap says. */
void _gfortran_caf_sendget(caf_token_t dst_token, size_t dst_offset, int dst_image, gfc_descriptor_t *dst,
    caf_vector_t *dst_vector, caf_token_t src_token, size_t src_offset, int src_image, gfc_descriptor_t *src,
    caf_vector_t *src_vector, int dst_kind, int src_kind, bool may_overlap, int *stat)
{
  static const char call[] = "assignment between images";
  PST_CAF_TOLD(GASP_CAF_COPY, pst_caf_told_bytes(dst, dst_vector, dst_kind), dst_image,
      _gfortran_caf_sendget(dst_token, dst_offset, dst_image, dst, dst_vector, src_token, src_offset,
          src_image, src, src_vector, dst_kind, src_kind, may_overlap, stat));
  const gasnet_node_t to = pst_caf_node(call, dst_image), from = pst_caf_node(call, src_image);
  struct pst_caf_side d, s;
  (void)may_overlap;
  pst_caf_side_read(&s, src, src_vector, src_kind, pst_caf_at(src_token, from, src_offset));
  pst_caf_side_read(&d, dst, dst_vector, dst_kind, pst_caf_at(dst_token, to, dst_offset));
  if (!pst_caf_is_empty(&d, &s)) {
    side_check(call, src_token, from, &s);
    side_check(call, dst_token, to, &d);
  }
  pst_caf_put_get(call, to, &d, from, &s);
  pst_caf_put_status(call, to, stat);
}
