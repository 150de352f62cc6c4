/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/side.h"

#include <string.h>

#include "support/copy.h"
#include "vis/kernel.h"
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

/* How many from the first on have its length. They are counted by fours: fewer are said where one of them has
 * not. */
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

/* In four sums, which do not wait for each other. */
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

/* ---- positions ---- */

/* Row number `i` of a strided side. */
static void seek_row(struct pst_cursor *c, size_t i)
{
  const struct pst_side *s = c->side;
  c->row = s->base;
  for (size_t l = 0; l < s->n; l++) {
    c->position[l] = i % s->count[l];
    i /= s->count[l];
    c->row += s->stride[l] * (ptrdiff_t)c->position[l];
  }
}

void pst_cursor_begin(struct pst_cursor *c, const struct pst_side *side, size_t offset)
{
  c->side = side;
  c->left = side->bytes - offset;
  c->index = c->within = 0;
  if (c->left == 0) return;
  if (side->piece == 0) {
    while (offset >= side->vector[c->index].len) offset -= side->vector[c->index++].len;
    c->within = offset;
    return;
  }
  c->within = offset % side->piece;
  if (side->kind == PST_SIDE_STRIDED) seek_row(c, offset / side->piece);
  else c->index = offset / side->piece;
}

size_t pst_cursor_piece(struct pst_cursor *c, char **addr)
{
  const struct pst_side *s = c->side;
  if (c->left == 0) return 0;
  if (s->kind == PST_SIDE_VECTOR) {
    *addr = (char *)s->vector[c->index].addr + c->within + s->delta;
    return s->vector[c->index].len - c->within;
  }
  *addr = (s->kind == PST_SIDE_INDEXED ? (char *)s->indexed[c->index] : c->row) + c->within + s->delta;
  return s->piece - c->within;
}

/* `times` repetitions of a level on, all levels below being at their start. */
static void step_level(struct pst_cursor *c, size_t level, size_t times)
{
  const struct pst_side *s = c->side;
  for (; level < s->n; level++, times = 1) {
    c->row += s->stride[level] * (ptrdiff_t)times;
    c->position[level] += times;
    if (c->position[level] < s->count[level]) return;
    c->row -= s->stride[level] * (ptrdiff_t)s->count[level];
    c->position[level] = 0;
  }
}

void pst_cursor_skip(struct pst_cursor *c, size_t n)
{
  const struct pst_side *s = c->side;
  c->left -= n;
  c->within += n;
  if (c->left == 0) return;
  if (s->kind == PST_SIDE_VECTOR) {
    while (c->within == s->vector[c->index].len) {
      c->index++;
      c->within = 0;
    }
  } else if (c->within == s->piece) {
    c->within = 0;
    if (s->kind == PST_SIDE_INDEXED) c->index++;
    else step_level(c, 0, 1);
  }
}

/* ---- to and from a buffer ---- */

/* The largest block of whole levels that begins here and has at most n bytes, as a shape with this side's
 * strides in `side` and the buffer's in `buffer`; its bytes. 0: less than a row fits, or we stand within one.
 */
static size_t block_here(const struct pst_cursor *c, size_t n, struct pst_shape *block, ptrdiff_t *side,
    ptrdiff_t *buffer, size_t *top, size_t *times)
{
  const struct pst_side *s = c->side;
  size_t below = s->piece, l = 0;
  if (c->within || n < s->piece || s->n == 0) return 0;
  while (l + 1 < s->n && c->position[l] == 0 && below * s->count[l] <= n) {
    block->count[l] = s->count[l];
    side[l] = s->stride[l];
    buffer[l] = (ptrdiff_t)below;
    below *= s->count[l++];
  }
  *top = l;
  *times = s->count[l] - c->position[l] < n / below ? s->count[l] - c->position[l] : n / below;
  block->row = s->piece;
  block->levels = (unsigned)l + 1;
  block->count[l] = *times;
  side[l] = s->stride[l];
  buffer[l] = (ptrdiff_t)below;
  return below * *times;
}

