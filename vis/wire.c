/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/wire.h"

#include <stdint.h>
#include <string.h>

#include "support/copy.h"
#include "vis/cursor.h"
#include "vis/kernel_move.h"

enum form { STRIDED, LIST, ELEMENTS };

/* ---- numbers: 7 bits a byte, low ones first, the high bit says that more follow ---- */

static inline unsigned char *number_write(unsigned char *to, uint64_t v)
{
  for (; v >= 0x80; v >>= 7) *to++ = (unsigned char)(v | 0x80);
  *to++ = (unsigned char)v;
  return to;
}

/* Small numbers of either sign become small numbers without one. */
static inline uint64_t fold(uint64_t v) { return v << 1 ^ (0 - (v >> 63)); }
static inline uint64_t unfold(uint64_t v) { return v >> 1 ^ (0 - (v & 1)); }

struct reader {
  const unsigned char *at, *end;
};

static int number_read_long(struct reader *r, uint64_t *v)
{
  uint64_t sum = 0;
  for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
    const uint64_t bits = *r->at & 0x7f;
    if (bits << shift >> shift != bits) return 0;
    sum |= bits << shift;
    if (!(*r->at++ & 0x80)) {
      *v = sum;
      return 1;
    }
  }
  return 0;
}

/* 0: the description ends within the number, or the number has more than 64 bits. */
static inline int number_read(struct reader *r, uint64_t *v)
{
  if (r->at == r->end || *r->at & 0x80) return number_read_long(r, v);
  *v = *r->at++;
  return 1;
}

/* ---- writing ---- */

size_t pst_wire_strided(unsigned char *to, const struct pst_side *s, size_t offset, uintptr_t origin)
{
  unsigned char *at = to;
  *at++ = STRIDED;
  *at++ = (unsigned char)s->n;
  at = number_write(at, (uintptr_t)s->base - origin);
  at = number_write(at, s->piece);
  for (size_t i = 0; i < s->n; i++) {
    at = number_write(at, s->count[i]);
    at = number_write(at, fold((uint64_t)s->stride[i]));
  }
  at = number_write(at, offset);
  return (size_t)(at - to);
}

void pst_wire_elements_begin(struct pst_wire_elements *e, const struct pst_side *s, uintptr_t origin)
{
  const struct pst_side_entries list = pst_side_entries(s);
  const uintptr_t first = (uintptr_t)pst_side_entry(list, 0);
  uintptr_t low = first, high = first, differ = 0;
  for (size_t i = 1; i < s->n; i++) {
    const uintptr_t a = (uintptr_t)pst_side_entry(list, i);
    low = a < low ? a : low;
    high = a > high ? a : high;
    differ |= a ^ first;
  }
  *e = (struct pst_wire_elements){.side = s, .origin = origin, .lowest = low};
  e->shift = differ ? (unsigned)__builtin_ctzll(differ) : 0;
  e->width = (high - low) >> e->shift <= UINT16_MAX ? 2 : (high - low) >> e->shift <= UINT32_MAX ? 4 : 8;
}

/* Bytes are in the processor's own order: data is not converted either. */
#define WRITE_ELEMENTS(type) \
  for (size_t i = 0; i < count; i++, at += sizeof(type)) { \
    const type v = (type)(((uintptr_t)pst_side_entry(list, first + i) - lowest) >> shift); \
    memcpy(at, &v, sizeof v); \
  }

size_t pst_wire_elements(unsigned char *to, const struct pst_wire_elements *e, size_t offset, size_t n)
{
  const struct pst_side_entries list = pst_side_entries(e->side);
  const size_t first = offset / e->side->piece, count = n / e->side->piece;
  const uintptr_t lowest = e->lowest;
  const unsigned shift = e->shift;
  unsigned char *at = to;
  *at++ = ELEMENTS;
  *at++ = (unsigned char)e->width;
  *at++ = (unsigned char)e->shift;
  at = number_write(at, e->lowest - e->origin);
  at = number_write(at, e->side->piece);
  if (e->width == 2) WRITE_ELEMENTS(uint16_t)
  else if (e->width == 4) WRITE_ELEMENTS(uint32_t)
  else WRITE_ELEMENTS(uint64_t)
  return (size_t)(at - to);
}

void pst_wire_list_begin(struct pst_wire_list *l, unsigned char *buffer, uintptr_t origin)
{
  l->begin = l->at = buffer;
  l->behind = origin;
  l->len = 0;
  *l->at++ = LIST;
}

static inline void write_entry(struct pst_wire_list *l)
{
  l->at = number_write(l->at, fold(l->addr - l->behind));
  l->at = number_write(l->at, l->len);
  l->behind = l->addr + l->len;
}

void pst_wire_list_add(struct pst_wire_list *l, const void *addr, size_t len)
{
  if (l->len && l->addr + l->len == (uintptr_t)addr) {
    l->len += len;
    return;
  }
  if (l->len) write_entry(l);
  l->addr = (uintptr_t)addr;
  l->len = len;
}

