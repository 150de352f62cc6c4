/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/side.h"

#include <string.h>

#include "vis/cursor.h"
#include "vis/kernel_move.h"

/* ---- descriptions ---- */

void pst_side_strided(
    struct pst_side *s, char *base, size_t row, size_t levels, const size_t count[], const ptrdiff_t stride[])
{
  *s = (struct pst_side){
      .kind = PST_SIDE_STRIDED, .n = levels, .piece = row, .base = base, .count = count, .stride = stride};
  s->bytes = row;
  for (size_t i = 0; i < levels; i++) s->bytes *= count[i];
}

/* How many entries have the length of the first, up to one that has not; up to three fewer, since entries are
 * looked at by fours. */
static size_t count_equal(const gasnet_memvec_t list[], size_t n)
{
  const size_t len = n ? list[0].len : 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    if ((list[i].len ^ len) | (list[i + 1].len ^ len) | (list[i + 2].len ^ len) | (list[i + 3].len ^ len))
      return i;
  while (i < n && list[i].len == len) i++;
  return i;
}

/* Four sums do not wait for each other. */
static size_t sum_lengths(const gasnet_memvec_t list[], size_t n)
{
  size_t a = 0, b = 0, c = 0, d = 0, i = 0;
  for (; i + 4 <= n; i += 4) {
    a += list[i].len;
    b += list[i + 1].len;
    c += list[i + 2].len;
    d += list[i + 3].len;
  }
  for (; i < n; i++) a += list[i].len;
  return a + b + c + d;
}

void pst_side_vector(struct pst_side *s, size_t n, const gasnet_memvec_t list[])
{
  const size_t equal = count_equal(list, n), bytes = equal ? equal * list[0].len : 0;
  *s = (struct pst_side){.kind = PST_SIDE_VECTOR, .n = n, .vector = list};
  s->bytes = bytes + sum_lengths(list + equal, n - equal);
  if (n && equal == n) s->piece = list[0].len;
}

void pst_side_vector_like(
    struct pst_side *s, size_t n, const gasnet_memvec_t list[], const struct pst_side *other)
{
  if (n != other->n || other->piece == 0) pst_side_vector(s, n, list);
  else *s = (struct pst_side){.kind = PST_SIDE_VECTOR, .n = n, .bytes = other->bytes, .vector = list};
}

void pst_side_indexed(struct pst_side *s, size_t n, void *const list[], size_t len)
{
  *s = (struct pst_side){.kind = PST_SIDE_INDEXED, .n = len ? n : 0, .piece = len, .indexed = list};
  s->bytes = n * len;
}

void pst_side_flat(struct pst_side *s, gasnet_memvec_t *range, void *addr, size_t nbytes)
{
  *range = (gasnet_memvec_t){addr, nbytes};
  pst_side_vector(s, 1, range);
}

/* ---- list to list ---- */

/* A place in a list. It holds a copy of the description's pointers: to the compiler, the bytes that are
 * copied may change the description. */
struct place {
  const gasnet_memvec_t *vector; /* the next entry */
  void *const *indexed;
  size_t piece;
  ptrdiff_t delta;
  char *at;    /* what remains of the current entry, */
  size_t left; /* and its bytes */
};

static inline struct place place_begin(const struct pst_side *s)
{
  return (struct place){s->vector, s->indexed, s->piece, s->delta, NULL, 0};
}

/* The compiler knows the kind. At least one more entry is not empty. */
static inline __attribute__((always_inline)) void place_next(struct place *p, enum pst_side_kind kind)
{
  if (kind == PST_SIDE_VECTOR) {
    while (p->vector->len == 0) p->vector++;
    p->at = pst_side_here(p->vector->addr, p->delta);
    p->left = p->vector++->len;
  } else {
    p->at = pst_side_here(*p->indexed++, p->delta);
    p->left = p->piece;
  }
}

static inline __attribute__((always_inline)) void copy_entries(const struct pst_side *dst,
    enum pst_side_kind to, const struct pst_side *src, enum pst_side_kind from, size_t bytes)
{
  struct place d = place_begin(dst), s = place_begin(src);
  for (size_t n; bytes; bytes -= n) {
    if (d.left == 0) place_next(&d, to);
    if (s.left == 0) place_next(&s, from);
    n = d.left < s.left ? d.left : s.left;
    pst_move(d.at, s.at, n);
    d.at += n, d.left -= n;
    s.at += n, s.left -= n;
  }
}