static size_t pack_block(struct pst_cursor *c, char *to, size_t n)
{
  struct pst_shape block;
  size_t top, times;
  const size_t bytes = block_here(c, n, &block, block.src, block.dst, &top, &times);
  if (bytes == 0) return 0;
  pst_kernel_copy(&block, to, c->row + c->side->delta);
  c->left -= bytes;
  step_level(c, top, times);
  return bytes;
}

static size_t unpack_block(struct pst_cursor *c, const char *from, size_t n)
{
  struct pst_shape block;
  size_t top, times;
  const size_t bytes = block_here(c, n, &block, block.dst, block.src, &top, &times);
  if (bytes == 0) return 0;
  pst_kernel_copy(&block, c->row + c->side->delta, from);
  c->left -= bytes;
  step_level(c, top, times);
  return bytes;
}

static inline void copy_piece(char *dst, const char *src, size_t n)
{
  if (n <= PST_MOVE_SHORT) pst_move_short(dst, src, n);
  else pst_copy(dst, src, n);
}

/* Whole entries of one size from here on: how many the n bytes hold. */
static size_t entries_here(const struct pst_cursor *c, size_t n)
{
  return c->within ? 0 : n / c->side->piece;
}

static void step_entries(struct pst_cursor *c, size_t count)
{
  c->index += count;
  c->left -= count * c->side->piece;
}

#define COPY_ENTRIES(size, dst, src)                             \
  for (size_t i = 0; i < count; i++) {                           \
    char *const at = pst_side_entry(list, c->index + i) + delta; \
    copy_piece(dst, src, size);                                  \
  }

static size_t pack_entries(struct pst_cursor *c, char *to, size_t n)
{
  const size_t count = entries_here(c, n), piece = c->side->piece;
  const struct pst_side_entries list = pst_side_entries(c->side);
  const ptrdiff_t delta = c->side->delta;
  if (piece == 8) COPY_ENTRIES(8, to + 8 * i, at)
  else COPY_ENTRIES(piece, to + piece * i, at)
  step_entries(c, count);
  return count * piece;
}

static size_t unpack_entries(struct pst_cursor *c, const char *from, size_t n)
{
  const size_t count = entries_here(c, n), piece = c->side->piece;
  const struct pst_side_entries list = pst_side_entries(c->side);
  const ptrdiff_t delta = c->side->delta;
  if (piece == 8) COPY_ENTRIES(8, at, from + 8 * i)
  else COPY_ENTRIES(piece, at, from + piece * i)
  step_entries(c, count);
  return count * piece;
}

static size_t pack_some(struct pst_cursor *c, char *to, size_t n)
{
  if (c->side->kind == PST_SIDE_STRIDED) return pack_block(c, to, n);
  return c->side->piece ? pack_entries(c, to, n) : 0;
}

static size_t unpack_some(struct pst_cursor *c, const char *from, size_t n)
{
  if (c->side->kind == PST_SIDE_STRIDED) return unpack_block(c, from, n);
  return c->side->piece ? unpack_entries(c, from, n) : 0;
}

void pst_cursor_pack(struct pst_cursor *c, char *to, size_t n)
{
  char *at;
  for (size_t m; n; n -= m, to += m) {
    m = pack_some(c, to, n);
    if (m) continue;
    m = pst_cursor_piece(c, &at);
    if (m > n) m = n;
    copy_piece(to, at, m);
    pst_cursor_skip(c, m);
  }
}

void pst_cursor_unpack(struct pst_cursor *c, const char *from, size_t n)
{
  char *at;
  for (size_t m; n; n -= m, from += m) {
    m = unpack_some(c, from, n);
    if (m) continue;
    m = pst_cursor_piece(c, &at);
    if (m > n) m = n;
    copy_piece(at, from, m);
    pst_cursor_skip(c, m);
  }
}

/* ---- list to list ---- */

/* Entries without bytes may have any address: no arithmetic on pointers. */
static inline char *shifted(const void *addr, ptrdiff_t delta)
{
  return (char *)((uintptr_t)addr + (uintptr_t)delta);
}

/* A place in a list, by itself: copies may seem to change the description. */
struct place {
  const gasnet_memvec_t *vector; /* next entry */
  void *const *indexed;
  size_t piece;
  ptrdiff_t delta;
  char *at;    /* in the entry before it, */
  size_t left; /* with what remains of it */
};