size_t pst_wire_list_end(struct pst_wire_list *l)
{
  if (l->len) write_entry(l);
  l->len = 0;
  return (size_t)(l->at - l->begin);
}

/* ---- reading ---- */

/* A strided side as it is read. Levels with a count of 1 are dropped, since nothing checks their strides. */
struct strided {
  struct pst_side side;
  size_t count[PST_SHAPE_LEVELS];
  ptrdiff_t stride[PST_SHAPE_LEVELS];
};

static const char *read_level(struct reader *r, struct strided *s, int64_t *low, int64_t *high)
{
  uint64_t count, stride;
  int64_t reach;
  if (!number_read(r, &count) || !number_read(r, &stride)) return "it ends within a level";
  if (count == 0) return "a level has the count 0";
  if (count == 1) return NULL;
  stride = unfold(stride);
  if (count > INT64_MAX || __builtin_mul_overflow((int64_t)stride, (int64_t)count - 1, &reach) ||
      __builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high))
    return "its extent is beyond all memory";
  s->count[s->side.n] = count;
  s->stride[s->side.n++] = (ptrdiff_t)stride;
  return __builtin_mul_overflow(s->side.bytes, count, &s->side.bytes) ? "its size is beyond all memory"
                                                                      : NULL;
}

/* Do rows whose first bytes reach from at + low to at + high lie within 0 to size? */
static int rows_within(uint64_t size, uint64_t at, int64_t low, int64_t high, uint64_t row)
{
  if (at > size || 0 - (uint64_t)low > at) return 0;
  return (uint64_t)high <= size - at && row <= size - at - (uint64_t)high;
}

/* Do all rows lie within the window, or one of the others? The first row begins `at` bytes after the window
 * does. */
static int rows_inside(const struct pst_wire_window *w, uint64_t at, uint64_t row, int64_t low, int64_t high)
{
  if (__builtin_expect(rows_within(w->size, at, low, high, row), 1)) return 1;
  for (unsigned i = 0; i < w->count; i++)
    if (rows_within(w->others[i].size, w->begin + at - (uintptr_t)w->others[i].addr, low, high, row))
      return 1;
  return 0;
}

static inline int entry_inside(const struct pst_wire_window *w, uint64_t at, uint64_t len)
{
  if (__builtin_expect(at <= w->size && len <= w->size - at, 1)) return 1;
  return w->count && rows_inside(w, at, len, 0, 0);
}

static const char *read_strided(
    struct reader *r, const struct pst_wire_window *w, struct strided *s, uint64_t *offset)
{
  uint64_t levels, at, row;
  int64_t low = 0, high = 0;
  const char *wrong;
  if (!number_read(r, &levels) || !number_read(r, &at) || !number_read(r, &row))
    return "it ends before its levels";
  if (levels > PST_SHAPE_LEVELS) return "it has too many levels";
  if (row == 0) return "its rows are empty";
  s->side = (struct pst_side){.kind = PST_SIDE_STRIDED,
      .bytes = row,
      .piece = row,
      .base = (char *)(w->begin + at),
      .count = s->count,
      .stride = s->stride};
  while (levels--)
    if ((wrong = read_level(r, s, &low, &high)) != NULL) return wrong;
  if (!number_read(r, offset) || r->at != r->end) return "its length is wrong";
  return rows_inside(w, at, row, low, high) ? NULL : "it reaches out of the segment";
}

static const char *copy_strided(
    const struct pst_wire_window *w, struct reader *r, char *buffer, size_t n, int pack)
{
  struct strided s;
  struct pst_cursor c;
  uint64_t offset;
  const char *wrong = read_strided(r, w, &s, &offset);
  if (wrong) return wrong;
  if (offset > s.side.bytes || n > s.side.bytes - offset) return "it has fewer bytes than the message says";
  pst_cursor_begin(&c, &s.side, offset);
  if (pack) {
    pst_cursor_pack(&c, buffer, n);
  } else {
    atomic_thread_fence(memory_order_release); /* as in pst_copy_release: rows may be stored as vectors */
    pst_cursor_unpack(&c, buffer, n);
  }
  return NULL;
}

static inline void copy_entry(char *restrict here, char *restrict buffer, size_t n, int pack)
{
  if (pack) pst_move_words(buffer, here, n);
  else pst_copy_release(here, buffer, n);
}

static inline const char *copy_list(
    const struct pst_wire_window *w, struct reader *r, char *buffer, size_t n, int pack)
{
  uint64_t at = 0, step, len;
  for (; r->at < r->end; at += len, buffer += len, n -= len) {
    if (!number_read(r, &step) || !number_read(r, &len)) return "it ends within an entry";
    at += unfold(step);
    if (!entry_inside(w, at, len)) return "an entry reaches out of the segment";
    if (len == 0 || len > n) return "it has other bytes than the message says";
    copy_entry((char *)(w->begin + at), buffer, len, pack);
  }
  return n ? "it has fewer bytes than the message says" : NULL;
}

