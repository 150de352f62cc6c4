/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations by type. Most of them are kernels of teams. What those lack is here: logical operations of
 * numbers that are not integers, and _Bool, whose sums and products are logical. */
#include "xmp/operation.h"

#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

/* ---- types: X(constant's end, C's type, what teams call it) ---- */

enum { CHAR_AS = CHAR_MIN < 0 ? GASNETX_TYPE_INT8 : GASNETX_TYPE_UINT8 };
enum {
  LONG_AS = sizeof(long) == 8 ? GASNETX_TYPE_INT64 : GASNETX_TYPE_INT32,
  ULONG_AS = sizeof(long) == 8 ? GASNETX_TYPE_UINT64 : GASNETX_TYPE_UINT32
};
#define INTEGERS(X) \
  X(CHAR, char, CHAR_AS) \
  X(SCHAR, signed char, GASNETX_TYPE_INT8) \
  X(UCHAR, unsigned char, GASNETX_TYPE_UINT8) \
  X(SHORT, short, GASNETX_TYPE_INT16) \
  X(USHORT, unsigned short, GASNETX_TYPE_UINT16) \
  X(INT, int, GASNETX_TYPE_INT32) \
  X(UINT, unsigned, GASNETX_TYPE_UINT32) \
  X(LONG, long, LONG_AS) \
  X(ULONG, unsigned long, ULONG_AS) \
  X(LLONG, long long, GASNETX_TYPE_INT64) \
  X(ULLONG, unsigned long long, GASNETX_TYPE_UINT64)
#define REALS(X) \
  X(FLOAT, float, GASNETX_TYPE_FLOAT) \
  X(DOUBLE, double, GASNETX_TYPE_DOUBLE) \
  X(LDOUBLE, long double, GASNETX_TYPE_LONG_DOUBLE)
#define COMPLEXES(X) \
  X(CFLOAT, float _Complex, GASNETX_TYPE_FLOAT_COMPLEX) \
  X(CDOUBLE, double _Complex, GASNETX_TYPE_DOUBLE_COMPLEX) \
  X(CLDOUBLE, long double _Complex, GASNETX_TYPE_LONG_DOUBLE_COMPLEX)
#define TYPES(X) \
  X(BOOL, _Bool, GASNETX_TYPE_UINT8) INTEGERS(X) \
  REALS(X) COMPLEXES(X)

enum { KINDS = PST_XMP_CLDOUBLE + 1, OPERATIONS = PST_XMP_LASTMIN + 1 };

unsigned long pst_xmp_type_size(enum pst_xmp_type type)
{
  switch (type) {
#define CASE_SIZE(T, typ, as) \
  case PST_XMP_##T: return sizeof(typ);
    TYPES(CASE_SIZE)
  default: return 0;
  }
}

const char *pst_xmp_type_name(enum pst_xmp_type type)
{
  switch (type) {
#define CASE_NAME(T, typ, as) \
  case PST_XMP_##T: return #typ;
    TYPES(CASE_NAME)
  default: return "a type that is no number";
  }
}

const char *pst_xmp_operation_name(enum pst_xmp_operation op)
{
  static const char *const name[OPERATIONS] = {
      "+", "*", "&", "|", "^", "&&", "||", "max", "min", "firstmax", "firstmin", "lastmax", "lastmin"};
  return (unsigned)op < OPERATIONS ? name[op] : "?";
}

/* ---- what combines elements ---- */

/* Logical operations of what is no integer: C compares with 0. */
#define DEFINE_LOGICAL(T, type, as) \
  static void logical_and_##T(void *inout, const void *in, size_t count, void *context) \
  { \
    (void)context; \
    for (size_t i = 0; i < count; i++) ((type *)inout)[i] = ((type *)inout)[i] && ((const type *)in)[i]; \
  } \
  static void logical_or_##T(void *inout, const void *in, size_t count, void *context) \
  { \
    (void)context; \
    for (size_t i = 0; i < count; i++) ((type *)inout)[i] = ((type *)inout)[i] || ((const type *)in)[i]; \
  }
REALS(DEFINE_LOGICAL)
COMPLEXES(DEFINE_LOGICAL)

#define BY_KERNEL(as, OP, typ) \
  { \
    .type = as, .op = GASNETX_OP_##OP, .size = sizeof(typ) \
  }
#define BY_FUNCTION(fn, typ) \
  { \
    .size = sizeof(typ), .combine = fn, .commutes = 1 \
  }