static inline struct place begin(const struct pst_side *s)
{
  return (struct place){s->vector, s->indexed, s->piece, s->delta, NULL, 0};
}

/* The kind is known to the compiler. There is another entry that is not empty. */
static inline __attribute__((always_inline)) void next_entry(struct place *p, enum pst_side_kind kind)
{
  if (kind == PST_SIDE_VECTOR) {
    while (p->vector->len == 0) p->vector++;
    p->at = shifted(p->vector->addr, p->delta);
    p->left = p->vector++->len;
  } else {
    p->at = shifted(*p->indexed++, p->delta);
    p->left = p->piece;
  }
}

static inline __attribute__((always_inline)) void copy_entries(const struct pst_side *dst,
    enum pst_side_kind to, const struct pst_side *src, enum pst_side_kind from, size_t bytes)
{
  struct place d = begin(dst), s = begin(src);
  for (size_t n; bytes; bytes -= n) {
    if (d.left == 0) next_entry(&d, to);
    if (s.left == 0) next_entry(&s, from);
    n = d.left < s.left ? d.left : s.left;
    copy_piece(d.at, s.at, n);
    d.at += n, d.left -= n;
    s.at += n, s.left -= n;
  }
}

/* Entry to entry. How many could be copied, before lengths differ. */
static size_t copy_alike(const struct pst_side *dst, const struct pst_side *src)
{
  const size_t n = dst->n < src->n ? dst->n : src->n;
  const gasnet_memvec_t *d = dst->vector, *s = src->vector;
  const ptrdiff_t to = dst->delta, from = src->delta;
  for (size_t i = 0; i < n; i++) {
    if (d[i].len != s[i].len) return i;
    copy_piece(shifted(d[i].addr, to), shifted(s[i].addr, from), d[i].len);
  }
  return n;
}

static void copy_vectors(const struct pst_side *dst, const struct pst_side *src)
{
  struct pst_side to = *dst, from = *src;
  const size_t n = copy_alike(dst, src);
  size_t bytes = src->bytes;
  if (n == dst->n && n == src->n) return;
  for (size_t i = 0; i < n; i++) bytes -= src->vector[i].len;
  to.vector += n;
  from.vector += n;
  copy_entries(&to, PST_SIDE_VECTOR, &from, PST_SIDE_VECTOR, bytes);
}

/* Two index lists of equal pieces. */
#define COPY_EQUAL(copy, piece) \
  for (size_t i = 0; i < n; i++) copy(shifted(d[i], to), shifted(s[i], from), piece)

static void copy_indexed(const struct pst_side *dst, const struct pst_side *src)
{
  void *const *d = dst->indexed, *const *s = src->indexed;
  const ptrdiff_t to = dst->delta, from = src->delta;
  const size_t n = dst->n, piece = dst->piece;
  switch (piece) {
  case 4: COPY_EQUAL(memcpy, 4); break;
  case 8: COPY_EQUAL(memcpy, 8); break;
  case 16: COPY_EQUAL(memcpy, 16); break;
  default: COPY_EQUAL(copy_piece, piece);
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

static void copy_general(const struct pst_side *dst, const struct pst_side *src)
{
  struct pst_cursor to, from;
  char *d, *s;
  pst_cursor_begin(&to, dst, 0);
  pst_cursor_begin(&from, src, 0);
  for (size_t a, b, n; (a = pst_cursor_piece(&to, &d)) != 0;
       pst_cursor_skip(&to, n), pst_cursor_skip(&from, n)) {
    b = pst_cursor_piece(&from, &s);
    n = a < b ? a : b;
    copy_piece(d, s, n);
  }
}

/* A contiguous range, that is one piece that holds all. */
static int is_flat(const struct pst_side *s, char **addr)
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
  } else if (is_flat(dst, &flat)) {
    pst_cursor_begin(&c, src, 0);
    pst_cursor_pack(&c, flat, src->bytes);
  } else if (is_flat(src, &flat)) {
    pst_cursor_begin(&c, dst, 0);
    pst_cursor_unpack(&c, flat, src->bytes);
  } else {
    copy_general(dst, src);
  }
}
