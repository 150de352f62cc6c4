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

/* ---- elements of one type, by strides ---- */

static inline void strided_put(gasnet_node_t node, const struct pst_caf_strided *t)
{
  if (t->dims == 0) gasnet_put_bulk(node, t->dst, t->src, t->element);
  else
    gasnetx_puts_any_bulk(node, t->dst, t->dst_stride, t->src, t->src_stride, t->element, t->count, t->dims);
}

static inline void strided_get(gasnet_node_t node, const struct pst_caf_strided *t)
{
  if (t->dims == 0) gasnet_get_bulk(t->dst, node, t->src, t->element);
  else
    gasnetx_gets_any_bulk(t->dst, t->dst_stride, node, t->src, t->src_stride, t->element, t->count, t->dims);
}

static void strided_order(gasnet_node_t node, int put, const struct pst_caf_strided *t)
{
  char *low, *high;
  if (put) pst_caf_strided_range(t, t->dst, t->dst_stride, &low, &high);
  else pst_caf_strided_range(t, t->src, t->src_stride, &low, &high);
  pst_front_put_order(node, low, (size_t)(high - low), put);
}

/* The source may be changed on return, and the data may be on their way. */
static void strided_put_start(gasnet_node_t node, const struct pst_caf_strided *t)
{
  if (t->dims == 0) {
    pst_front_put_start(node, t->dst, t->src, t->element);
    return;
  }
  strided_order(node, 1, t);
  gasnetx_puts_any_nbi_bulk(
      node, t->dst, t->dst_stride, t->src, t->src_stride, t->element, t->count, t->dims);
  gasnetx_group_wait(NULL, GASNETX_GROUP_LOCAL);
}

static void strided_move_far(gasnet_node_t node, int put, const struct pst_caf_strided *t)
{
  if (put) strided_put_start(node, t);
  else {
    strided_order(node, 0, t);
    strided_get(node, t);
  }
}

static inline void strided_move(gasnet_node_t node, int put, const struct pst_caf_strided *t)
{
  if (!pst_caf_is_here(node)) strided_move_far(node, put, t);
  else if (put) strided_put(node, t);
  else strided_get(node, t);
}

/* ---- elements that are packed ---- */

