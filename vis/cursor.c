/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/cursor.h"

#include "vis/kernel.h"
#include "vis/kernel_move.h"

/* ---- positions ---- */

/* To row number `i` of a strided side. */
static void cursor_seek_row(struct pst_cursor *c, size_t i)
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
  if (side->kind == PST_SIDE_STRIDED) cursor_seek_row(c, offset / side->piece);
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
static void cursor_step(struct pst_cursor *c, size_t level, size_t times)
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
    else cursor_step(c, 0, 1);
  }
}

/* ---- to and from a buffer ---- */

/* The largest block of whole levels that begins here and has at most n bytes, as a shape with this side's
 * strides in `side` and the buffer's in `buffer`; its bytes. 0: less than a row fits. */
static size_t cursor_block(const struct pst_cursor *c, size_t n, struct pst_shape *block, ptrdiff_t *side,
    ptrdiff_t *buffer, size_t *top, size_t *times)
{
  const struct pst_side *s = c->side;
  size_t below = s->piece, l = 0;
  if (n < s->piece || s->n == 0) return 0;
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

/* Each of these functions moves bytes of the side to the buffer (pack) or back. `pack` is a constant, for
 * which the compiler makes one copy of them. */
#define INLINE static inline __attribute__((always_inline))

INLINE void move_bytes(char *here, char *buffer, size_t n, int pack)
{
  if (pack) pst_move(buffer, here, n);
  else pst_move(here, buffer, n);
}

INLINE size_t cursor_move_block(struct pst_cursor *c, char *buffer, size_t n, int pack)
{
  struct pst_shape block;
  ptrdiff_t *const side = pack ? block.src : block.dst, *const other = pack ? block.dst : block.src;
  size_t top, times;
  const size_t bytes = cursor_block(c, n, &block, side, other, &top, &times);
  if (bytes == 0) return 0;
  if (pack) pst_kernel_copy(&block, buffer, c->row + c->side->delta);
  else pst_kernel_copy(&block, c->row + c->side->delta, buffer);
  c->left -= bytes;
  cursor_step(c, top, times);
  return bytes;
}

/* Whole entries of an index list. */
INLINE size_t cursor_move_indexed(struct pst_cursor *c, char *buffer, size_t n, int pack)
{
  const size_t piece = c->side->piece, count = n / piece;
  void *const *const list = c->side->indexed + c->index;
  const ptrdiff_t delta = c->side->delta;
  if (piece == 8)
    for (size_t i = 0; i < count; i++) move_bytes(pst_side_here(list[i], delta), buffer + 8 * i, 8, pack);
  else
    for (size_t i = 0; i < count; i++)
      move_bytes(pst_side_here(list[i], delta), buffer + piece * i, piece, pack);
  c->index += count;
  c->left -= count * piece;
  return count * piece;
}

/* Whole entries of a vector, and the empty ones behind them. */
INLINE size_t cursor_move_vector(struct pst_cursor *c, char *buffer, size_t n, int pack)
{
  const gasnet_memvec_t *v = c->side->vector + c->index, *const end = c->side->vector + c->side->n;
  const ptrdiff_t delta = c->side->delta;
  size_t left = n;
  for (size_t len; v < end && (len = v->len) <= left; v++, buffer += len, left -= len) {
    char *const here = pst_side_here(v->addr, delta);
    if (len == 8) move_bytes(here, buffer, 8, pack);
    else move_bytes(here, buffer, len, pack);
  }
  c->index = (size_t)(v - c->side->vector);
  c->left -= n - left;
  return n - left;
}

/* Whole rows or entries from here on: how many bytes. 0: the cursor stands within one, or n is less. */
INLINE size_t cursor_move_whole(struct pst_cursor *c, char *buffer, size_t n, int pack)
{
  if (c->within) return 0;
  switch (c->side->kind) {
  case PST_SIDE_STRIDED: return cursor_move_block(c, buffer, n, pack);
  case PST_SIDE_VECTOR: return cursor_move_vector(c, buffer, n, pack);
  default: return cursor_move_indexed(c, buffer, n, pack);
  }
}

INLINE void cursor_move(struct pst_cursor *c, char *buffer, size_t n, int pack)
{
  char *here;
  for (size_t m; n; n -= m, buffer += m) {
    m = cursor_move_whole(c, buffer, n, pack);
    if (m) continue;
    m = pst_cursor_piece(c, &here);
    if (m > n) m = n;
    move_bytes(here, buffer, m, pack);
    pst_cursor_skip(c, m);
  }
}

void pst_cursor_pack(struct pst_cursor *c, char *to, size_t n) { cursor_move(c, to, n, 1); }

void pst_cursor_unpack(struct pst_cursor *c, const char *from, size_t n)
{
  cursor_move(c, (char *)(uintptr_t)from, n, 0);
}