/* Elements as they are read. */
struct elements {
  const struct pst_wire_window *window;
  uint64_t origin; /* the lowest one, from the window's begin */
  char *lowest;
  const unsigned char *at;
  size_t count, piece, most; /* most: the largest number within the window */
  unsigned shift, width;
};

/* 0 where the lowest element is outside the window: then each element is looked up. */
static uint64_t numbers_within(const struct pst_wire_window *w, uint64_t at, uint64_t piece, unsigned shift)
{
  return at <= w->size && piece <= w->size - at ? (w->size - at - piece) >> shift : 0;
}

static int element_is_elsewhere(const struct elements *e, uint64_t number)
{
  const uint64_t distance = number << e->shift;
  return e->window->count && distance >> e->shift == number &&
      entry_inside(e->window, e->origin + distance, e->piece);
}

/* Reads the head, and checks that the elements fill the rest of the message. */
static const char *read_elements(
    struct reader *r, const struct pst_wire_window *w, struct elements *e, size_t n)
{
  uint64_t at, piece;
  if (r->end - r->at < 2) return "it ends before its elements";
  e->width = *r->at++;
  e->shift = *r->at++;
  if (!number_read(r, &at) || !number_read(r, &piece)) return "it ends before its elements";
  if ((e->width != 2 && e->width != 4 && e->width != 8) || e->shift > 63)
    return "its elements have no known form";
  if (piece == 0) return "its elements are empty";
  if (!entry_inside(w, at, piece)) return "an entry reaches out of the segment";
  *e = (struct elements){w, at, (char *)(w->begin + at), r->at, n / piece, piece,
      numbers_within(w, at, piece, e->shift), e->shift, e->width};
  return n % piece || (size_t)(r->end - r->at) / e->width != e->count || (size_t)(r->end - r->at) % e->width
      ? "it has other bytes than the message says"
      : NULL;
}

/* Are all elements aligned words? They are if the lowest one is aligned, and the distances are multiples. */
static int elements_are_words(const struct elements *e, unsigned shift)
{
  return e->piece == (size_t)1 << shift && e->shift >= shift && (uintptr_t)e->lowest % e->piece == 0;
}

static inline __attribute__((always_inline)) void copy_element(
    char *restrict here, char *restrict buffer, size_t n, int word, int pack)
{
  if (pack || !word) copy_entry(here, buffer, n, pack);
  else if (n == 8) pst_store_release_8(here, buffer);
  else pst_store_release_4(here, buffer);
}

/* The compiler knows the type of the numbers, and the size of words. */
#define COPY_ELEMENTS(type, size, word) \
  for (size_t i = 0; i < e->count; i++, buffer += (size)) { \
    type v; \
    memcpy(&v, e->at + i * sizeof v, sizeof v); \
    if (__builtin_expect(v > e->most, 0) && !element_is_elsewhere(e, v)) return 0; \
    copy_element(e->lowest + ((uint64_t)v << e->shift), buffer, (size), (word), pack); \
  }
#define COPY_ALL(type) \
  if (elements_are_words(e, 3)) { \
    COPY_ELEMENTS(type, 8, 1) \
  } else if (elements_are_words(e, 2)) { \
    COPY_ELEMENTS(type, 4, 1) \
  } else { \
    COPY_ELEMENTS(type, e->piece, 0) \
  }

/* 0: an element is outside the window. */
static inline int copy_all_elements(const struct elements *e, char *buffer, int pack)
{
  switch (e->width) {
  case 2: COPY_ALL(uint16_t) break;
  case 4: COPY_ALL(uint32_t) break;
  default: COPY_ALL(uint64_t) break;
  }
  return 1;
}

static inline const char *copy_elements(
    const struct pst_wire_window *w, struct reader *r, char *buffer, size_t n, int pack)
{
  struct elements e;
  const char *wrong = read_elements(r, w, &e, n);
  if (wrong) return wrong;
  return copy_all_elements(&e, buffer, pack) ? NULL : "an entry reaches out of the segment";
}

/* Compiled twice: the compiler knows `pack`. */
static inline __attribute__((always_inline)) const char *copy(
    const struct pst_wire_window *w, const void *description, size_t length, char *buffer, size_t n, int pack)
{
  struct reader r = {description, (const unsigned char *)description + length};
  if (length == 0) return n ? "it is empty" : NULL;
  switch (*r.at++) {
  case STRIDED: return copy_strided(w, &r, buffer, n, pack);
  case LIST: return copy_list(w, &r, buffer, n, pack);
  case ELEMENTS: return copy_elements(w, &r, buffer, n, pack);
  default: return "its form is unknown";
  }
}

const char *pst_wire_unpack(
    const struct pst_wire_window *w, const void *description, size_t length, const char *from, size_t n)
{
  return copy(w, description, length, (char *)(uintptr_t)from, n, 0);
}

const char *pst_wire_pack(
    const struct pst_wire_window *w, const void *description, size_t length, char *to, size_t n)
{
  return copy(w, description, length, to, n, 1);
}
