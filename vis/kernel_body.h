/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The kernels, written once and compiled for each CPU level. The file that includes this defines VEC_BYTES
 * (of the widest register), TARGET (an attribute of every function) and TILES (a list of struct pst_tile).
 * Where the processor can do it, it defines STREAM(to, v), a store of a register past the caches, with
 * STREAM_FENCE(), and SHUFFLE(v, take), which takes bytes of a 16-byte register by their numbers. */
#include <stdint.h>
#include <string.h>

#include "support/copy.h"
#include "vis/kernel_move.h"
#include "vis/kernel_set.h"

enum { LARGE_ROW = 1 << 20 }; /* from this length on pst_copy differs from memcpy */

#define INLINE static inline __attribute__((always_inline)) TARGET

typedef unsigned char u1;
typedef pst_copy_2 u2;
typedef pst_copy_4 u4;
typedef pst_copy_8 u8;
typedef pst_copy_16 v16;
#if VEC_BYTES == 64
typedef char v32 __attribute__((vector_size(32), aligned(1), may_alias));
#endif
typedef char vec __attribute__((vector_size(VEC_BYTES), aligned(1), may_alias));

/* ---- a line: n rows at one stride on each side ---- */

#define LINE(name) INLINE void name(char *d, ptrdiff_t ds, const char *s, ptrdiff_t ss, size_t n, size_t row)
typedef void (*line_fn)(char *d, ptrdiff_t ds, const char *s, ptrdiff_t ss, size_t n, size_t row);

/* Rows of exactly one type. Four loads come before their stores: the processor delays a load behind a store
 * whose address has the same low 12 bits, since it takes them for one place. */