#define ROW_ARITHMETIC(as, typ) \
  [PST_XMP_SUM] = BY_KERNEL(as, SUM, typ), [PST_XMP_PRODUCT] = BY_KERNEL(as, PRODUCT, typ)
#define ROW_ORDER(as, typ) \
  [PST_XMP_MAX] = BY_KERNEL(as, MAX, typ), [PST_XMP_MIN] = BY_KERNEL(as, MIN, typ), \
  [PST_XMP_FIRSTMAX] = BY_KERNEL(as, MAX, typ), [PST_XMP_FIRSTMIN] = BY_KERNEL(as, MIN, typ), \
  [PST_XMP_LASTMAX] = BY_KERNEL(as, MAX, typ), [PST_XMP_LASTMIN] = BY_KERNEL(as, MIN, typ)
#define ROW_BITS(as, typ) \
  [PST_XMP_BITAND] = BY_KERNEL(as, AND, typ), [PST_XMP_BITOR] = BY_KERNEL(as, OR, typ), \
  [PST_XMP_BITXOR] = BY_KERNEL(as, XOR, typ), [PST_XMP_LOGAND] = BY_KERNEL(as, LOGICAL_AND, typ), \
  [PST_XMP_LOGOR] = BY_KERNEL(as, LOGICAL_OR, typ)