static void range_order(gasnet_node_t node, const struct pst_caf_side *s)
{
  char *low, *high;
  pst_caf_side_range(s, &low, &high);
  pst_front_put_order(node, low, (size_t)(high - low), 0);
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

/* dst lies on the node, as that sees it. */
static void side_put(
    const char *call, gasnet_node_t node, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  struct packing p;
  range_order(node, dst);
  packing_open(&p, dst, dst);
  pst_caf_assign(call, &p.side, src);
  packed_put(node, dst, &p.side);
  packing_close(&p);
}

static void side_get(
    const char *call, gasnet_node_t node, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  struct packing p;
  range_order(node, src);
  packing_open(&p, src, src);
  packed_get(node, &p.side, src);
  pst_caf_assign(call, dst, &p.side);
  packing_close(&p);
}

/* ---- sides ---- */

/* A pointer's target may be any memory of this image, or of another one of this host, which is no segment. */
static int is_strided(gasnet_node_t node, int put, const struct pst_caf_side *dst,
    const struct pst_caf_side *src, struct pst_caf_strided *t)
{
  const int reaches = !pst_caf_is_here(node) || pst_caf_is_in_segment(node, put ? dst->base : src->base);
  return reaches && pst_caf_is_alike(dst, src) && pst_caf_strided_make(t, dst, src);
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
  const int overlap = may_overlap && node == pst_caf_job.me;
  struct pst_caf_strided t;
  if (pst_caf_is_empty(dst, src)) return;
  if (overlap) side_copy_overlapping(call, dst, src);
  else if (is_strided(node, put, dst, src, &t)) strided_move(node, put, &t);
  else if (pst_caf_is_here(node)) pst_caf_assign(call, dst, src);
  else if (put) side_put(call, node, dst, src);
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

void pst_caf_loss_status(const char *call, gasnet_node_t node, int *stat)
{
  const struct pst_caf_status status = {.call = call, .stat = stat};
  pst_caf_status_end(&status, gasnetx_node_is_lost(node));
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

static inline void range_check(const char *call, const struct pst_caf_token *token, gasnet_node_t node,
    const char *low, const char *high)
{
  const char *const begin = pst_caf_at(token, node, 0);
  if (__builtin_expect(low < begin || high > begin + token->nbytes, 0)) coarray_left(call, token);
}

static void side_check(
    const char *call, const struct pst_caf_token *token, gasnet_node_t node, const struct pst_caf_side *s)
{
  char *low, *high;
  pst_caf_side_range(s, &low, &high);
  range_check(call, token, node, low, high);
}

/* Of characters of no length gfortran may leave strides unset. */
static inline int is_alike(
    const gfc_descriptor_t *dst, const gfc_descriptor_t *src, int dst_kind, int src_kind)
{
  return dst->type == src->type && dst_kind == src_kind && dst->element == src->element && dst->element;
}

static inline int is_word(const gfc_descriptor_t *dst, const caf_vector_t *vector,
    const gfc_descriptor_t *src, int dst_kind, int src_kind)
{
  return !vector && (dst->rank | src->rank) == 0 && is_alike(dst, src, dst_kind, src_kind) &&
      (dst->element == 8 || dst->element == 4);
}

static inline void word_copy(void *dst, const void *src, size_t nbytes)
{
  if (nbytes == 8) memcpy(dst, src, 8);
  else memcpy(dst, src, 4);
}

/* The bytes of a row of elements that lie one behind the other; 0: it is none. */
static inline size_t row_bytes(const gfc_descriptor_t *d)
{
  if (d->rank != 1 || d->dim[0].stride * d->span != (ptrdiff_t)d->element) return 0;
  return d->element * pst_caf_dim_count(&d->dim[0]);
}

/* Arrays of one shape, without vector subscripts. 0: they are of two. element 0: there is nothing to move. */
static int section_read(struct pst_caf_strided *t, const gfc_descriptor_t *dst, char *dst_base,
    const gfc_descriptor_t *src, char *src_base)
{
  if (dst->rank != src->rank) return 0;
  pst_caf_strided_begin(t, dst_base, src_base, dst->element);
  for (int k = 0; k < dst->rank; k++) {
    const struct pst_caf_dim *const d = &dst->dim[k], *const s = &src->dim[k];
    const size_t count = pst_caf_dim_count(d);
    if (count != pst_caf_dim_count(s)) return 0;
    if (count == 0) t->element = 0;
    pst_caf_strided_add(t, count, d->stride * pst_caf_span(dst), s->stride * pst_caf_span(src));
  }
  return 1;
}

static inline void section_go(const char *call, const struct pst_caf_token *token, gasnet_node_t node,
    int put, const struct pst_caf_strided *t)
{
  char *low, *high;
  if (put) pst_caf_strided_range(t, t->dst, t->dst_stride, &low, &high);
  else pst_caf_strided_range(t, t->src, t->src_stride, &low, &high);
  range_check(call, token, node, low, high);
  strided_move(node, put, t);
}

/* Elements of one type in one pass over the descriptors. 0: their shapes differ. */
static inline __attribute__((always_inline)) int section_move(const char *call,
    const struct pst_caf_token *token, gasnet_node_t node, int put, const gfc_descriptor_t *dst,
    char *dst_base, const gfc_descriptor_t *src, char *src_base)
{
  struct pst_caf_strided t;
  const size_t row = row_bytes(dst);
  if (row && row == row_bytes(src)) {
    pst_caf_strided_begin(&t, dst_base, src_base, row);
    section_go(call, token, node, put, &t);
    return 1;
  }
  if (!section_read(&t, dst, dst_base, src, src_base)) return 0;
  if (t.element) section_go(call, token, node, put, &t);
  return 1;
}

/* vector: of the node's side. */
static __attribute__((noinline)) void sides_move(const char *call, const struct pst_caf_token *token,
    gasnet_node_t node, int put, const gfc_descriptor_t *dst, char *dst_base, const gfc_descriptor_t *src,
    char *src_base, const caf_vector_t *vector, int dst_kind, int src_kind, int may_overlap)
{
  struct pst_caf_side d, s;
  pst_caf_side_read(&d, dst, put ? vector : NULL, dst_kind, dst_base);
  pst_caf_side_read(&s, src, put ? NULL : vector, src_kind, src_base);
  if (!pst_caf_is_empty(&d, &s)) side_check(call, token, node, put ? &d : &s);
  pst_caf_move(call, node, put, &d, &s, may_overlap);
}

/* Most assignments in loops are of words; this is all else. */
static __attribute__((noinline)) void array_send(caf_token_t token, size_t offset, int image,
    gfc_descriptor_t *dst, caf_vector_t *dst_vector, gfc_descriptor_t *src, int dst_kind, int src_kind,
    bool may_overlap, int *stat, const void *code)
{
  static const char call[] = "assignment to another image";
  PST_CAF_TOLD_AT(code, GASP_CAF_PUT, pst_caf_told_bytes(dst, dst_vector, dst_kind), image,
      array_send(token, offset, image, dst, dst_vector, src, dst_kind, src_kind, may_overlap, stat, code));
  const gasnet_node_t node = pst_caf_node(call, image);
  char *const at = pst_caf_at(token, node, offset);
  if (dst_vector || !is_alike(dst, src, dst_kind, src_kind) || (may_overlap && node == pst_caf_job.me) ||
      !section_move(call, token, node, 1, dst, at, src, src->base))
    sides_move(call, token, node, 1, dst, at, src, src->base, dst_vector, dst_kind, src_kind, may_overlap);
  pst_caf_put_status(call, node, stat);
}

void _gfortran_caf_send(caf_token_t token, size_t offset, int image, gfc_descriptor_t *dst,
    caf_vector_t *dst_vector, gfc_descriptor_t *src, int dst_kind, int src_kind, bool may_overlap, int *stat,
    caf_team_t *team)
{
  void *const word = is_word(dst, dst_vector, src, dst_kind, src_kind)
      ? pst_caf_word_here(pst_map, token, offset, image, dst->element)
      : NULL;
  (void)team;
  if (!word) {
    array_send(token, offset, image, dst, dst_vector, src, dst_kind, src_kind, may_overlap, stat,
        __builtin_return_address(0));
    return;
  }
  word_copy(word, src->base, dst->element);
  pst_caf_status_ok(stat);
}

static __attribute__((noinline)) void array_get(caf_token_t token, size_t offset, int image,
    gfc_descriptor_t *src, caf_vector_t *src_vector, gfc_descriptor_t *dst, int src_kind, int dst_kind,
    bool may_overlap, int *stat, const void *code)
{
  static const char call[] = "reference to another image";
  PST_CAF_TOLD_AT(code, GASP_CAF_GET, pst_caf_told_bytes(src, src_vector, src_kind), image,
      array_get(token, offset, image, src, src_vector, dst, src_kind, dst_kind, may_overlap, stat, code));
  const gasnet_node_t node = pst_caf_node(call, image);
  char *const at = pst_caf_at(token, node, offset);
  if (src_vector || !is_alike(dst, src, dst_kind, src_kind) || (may_overlap && node == pst_caf_job.me) ||
      !section_move(call, token, node, 0, dst, dst->base, src, at))
    sides_move(call, token, node, 0, dst, dst->base, src, at, src_vector, dst_kind, src_kind, may_overlap);
  pst_caf_put_status(call, node, stat);
}

void _gfortran_caf_get(caf_token_t token, size_t offset, int image, gfc_descriptor_t *src,
    caf_vector_t *src_vector, gfc_descriptor_t *dst, int src_kind, int dst_kind, bool may_overlap, int *stat)
{
  const void *const word = is_word(dst, src_vector, src, dst_kind, src_kind)
      ? pst_caf_word_here(pst_map, token, offset, image, dst->element)
      : NULL;
  if (!word) {
    array_get(token, offset, image, src, src_vector, dst, src_kind, dst_kind, may_overlap, stat,
        __builtin_return_address(0));
    return;
  }
  word_copy(dst->base, word, dst->element);
  pst_caf_status_ok(stat);
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