/* Copies entry to entry up to the first two that differ in length: how many entries. */
static size_t copy_equal_entries(const struct pst_side *dst, const struct pst_side *src)
{
  const size_t n = dst->n < src->n ? dst->n : src->n;
  const gasnet_memvec_t *d = dst->vector, *s = src->vector;
  const ptrdiff_t to = dst->delta, from = src->delta;
  for (size_t i = 0; i < n; i++) {
    if (d[i].len != s[i].len) return i;
    pst_move(pst_side_here(d[i].addr, to), pst_side_here(s[i].addr, from), d[i].len);
  }
  return n;
}

static void copy_vectors(const struct pst_side *dst, const struct pst_side *src)
{
  struct pst_side to = *dst, from = *src;
  const size_t n = copy_equal_entries(dst, src);
  size_t bytes = src->bytes;
  if (n == dst->n && n == src->n) return;
  for (size_t i = 0; i < n; i++) bytes -= src->vector[i].len;
  to.vector += n;
  from.vector += n;
  copy_entries(&to, PST_SIDE_VECTOR, &from, PST_SIDE_VECTOR, bytes);
}

/* Two index lists whose pieces have one size. */
#define COPY_EQUAL(copy, piece) \
  for (size_t i = 0; i < n; i++) copy(pst_side_here(d[i], to), pst_side_here(s[i], from), piece)

static void copy_indexed(const struct pst_side *dst, const struct pst_side *src)
{
  void *const *d = dst->indexed, *const *s = src->indexed;
  const ptrdiff_t to = dst->delta, from = src->delta;
  const size_t n = dst->n, piece = dst->piece;
  switch (piece) {
  case 4: COPY_EQUAL(memcpy, 4); break;
  case 8: COPY_EQUAL(memcpy, 8); break;
  case 16: COPY_EQUAL(memcpy, 16); break;
  default: COPY_EQUAL(pst_move, piece);
  }
}

static void copy_lists(const struct pst_side *dst, const struct pst_side *src)
{
  const int to_vector = dst->kind == PST_SIDE_VECTOR, from_vector = src->kind == PST_SIDE_VECTOR;
  if (to_vector && from_vector) copy_vectors(dst, src);
  else if (to_vector) copy_entries(dst, PST_SIDE_VECTOR, src, PST_SIDE_INDEXED, src->bytes);
  else if (from_vector) copy_entries(dst, PST_SIDE_INDEXED, src, PST_SIDE_VECTOR, src->bytes);
  else if (dst->piece == src->piece) copy_indexed(dst, src);
  else copy_entries(dst, PST_SIDE_INDEXED, src, PST_SIDE_INDEXED, src->bytes);
}

/* ---- side to side ---- */

static void copy_pieces(const struct pst_side *dst, const struct pst_side *src)
{
  struct pst_cursor to, from;
  char *d, *s;
  pst_cursor_begin(&to, dst, 0);
  pst_cursor_begin(&from, src, 0);
  for (size_t a, b, n; (a = pst_cursor_piece(&to, &d)) != 0;
       pst_cursor_skip(&to, n), pst_cursor_skip(&from, n)) {
    b = pst_cursor_piece(&from, &s);
    n = a < b ? a : b;
    pst_move(d, s, n);
  }
}

/* Is the side one contiguous piece? */
static int side_is_flat(const struct pst_side *s, char **addr)
{
  struct pst_cursor c;
  pst_cursor_begin(&c, s, 0);
  return pst_cursor_piece(&c, addr) == s->bytes;
}

void pst_side_copy(const struct pst_side *dst, const struct pst_side *src)
{
  struct pst_cursor c;
  char *flat;
  if (src->bytes == 0) return;
  if (dst->kind != PST_SIDE_STRIDED && src->kind != PST_SIDE_STRIDED) {
    copy_lists(dst, src);
  } else if (side_is_flat(dst, &flat)) {
    pst_cursor_begin(&c, src, 0);
    pst_cursor_pack(&c, flat, src->bytes);
  } else if (side_is_flat(src, &flat)) {
    pst_cursor_begin(&c, dst, 0);
    pst_cursor_unpack(&c, flat, src->bytes);
  } else {
    copy_pieces(dst, src);
  }
}