#define ROW_LOGICAL(T, typ) \
  [PST_XMP_LOGAND] = BY_FUNCTION(logical_and_##T, typ), [PST_XMP_LOGOR] = BY_FUNCTION(logical_or_##T, typ)

#define INTEGER_ROW(T, typ, as) \
  [PST_XMP_##T] = {ROW_ARITHMETIC(as, typ), ROW_ORDER(as, typ), ROW_BITS(as, typ)},
#define REAL_ROW(T, typ, as) \
  [PST_XMP_##T] = {ROW_ARITHMETIC(as, typ), ROW_ORDER(as, typ), ROW_LOGICAL(T, typ)},
#define COMPLEX_ROW(T, typ, as) [PST_XMP_##T] = {ROW_ARITHMETIC(as, typ), ROW_LOGICAL(T, typ)},
#define BOOL_AS(OP)             BY_KERNEL(GASNETX_TYPE_UINT8, OP, _Bool)

static const gasnetx_reduction_t table[KINDS][OPERATIONS] = {
    INTEGERS(INTEGER_ROW) REALS(REAL_ROW) COMPLEXES(COMPLEX_ROW)[PST_XMP_BOOL] = {
        [PST_XMP_SUM] = BOOL_AS(LOGICAL_OR),
        [PST_XMP_PRODUCT] = BOOL_AS(LOGICAL_AND),
        ROW_ORDER(GASNETX_TYPE_UINT8, _Bool),
        ROW_BITS(GASNETX_TYPE_UINT8, _Bool),
    }};

const gasnetx_reduction_t *pst_xmp_operation(enum pst_xmp_operation op, enum pst_xmp_type type)
{
  const gasnetx_reduction_t *r;
  if ((unsigned)op >= OPERATIONS || (unsigned)type >= KINDS) return NULL;
  r = &table[type][op];
  return r->size ? r : NULL;
}

/* ---- neutral values ---- */

/* The least and the greatest value of each type that has MAX and MIN. */
#define LEAST(typ) \
  _Generic((typ)0, _Bool : 0, char \
           : CHAR_MIN, signed char \
           : SCHAR_MIN, unsigned char : 0, short \
           : SHRT_MIN, unsigned short : 0, int \
           : INT_MIN, unsigned : 0, long \
           : LONG_MIN, unsigned long : 0, long long \
           : LLONG_MIN, unsigned long long : 0, float \
           : -INFINITY, double \
           : -INFINITY, long double \
           : -INFINITY)
#define GREATEST(typ) \
  _Generic((typ)0, _Bool : 1, char \
           : CHAR_MAX, signed char \
           : SCHAR_MAX, unsigned char \
           : UCHAR_MAX, short \
           : SHRT_MAX, unsigned short \
           : USHRT_MAX, int \
           : INT_MAX, unsigned \
           : UINT_MAX, long \
           : LONG_MAX, unsigned long \
           : ULONG_MAX, long long \
           : LLONG_MAX, unsigned long long \
           : ULLONG_MAX, float \
           : INFINITY, double \
           : INFINITY, long double \
           : INFINITY)

#define FILL(typ, value) \
  do { \
    for (unsigned long i = 0; i < count; i++) ((typ *)elements)[i] = (typ)(value); \
    return; \
  } while (0)
#define DEFINE_NEUTRAL(T, typ, as) \
  static void neutral_##T(enum pst_xmp_operation op, void *elements, unsigned long count) \
  { \
    switch (op) { \
    case PST_XMP_MAX: \
    case PST_XMP_FIRSTMAX: \
    case PST_XMP_LASTMAX: FILL(typ, LEAST(typ)); \
    case PST_XMP_MIN: \
    case PST_XMP_FIRSTMIN: \
    case PST_XMP_LASTMIN: FILL(typ, GREATEST(typ)); \
    case PST_XMP_BITAND: FILL(typ, -1); \
    case PST_XMP_PRODUCT: \
    case PST_XMP_LOGAND: FILL(typ, 1); \
    default: FILL(typ, 0); \
    } \
  }
#define DEFINE_NEUTRAL_COMPLEX(T, typ, as) \
  static void neutral_##T(enum pst_xmp_operation op, void *elements, unsigned long count) \
  { \
    FILL(typ, op == PST_XMP_PRODUCT || op == PST_XMP_LOGAND); \
  }
DEFINE_NEUTRAL(BOOL, _Bool, 0)
INTEGERS(DEFINE_NEUTRAL)
REALS(DEFINE_NEUTRAL)
COMPLEXES(DEFINE_NEUTRAL_COMPLEX)

int pst_xmp_operation_neutral(
    enum pst_xmp_operation op, enum pst_xmp_type type, void *elements, unsigned long count)
{
  if (!pst_xmp_operation(op, type)) return -1;
  switch (type) {
#define CASE_NEUTRAL(T, typ, as) \
  case PST_XMP_##T: neutral_##T(op, elements, count); return 0;
    TYPES(CASE_NEUTRAL)
  default: return -1;
  }
}

/* ---- two elements ---- */

#define DEFINE_COMPARE(T, typ, as) \
  static int compare_##T(const void *a, const void *b, int low) \
  { \
    const typ x = *(const typ *)a, y = *(const typ *)b; \
    const int x_is_none = x != x, y_is_none = y != y; \
    if (x_is_none || y_is_none) return (x_is_none - y_is_none) * (low ? -1 : 1); \
    return (x > y) - (x < y); \
  }
DEFINE_COMPARE(BOOL, _Bool, 0)
INTEGERS(DEFINE_COMPARE)
REALS(DEFINE_COMPARE)

int pst_xmp_operation_compare(enum pst_xmp_type type, const void *a, const void *b, int low)
{
  switch (type) {
#define CASE_COMPARE(T, typ, as) \
  case PST_XMP_##T: return compare_##T(a, b, low);
    CASE_COMPARE(BOOL, , )
    INTEGERS(CASE_COMPARE)
    REALS(CASE_COMPARE)
  default: return 0;
  }
}

/* Integers are computed without a sign, as kernels do: they wrap around. */
#define EACH(OP, typ, value) \
  case PST_XMP_##OP: \
    for (unsigned long i = 0; i < count; i++) { \
      const typ x = to[i], y = from[i]; \
      to[i] = (typ)(value); \
    } \
    return;
#define CASES_ARITHMETIC(typ, as) EACH(SUM, typ, (as)x + (as)y) EACH(PRODUCT, typ, (as)x *(as)y)
#define CASES_LOGICAL(typ)        EACH(LOGAND, typ, x != 0 && y != 0) EACH(LOGOR, typ, x != 0 || y != 0)
#define CASES_ORDER(T, typ) \
  EACH(MAX, typ, compare_##T(&x, &y, 1) >= 0 ? x : y) EACH(MIN, typ, compare_##T(&x, &y, 0) <= 0 ? x : y)
#define CASES_BITS(typ) EACH(BITAND, typ, x &y) EACH(BITOR, typ, x | y) EACH(BITXOR, typ, x ^ y)
#define APPLY(T, typ, ...) \
  static void apply_##T(enum pst_xmp_operation op, typ *to, const typ *from, unsigned long count) \
  { \
    switch (op) { \
      __VA_ARGS__ \
    default: return; \
    } \
  }
#define APPLY_INTEGER(T, typ, as) \
  APPLY(T, typ, \
      CASES_ARITHMETIC(typ, unsigned long long) CASES_LOGICAL(typ) CASES_ORDER(T, typ) CASES_BITS(typ))
#define APPLY_REAL(T, typ, as) \
  APPLY(T, typ, CASES_ARITHMETIC(typ, typ) CASES_LOGICAL(typ) CASES_ORDER(T, typ))
#define APPLY_COMPLEX(T, typ, as) APPLY(T, typ, CASES_ARITHMETIC(typ, typ) CASES_LOGICAL(typ))
APPLY(BOOL, _Bool,
    EACH(SUM, _Bool, x || y) EACH(PRODUCT, _Bool, x &&y) CASES_LOGICAL(_Bool) CASES_ORDER(BOOL, _Bool)
        CASES_BITS(_Bool))
INTEGERS(APPLY_INTEGER)
REALS(APPLY_REAL)
COMPLEXES(APPLY_COMPLEX)

void pst_xmp_operation_apply(
    enum pst_xmp_operation op, enum pst_xmp_type type, void *to, const void *from, unsigned long count)
{
  switch (type) {
#define CASE_APPLY(T, typ, as) \
  case PST_XMP_##T: apply_##T(op, to, from, count); return;
    TYPES(CASE_APPLY)
  default: return;
  }
}

/* ---- conversion, by the widest type of the same sort: it holds each value of the narrower ones ---- */

#define SIGNED(X) \
  X(SCHAR, signed char, ) \
  X(SHORT, short, ) \
  X(INT, int, ) \
  X(LONG, long, ) \
  X(LLONG, long long, )
#define UNSIGNED(X) \
  X(BOOL, _Bool, ) \
  X(UCHAR, unsigned char, ) \
  X(USHORT, unsigned short, ) \
  X(UINT, unsigned, ) \
  X(ULONG, unsigned long, ) \
  X(ULLONG, unsigned long long, )

struct wide {
  enum { WIDE_SIGNED, WIDE_UNSIGNED, WIDE_REAL, WIDE_COMPLEX } sort;
  long long integer;
  unsigned long long natural;
  long double real;
  long double _Complex complex_;
};

static void wide_load(struct wide *w, enum pst_xmp_type type, const void *from)
{
  switch (type) {
#define CASE_SIGNED(T, typ, as) \
  case PST_XMP_##T: w->sort = WIDE_SIGNED, w->integer = *(const typ *)from; return;
    SIGNED(CASE_SIGNED)
#define CASE_UNSIGNED(T, typ, as) \
  case PST_XMP_##T: w->sort = WIDE_UNSIGNED, w->natural = *(const typ *)from; return;
    UNSIGNED(CASE_UNSIGNED)
  case PST_XMP_CHAR: w->sort = WIDE_SIGNED, w->integer = *(const char *)from; return;
#define CASE_REAL(T, typ, as) \
  case PST_XMP_##T: w->sort = WIDE_REAL, w->real = *(const typ *)from; return;
    REALS(CASE_REAL)
#define CASE_COMPLEX(T, typ, as) \
  case PST_XMP_##T: w->sort = WIDE_COMPLEX, w->complex_ = *(const typ *)from; return;
    COMPLEXES(CASE_COMPLEX)
  default: return;
  }
}

static void wide_store(const struct wide *w, enum pst_xmp_type type, void *to)
{
  switch (type) {
#define CASE_STORE(T, typ, as) \
  case PST_XMP_##T: \
    if (w->sort == WIDE_SIGNED) *(typ *)to = (typ)w->integer; \
    else if (w->sort == WIDE_UNSIGNED) *(typ *)to = (typ)w->natural; \
    else if (w->sort == WIDE_REAL) *(typ *)to = (typ)w->real; \
    else *(typ *)to = (typ)w->complex_; \
    return;
    TYPES(CASE_STORE)
  default: return;
  }
}

void pst_xmp_type_convert(
    enum pst_xmp_type to_type, void *to, enum pst_xmp_type from_type, const void *from, unsigned long count)
{
  const unsigned long to_size = pst_xmp_type_size(to_type), from_size = pst_xmp_type_size(from_type);
  struct wide w = {0};
  for (unsigned long i = 0; i < count; i++) {
    wide_load(&w, from_type, (const char *)from + i * from_size);
    wide_store(&w, to_type, (char *)to + i * to_size);
  }
}