#define LINE_ONE(type) \
  LINE(one_##type) \
  { \
    (void)row; \
    for (; n >= 4; n -= 4, d += 4 * ds, s += 4 * ss) { \
      const type a = *(const type *)s, b = *(const type *)(s + ss); \
      const type c = *(const type *)(s + 2 * ss), e = *(const type *)(s + 3 * ss); \
      *(type *)d = a; \
      *(type *)(d + ds) = b; \
      *(type *)(d + 2 * ds) = c; \
      *(type *)(d + 3 * ds) = e; \
    } \
    for (; n; n--, d += ds, s += ss) *(type *)d = *(const type *)s; \
  }

/* Rows of one to two of a type: two loads and stores overlap. */
#define LINE_PAIR(type) \
  LINE(pair_##type) \
  { \
    const size_t last = row - sizeof(type); \
    for (; n; n--, d += ds, s += ss) { \
      const type a = *(const type *)s, z = *(const type *)(s + last); \
      *(type *)d = a; \
      *(type *)(d + last) = z; \
    } \
  }

LINE_ONE(u1)
LINE_ONE(u2)
LINE_ONE(u4)
LINE_ONE(u8)
LINE_ONE(v16)
LINE_PAIR(u2)
LINE_PAIR(u4)
LINE_PAIR(u8)
#if VEC_BYTES < 64
LINE_PAIR(vec)
#endif
#if VEC_BYTES > 16
LINE_PAIR(v16)
LINE_ONE(vec)
#endif
#if VEC_BYTES == 64
LINE_ONE(v32)
LINE_PAIR(v32)
#endif

#define AT(p, offset)   (*(vec *)((p) + (offset)))
#define FROM(p, offset) (*(const vec *)((p) + (offset)))

/* Two to four registers, overlapping in the middle. */
INLINE void move_quad(char *d, const char *s, size_t row)
{
  const size_t last = row - VEC_BYTES;
  const vec a = FROM(s, 0), b = FROM(s, VEC_BYTES), y = FROM(s, last - VEC_BYTES), z = FROM(s, last);
  AT(d, 0) = a;
  AT(d, VEC_BYTES) = b;
  AT(d, last - VEC_BYTES) = y;
  AT(d, last) = z;
}

#if VEC_BYTES == 16
LINE(quad)
{
  for (; n; n--, d += ds, s += ss) move_quad(d, s, row);
}
#endif

/* More than four registers. Between the first and the last four the stores are aligned. */
INLINE void move_many(char *d, const char *s, size_t n)
{
  const size_t last = n - 4 * VEC_BYTES, head = VEC_BYTES - ((uintptr_t)d & (VEC_BYTES - 1));
  const vec first = FROM(s, 0), w = FROM(s, last), x = FROM(s, last + VEC_BYTES);
  const vec y = FROM(s, last + 2 * VEC_BYTES), z = FROM(s, last + 3 * VEC_BYTES);
  AT(d, 0) = first;
  for (size_t i = head; i < last; i += 4 * VEC_BYTES) {
    const vec a = FROM(s, i), b = FROM(s, i + VEC_BYTES), c = FROM(s, i + 2 * VEC_BYTES),
              e = FROM(s, i + 3 * VEC_BYTES);
    AT(d, i) = a;
    AT(d, i + VEC_BYTES) = b;
    AT(d, i + 2 * VEC_BYTES) = c;
    AT(d, i + 3 * VEC_BYTES) = e;
  }
  AT(d, last) = w;
  AT(d, last + VEC_BYTES) = x;
  AT(d, last + 2 * VEC_BYTES) = y;
  AT(d, last + 3 * VEC_BYTES) = z;
}

/* More than a register. */
INLINE void move_long(char *d, const char *s, size_t n)
{
  if (n > 4 * VEC_BYTES) {
    move_many(d, s, n);
  } else if (n > 2 * VEC_BYTES) {
    move_quad(d, s, n);
  } else {
    const vec a = FROM(s, 0), z = FROM(s, n - VEC_BYTES);
    AT(d, 0) = a;
    AT(d, n - VEC_BYTES) = z;
  }
}

LINE(rows)
{
  for (; n; n--, d += ds, s += ss) move_long(d, s, row);
}

/* libc's copy knows more kinds of processors. But it may be a string instruction, which is slow where the two
 * sides are aligned differently. */
INLINE void move_row(char *d, const char *s, size_t n)
{
  if (n >= LARGE_ROW) pst_copy(d, s, n);
  else if (((uintptr_t)d ^ (uintptr_t)s) % 64 == 0) memcpy(d, s, n);
  else move_long(d, s, n);
}

LINE(long_rows)
{
  for (; n; n--, d += ds, s += ss) move_row(d, s, row);
}

#ifdef STREAM
/* Whole lines of the destination go past the caches, the ends of a row through them. */
LINE(stream_rows)
{
  for (; n; n--, d += ds, s += ss) {
    const size_t head = -(uintptr_t)d & 63, end = row - (row - head) % 64;
    memcpy(d, s, head);
    for (size_t i = head; i < end; i += VEC_BYTES) STREAM(d + i, FROM(s, i));
    memcpy(d + end, s + end, row - end);
  }
}
#endif

/* For strides that put the rows' lines into a few sets of the first-level cache. The processor loads many
 * rows ahead, and their lines evict each other before they are used. Only the number of instructions in
 * between limits how far ahead it loads, so each row is followed by instructions that do nothing. */
#define PAUSED_ROWS(nops, move) \
  for (; n; n--, d += ds, s += ss) { \
    move; \
    __asm__ volatile(".rept " #nops "\n\tnop\n\t.endr"); \
  }
#define LINE_PAUSED(nops) \
  LINE(paused_##nops) \
  { \
    if (row == 8) PAUSED_ROWS(nops, *(u8 *)d = *(const u8 *)s) \
    else if (row <= PST_COPY_SMALL) PAUSED_ROWS(nops, pst_move_short(d, s, row)) \
    else PAUSED_ROWS(nops, move_long(d, s, row)) \
  }
LINE_PAUSED(0)
LINE_PAUSED(8)
LINE_PAUSED(40)
LINE_PAUSED(64)
LINE_PAUSED(96)
LINE_PAUSED(192)

#ifdef SHUFFLE
/* By the bytes of a row: the row that byte i of a packed register comes from, and the byte within it. */
#define EIGHT(i, r, op) \
  (i) op r, (i + 1) op r, (i + 2) op r, (i + 3) op r, (i + 4) op r, (i + 5) op r, (i + 6) op r, (i + 7) op r
#define SIXTEEN(r, op) \
  { \
    EIGHT(0, r, op) \
    , EIGHT(8, r, op) \
  }
#define BY_ROW(op) \
  { \
    {0}, SIXTEEN(1, op), SIXTEEN(2, op), SIXTEEN(3, op), SIXTEEN(4, op), SIXTEEN(5, op), SIXTEEN(6, op), \
        SIXTEEN(7, op) \
  }
typedef signed char bytes16 __attribute__((vector_size(16)));
/* Places that are too large wrap around; they are not used. */
typedef unsigned char places16 __attribute__((vector_size(16)));
static const bytes16 row_of[PST_KERNEL_PACKED + 1] = BY_ROW(/);
static const bytes16 byte_of[PST_KERNEL_PACKED + 1] = BY_ROW(%);

/* One load and one shuffle pack the rows that lie within 16 bytes of the source. Where these rows fill at
 * most half of a register, those of the next 16 bytes are packed with them. Each store overwrites the unused
 * end of the one before it. The last rows go singly, so that nothing behind them is read or written. */
LINE(packed)
{
  const size_t together = 1 + (16 - row) / (size_t)ss;
  const ptrdiff_t step = (ptrdiff_t)together * ss;
  const places16 take = (places16)row_of[row] * (unsigned char)ss + (places16)byte_of[row];
  const bytes16 none = (bytes16)(row_of[row] >= (signed char)together);
  const bytes16 low = (bytes16)take | none, high = (bytes16)(take - (unsigned char)step) | ~none;
  if (2 * together * row <= 16)
    for (; (n - together) * row >= 16 && n > together;
         n -= 2 * together, d += 2 * together * row, s += 2 * step)
      *(v16 *)d = (v16)SHUFFLE(*(const v16 *)s, low) | (v16)SHUFFLE(*(const v16 *)(s + step), high);
  for (; n * row >= 16; n -= together, d += together * row, s += step)
    *(v16 *)d = (v16)SHUFFLE(*(const v16 *)s, low);
  for (; n; n--, d += ds, s += ss) pst_move_short(d, s, row);
}
#endif

/* ---- all levels ---- */

INLINE void walk(const struct pst_shape *s, char *dst, const char *src, line_fn copy)
{
  const int planes = s->levels > 1;
  const size_t row = s->row, n = s->count[0], lines = planes ? s->count[1] : 1;
  const ptrdiff_t ds = s->dst[0], ss = s->src[0], dline = planes ? s->dst[1] : 0,
                  sline = planes ? s->src[1] : 0;
  size_t position[PST_SHAPE_LEVELS];
  for (unsigned l = 2; l < s->levels; l++) position[l] = 0;
  do {
    char *d = dst;
    const char *c = src;
    for (size_t i = 0; i < lines; i++, d += dline, c += sline) copy(d, ds, c, ss, n, row);
  } while (s->levels > 2 && pst_kernel_advance(s, 2, position, &dst, &src));
}

/* Each kernel begins a line of code. Else the linker would decide where a short loop falls, and that is worth
 * up to half of its speed. */
#define KERNEL(name) \
  TARGET __attribute__((aligned(64))) static void copy_##name( \
      const struct pst_shape *s, char *dst, const char *src) \
  { \
    walk(s, dst, src, name); \
  }

KERNEL(one_u1)
KERNEL(one_u2)
KERNEL(one_u4)
KERNEL(one_u8)
KERNEL(one_v16)
KERNEL(pair_u2)
KERNEL(pair_u4)
KERNEL(pair_u8)
KERNEL(paused_0)
KERNEL(paused_8)
KERNEL(paused_40)
KERNEL(paused_64)
KERNEL(paused_96)
KERNEL(paused_192)
#ifdef SHUFFLE
KERNEL(packed)
#define PACKED .packed = copy_packed,
#else
#define PACKED
#endif
KERNEL(rows)
KERNEL(long_rows)
#if VEC_BYTES == 16
KERNEL(pair_vec)
KERNEL(quad)
#elif VEC_BYTES == 32
KERNEL(pair_v16)
KERNEL(one_vec)
KERNEL(pair_vec)
#else
KERNEL(pair_v16)
KERNEL(one_v32)
KERNEL(pair_v32)
KERNEL(one_vec)
#endif

TARGET static void copy_single(const struct pst_shape *s, char *dst, const char *src)
{
  if (s->row <= PST_COPY_SMALL) pst_move_short(dst, src, s->row);
  else move_row(dst, src, s->row);
}

#ifdef STREAM
/* A streaming store of a part of a line costs more than it saves: rows must be whole lines, or long. */
INLINE int rows_may_stream(const struct pst_shape *s, const char *dst)
{
  uintptr_t all = (uintptr_t)dst | s->row;
  for (unsigned l = 0; l < s->levels; l++) all |= (uintptr_t)s->dst[l];
  return all % 64 == 0 || s->row >= 2048;
}
#endif

/* Streaming stores are weakly ordered: the fence puts them before the store that tells a reader. */
TARGET static void copy_stream(const struct pst_shape *s, char *dst, const char *src)
{
#ifdef STREAM
  if (rows_may_stream(s, dst)) {
    walk(s, dst, src, stream_rows);
    STREAM_FENCE();
    return;
  }
#endif
  copy_long_rows(s, dst, src);
}

TARGET static void copy_transpose(const struct pst_shape *s, char *dst, const char *src)
{
  static const struct pst_tile tiles[] = {TILES{0, 0, NULL}};
  pst_transpose_copy(tiles, s, dst, src);
#ifdef STREAM
  STREAM_FENCE();
#endif
}

#define COMMON_KERNELS \
  PACKED.paused = {copy_paused_0, copy_paused_8, copy_paused_40, copy_paused_64, copy_paused_96, \
      copy_paused_192}, \
  .single = copy_single, .rows = copy_rows, .long_rows = copy_long_rows, .stream = copy_stream, \
  .transpose = copy_transpose
#define COMMON_SMALL \
  [1] = copy_one_u1, [2] = copy_one_u2, [3] = copy_pair_u2, [4] = copy_one_u4, \
  [5 ... 7] = copy_pair_u4, [8] = copy_one_u8, [9 ... 15] = copy_pair_u8, [16] = copy_one_v16
#if VEC_BYTES == 16
#define SMALL COMMON_SMALL, [17 ... 32] = copy_pair_vec, [33 ... 64] = copy_quad
#elif VEC_BYTES == 32
#define SMALL COMMON_SMALL, [17 ... 31] = copy_pair_v16, [32] = copy_one_vec, [33 ... 64] = copy_pair_vec
#else
#define SMALL \
  COMMON_SMALL, [17 ... 31] = copy_pair_v16, [32] = copy_one_v32, \
                        [33 ... 63] = copy_pair_v32, [64] = copy_one_vec
#endif
