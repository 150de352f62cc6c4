/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* An element is read as the largest integer, or as the largest real numbers, and written as what it is
 * assigned to: each step is exact but for the last, so the result is that of Fortran's assignment. */
#include "caf/convert.h"

#include <string.h>

#if defined(__SIZEOF_FLOAT128__) && !defined(__aarch64__)
typedef __float128 widest;
#else
typedef long double widest;
#endif

struct value {
  int is_integer;
  __int128 integer;
  widest re, im;
};

/* ---- numbers ---- */

/* Elements in components may lie at any address. */
#define LOADER(type) \
  static inline type load_##type(const void *from) \
  { \
    type x; \
    memcpy(&x, from, sizeof x); \
    return x; \
  }
typedef long double extended;
typedef __int128 int128_t;
LOADER(int8_t)
LOADER(int16_t)
LOADER(int32_t)
LOADER(int64_t)
LOADER(int128_t)
LOADER(float)
LOADER(double)
LOADER(extended)
LOADER(widest)

static int128_t integer_load(const char *from, int kind)
{
  switch (kind) {
  case 1: return load_int8_t(from);
  case 2: return load_int16_t(from);
  case 4: return load_int32_t(from);
  case 8: return load_int64_t(from);
  default: return load_int128_t(from);
  }
}

static widest real_load(const char *from, int kind)
{
  switch (kind) {
  case 4: return load_float(from);
  case 8: return load_double(from);
  case 10: return load_extended(from);
  default: return load_widest(from);
  }
}

/* Bytes of a real number of a kind in memory. */
static size_t real_size(int kind) { return kind == 10 ? sizeof(extended) : (size_t)kind; }

static struct value number_load(const char *from, int type, int kind)
{
  struct value v = {.is_integer = type == PST_CAF_INTEGER || type == PST_CAF_LOGICAL};
  if (v.is_integer) v.integer = integer_load(from, kind);
  else v.re = real_load(from, kind);
  if (type == PST_CAF_COMPLEX) v.im = real_load(from + real_size(kind), kind);
  return v;
}

#define STORE(type, to, value) \
  do { \
    const type stored = (type)(value); \
    memcpy(to, &stored, sizeof stored); \
  } while (0)

static void integer_store(char *to, int kind, int128_t x)
{
  switch (kind) {
  case 1: STORE(int8_t, to, x); break;
  case 2: STORE(int16_t, to, x); break;
  case 4: STORE(int32_t, to, x); break;
  case 8: STORE(int64_t, to, x); break;
  default: STORE(int128_t, to, x);
  }
}

static void real_store(char *to, int kind, const struct value *v)
{
  switch (kind) {
  case 4: STORE(float, to, v->is_integer ? (float)v->integer : (float)v->re); break;
  case 8: STORE(double, to, v->is_integer ? (double)v->integer : (double)v->re); break;
  case 10: STORE(extended, to, v->is_integer ? (extended)v->integer : (extended)v->re); break;
  default: STORE(widest, to, v->is_integer ? (widest)v->integer : v->re);
  }
}

static void number_store(char *to, int type, int kind, const struct value *v)
{
  const struct value im = {.re = v->im};
  if (type == PST_CAF_LOGICAL) integer_store(to, kind, v->integer != 0);
  else if (type == PST_CAF_INTEGER) integer_store(to, kind, v->is_integer ? v->integer : (int128_t)v->re);
  else real_store(to, kind, v);
  if (type == PST_CAF_COMPLEX) real_store(to + real_size(kind), kind, &im);
}

/* ---- characters ---- */

static uint32_t character_load(const char *from, int kind)
{
  uint32_t wide;
  if (kind == 1) return (unsigned char)*from;
  memcpy(&wide, from, sizeof wide);
  return wide;
}

static void character_store(char *to, int kind, uint32_t c)
{
  if (kind == 1) *to = c > 255 ? '?' : (char)(unsigned char)c;
  else memcpy(to, &c, sizeof c);
}

/* The shorter one is padded with blanks. */
static void text_assign(
    char *dst, size_t dst_size, int dst_kind, const char *src, size_t src_size, int src_kind)
{
  const size_t n = dst_size / (size_t)dst_kind, have = src_size / (size_t)src_kind;
  for (size_t i = 0; i < n; i++)
    character_store(dst + i * (size_t)dst_kind, dst_kind,
        i < have ? character_load(src + i * (size_t)src_kind, src_kind) : ' ');
}

/* ---- elements ---- */

static int is_number(int type)
{
  return type == PST_CAF_INTEGER || type == PST_CAF_REAL || type == PST_CAF_COMPLEX;
}

int pst_caf_is_alike(const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  return dst->type == src->type && dst->kind == src->kind && dst->element == src->element;
}

void pst_caf_convert_check(const char *call, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  const int numbers = is_number(dst->type) && is_number(src->type);
  const int same = dst->type == src->type && (dst->type == PST_CAF_LOGICAL || dst->type == PST_CAF_CHARACTER);
  if (!numbers && !same && !pst_caf_is_alike(dst, src))
    pst_caf_fatal(call, "elements of type %d and kind %d cannot be assigned to those of type %d and kind %d",
        src->type, src->kind, dst->type, dst->kind);
}

static void element_assign(
    char *to, const struct pst_caf_side *dst, const char *from, const struct pst_caf_side *src)
{
  if (dst->type == PST_CAF_CHARACTER) text_assign(to, dst->element, dst->kind, from, src->element, src->kind);
  else {
    const struct value v = number_load(from, src->type, src->kind);
    number_store(to, dst->type, dst->kind, &v);
  }
}

static void line_copy(
    char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride, size_t element, size_t count)
{
  if (to_stride == (ptrdiff_t)element && from_stride == to_stride) memcpy(to, from, count * element);
  else if (element == 8)
    for (; count; count--, to += to_stride, from += from_stride) memcpy(to, from, 8);
  else if (element == 4)
    for (; count; count--, to += to_stride, from += from_stride) memcpy(to, from, 4);
  else
    for (; count; count--, to += to_stride, from += from_stride) memcpy(to, from, element);
}

/* How many elements are assigned along the first dimension of both; 1: there is none, or it has a list. */
static size_t line_count(const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  const struct pst_caf_extent *const d = &dst->dim[0], *const s = &src->dim[0];
  if (dst->rank == 0 || d->list) return 1;
  return src->rank == 0 || (!s->list && s->count == d->count) ? d->count : 1;
}

void pst_caf_assign(const char *call, const struct pst_caf_side *dst, const struct pst_caf_side *src)
{
  struct pst_caf_walk to = {.side = dst}, from = {.side = src};
  const int alike = pst_caf_is_alike(dst, src);
  const size_t line = line_count(dst, src);
  const ptrdiff_t to_stride = dst->rank ? dst->dim[0].stride : 0,
                  from_stride = src->rank ? src->dim[0].stride : 0;
  pst_caf_convert_check(call, dst, src);
  if (src->rank && src->count != dst->count)
    pst_caf_fatal(call, "%zu elements are assigned to %zu", src->count, dst->count);
  for (size_t i = 0; i < dst->count; i += line) {
    char *const at = pst_caf_walk_at(&to);
    const char *const with = pst_caf_walk_at(&from);
    if (alike) line_copy(at, to_stride, with, from_stride, dst->element, line);
    else
      for (ptrdiff_t k = 0; k < (ptrdiff_t)line; k++)
        element_assign(at + k * to_stride, dst, with + k * from_stride, src);
    pst_caf_walk_skip(&to, line);
    pst_caf_walk_skip(&from, line);
  }
}
