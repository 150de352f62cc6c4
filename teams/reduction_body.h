/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The kernels of reductions, as loops that compilers vectorise. A file that includes this one defines TARGET,
 * the functions' attributes, and SET, the name of the table.
 *
 * The bits of a result may depend neither on the compiler nor on whether an element is in a vector or is left
 * over at the end of the loop. So the makefile forbids to contract a product and a sum to one instruction,
 * and each NaN is replaced by one and the same: which operand's NaN an instruction yields depends on their
 * order, which compilers change. */
#include <math.h>
#include <string.h>

#include "teams/reduction_set.h"

#define LOOP(name, type, result) \
  TARGET static void name(void *inout, const void *in, size_t count, void *context) \
  { \
    type *restrict x = inout; \
    const type *restrict y = in; \
    for (size_t i = 0; i < count; i++) { \
      const type a = x[i], b = y[i]; \
      x[i] = (type)(result); \
    } \
    (void)context; \
  }

/* ---- integers ---- */

/* Signed and unsigned ones have the same sums and products, computed unsigned. 1u: two factors of 16 bits
 * would be promoted to int, and overflow. */
#define INTEGERS(bits) \
  LOOP(sum##bits, uint##bits##_t, a + b) \
  LOOP(product##bits, uint##bits##_t, 1u * a * b) \
  LOOP(bit_and##bits, uint##bits##_t, (a & b)) \
  LOOP(bit_or##bits, uint##bits##_t, (a | b)) \
  LOOP(bit_xor##bits, uint##bits##_t, (a ^ b)) \
  LOOP(logical_and##bits, uint##bits##_t, (a != 0) & (b != 0)) \
  LOOP(logical_or##bits, uint##bits##_t, (a | b) != 0) \
  LOOP(logical_xor##bits, uint##bits##_t, (a != 0) ^ (b != 0)) \
  LOOP(min_int##bits, int##bits##_t, b < a ? b : a) \
  LOOP(max_int##bits, int##bits##_t, b > a ? b : a) \
  LOOP(min_uint##bits, uint##bits##_t, b < a ? b : a) \
  LOOP(max_uint##bits, uint##bits##_t, b > a ? b : a)
INTEGERS(8)
INTEGERS(16)
INTEGERS(32)
INTEGERS(64)

/* ---- real numbers ---- */

#define SAME_NAN(r) (isnan(r) ? NAN : (r))

/* `better` is < or >. `joined` is what equal numbers leave, which matters for -0 and +0 alone: `or` of their
 * bits is -0, `and` is +0. Its other operand must change nothing where a and b differ; that is a mask, since
 * gcc makes four instructions of a second choice by the same comparison. Where one of them is a NaN the
 * result is a. Only then, and seldom, a second loop takes b in place of a NaN. */
#define REDUCE_ORDER(name, type, uint, better, joined) \
  TARGET static void name(void *inout, const void *in, size_t count, void *context) \
  { \
    type *restrict x = inout; \
    const type *restrict y = in; \
    uint nans = 0; \
    for (size_t i = 0; i < count; i++) { \
      const type a = x[i], b = y[i]; \
      union { \
        type number; \
        uint bits; \
      } r = {b better a ? b : a}, other = {b}; \
      r.bits = r.bits joined; \
      x[i] = r.number; \
      nans |= -(uint)(a != a); \
    } \
    for (size_t i = 0; nans && i < count; i++) x[i] = isnan(x[i]) ? SAME_NAN(y[i]) : x[i]; \
    (void)context; \
  }
REDUCE_ORDER(float_min, float, uint32_t, <, | (other.bits & -(uint32_t)(a == b)))
REDUCE_ORDER(float_max, float, uint32_t, >, &(other.bits | -(uint32_t)(a != b)))
REDUCE_ORDER(double_min, double, uint64_t, <, | (other.bits & -(uint64_t)(a == b)))
REDUCE_ORDER(double_max, double, uint64_t, >, &(other.bits | -(uint64_t)(a != b)))

/* No integer is as wide, and no vector has these. */
static long double long_double_lesser(long double a, long double b)
{
  if (a < b || b < a) return a < b ? a : b;
  return isnan(b) || (a == b && signbit(a)) ? a : b;
}
static long double long_double_greater(long double a, long double b)
{
  if (a > b || b > a) return a > b ? a : b;
  return isnan(b) || (a == b && signbit(b)) ? a : b;
}
LOOP(long_double_min, long double, SAME_NAN(long_double_lesser(a, b)))
LOOP(long_double_max, long double, SAME_NAN(long_double_greater(a, b)))

#define REDUCE_REAL(name, type) \
  LOOP(name##_sum, type, SAME_NAN((a + b))) \
  LOOP(name##_product, type, SAME_NAN((a * b)))
REDUCE_REAL(float, float)
REDUCE_REAL(double, double)
REDUCE_REAL(long_double, long double)

/* ---- complex numbers ---- */

enum { AT_ONCE = 64 };

#define ONE_IF_INFINITE(v, copysign) copysign(isinf(v) ? 1 : 0, v)
#define ZERO_IF_NAN(v, copysign)     (isnan(v) ? copysign(0, v) : (v))

/* A product by the plain formula is C's, unless both parts are NaN: C's may then be infinite (recover, as in
 * annex G of C11). volatile: no product and sum become one instruction. */
#define REDUCE_COMPLEX(name, type, copysign) \
  TARGET static void name##_complex_sum(void *inout, const void *in, size_t count, void *context) \
  { \
    name##_sum(inout, in, 2 * count, context); \
  } \
\
  static void name##_recover(type *to, const type *x, const type *y) \
  { \
    volatile type a = x[0], b = x[1], c = y[0], d = y[1], ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
    const int x_infinite = isinf(a) || isinf(b), y_infinite = isinf(c) || isinf(d); \
    if (!x_infinite && !y_infinite && !isinf(ac) && !isinf(bd) && !isinf(ad) && !isinf(bc)) return; \
    if (x_infinite) a = ONE_IF_INFINITE(a, copysign), b = ONE_IF_INFINITE(b, copysign); \
    if (y_infinite) c = ONE_IF_INFINITE(c, copysign), d = ONE_IF_INFINITE(d, copysign); \
    a = ZERO_IF_NAN(a, copysign), b = ZERO_IF_NAN(b, copysign); \
    c = ZERO_IF_NAN(c, copysign), d = ZERO_IF_NAN(d, copysign); \
    ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
    to[0] = SAME_NAN((type)INFINITY * (ac - bd)); \
    to[1] = SAME_NAN((type)INFINITY * (ad + bc)); \
  } \
\
  /* to = x * y, of n <= AT_ONCE elements. Returns whether one has two NaNs. */ \
  TARGET static int name##_multiply( \
      type *restrict to, const type *restrict x, const type *restrict y, size_t n) \
  { \
    int two_nans = 0; \
    for (size_t i = 0; i < 2 * n; i += 2) { \
      const type re = x[i] * y[i] - x[i + 1] * y[i + 1], im = x[i] * y[i + 1] + x[i + 1] * y[i]; \
      two_nans |= isnan(re) & isnan(im); \
      to[i] = SAME_NAN(re); \
      to[i + 1] = SAME_NAN(im); \
    } \
    return two_nans; \
  } \
\
  TARGET static void name##_complex_product(void *inout, const void *in, size_t count, void *context) \
  { \
    type *x = inout, part[2 * AT_ONCE]; \
    const type *y = in; \
    for (size_t n; count > 0; count -= n, x += 2 * n, y += 2 * n) { \
      n = count < AT_ONCE ? count : AT_ONCE; \
      if (name##_multiply(part, x, y, n)) \
        for (size_t i = 0; i < 2 * n; i += 2) \
          if (isnan(part[i]) && isnan(part[i + 1])) name##_recover(part + i, x + i, y + i); \
      memcpy(x, part, n * 2 * sizeof *x); \
    } \
    (void)context; \
  }
REDUCE_COMPLEX(float, float, copysignf)
REDUCE_COMPLEX(double, double, copysign)
REDUCE_COMPLEX(long_double, long double, copysignl)

/* ---- values with a location ---- */

#define REAL_NAN(v)    isnan(v)
#define INTEGER_NAN(v) 0

#define LOCATED(name, type, IS_NAN, better, before) \
  TARGET static void name(void *inout, const void *in, size_t count, void *context) \
  { \
    type *restrict x = inout; \
    const type *restrict y = in; \
    for (size_t i = 0; i < count; i++) { \
      const int a_nan = IS_NAN(x[i].value), b_nan = IS_NAN(y[i].value); \
      const int equal = (x[i].value == y[i].value) | (a_nan & b_nan); \
      const int wins = (y[i].value better x[i].value) | (a_nan & !b_nan); \
      if (wins | (equal & (y[i].location before x[i].location))) x[i] = y[i]; \
    } \
    (void)context; \
  }
#define PLACE(name, IS_NAN) \
  LOCATED(name##_first_min, gasnetx_##name##_t, IS_NAN, <, <) \
  LOCATED(name##_first_max, gasnetx_##name##_t, IS_NAN, >, <) \
  LOCATED(name##_last_min, gasnetx_##name##_t, IS_NAN, <, >) \
  LOCATED(name##_last_max, gasnetx_##name##_t, IS_NAN, >, >)
PLACE(int32_at, INTEGER_NAN)
PLACE(int64_at, INTEGER_NAN)
PLACE(float_at, REAL_NAN)
PLACE(double_at, REAL_NAN)
PLACE(long_double_at, REAL_NAN)

/* ---- the table ---- */

#define INTEGER_ROW(bits, type) \
  { \
    [GASNETX_OP_SUM] = sum##bits, [GASNETX_OP_PRODUCT] = product##bits, [GASNETX_OP_MIN] = min_##type##bits, \
    [GASNETX_OP_MAX] = max_##type##bits, [GASNETX_OP_AND] = bit_and##bits, [GASNETX_OP_OR] = bit_or##bits, \
    [GASNETX_OP_XOR] = bit_xor##bits, [GASNETX_OP_LOGICAL_AND] = logical_and##bits, \
    [GASNETX_OP_LOGICAL_OR] = logical_or##bits, [GASNETX_OP_LOGICAL_XOR] = logical_xor##bits \
  }
#define REAL_ROW(name) \
  { \
    [GASNETX_OP_SUM] = name##_sum, [GASNETX_OP_PRODUCT] = name##_product, [GASNETX_OP_MIN] = name##_min, \
    [GASNETX_OP_MAX] = name##_max \
  }
#define COMPLEX_ROW(name) \
  { \
    [GASNETX_OP_SUM] = name##_complex_sum, [GASNETX_OP_PRODUCT] = name##_complex_product \
  }
#define LOCATED_ROW(name) \
  { \
    [GASNETX_OP_FIRST_MIN] = name##_first_min, [GASNETX_OP_FIRST_MAX] = name##_first_max, \
    [GASNETX_OP_LAST_MIN] = name##_last_min, [GASNETX_OP_LAST_MAX] = name##_last_max \
  }

const pst_reduction_set SET = {
    [GASNETX_TYPE_INT8] = INTEGER_ROW(8, int),
    [GASNETX_TYPE_INT16] = INTEGER_ROW(16, int),
    [GASNETX_TYPE_INT32] = INTEGER_ROW(32, int),
    [GASNETX_TYPE_INT64] = INTEGER_ROW(64, int),
    [GASNETX_TYPE_UINT8] = INTEGER_ROW(8, uint),
    [GASNETX_TYPE_UINT16] = INTEGER_ROW(16, uint),
    [GASNETX_TYPE_UINT32] = INTEGER_ROW(32, uint),
    [GASNETX_TYPE_UINT64] = INTEGER_ROW(64, uint),
    [GASNETX_TYPE_FLOAT] = REAL_ROW(float),
    [GASNETX_TYPE_DOUBLE] = REAL_ROW(double),
    [GASNETX_TYPE_LONG_DOUBLE] = REAL_ROW(long_double),
    [GASNETX_TYPE_FLOAT_COMPLEX] = COMPLEX_ROW(float),
    [GASNETX_TYPE_DOUBLE_COMPLEX] = COMPLEX_ROW(double),
    [GASNETX_TYPE_LONG_DOUBLE_COMPLEX] = COMPLEX_ROW(long_double),
    [GASNETX_TYPE_INT32_AT] = LOCATED_ROW(int32_at),
    [GASNETX_TYPE_INT64_AT] = LOCATED_ROW(int64_at),
    [GASNETX_TYPE_FLOAT_AT] = LOCATED_ROW(float_at),
    [GASNETX_TYPE_DOUBLE_AT] = LOCATED_ROW(double_at),
    [GASNETX_TYPE_LONG_DOUBLE_AT] = LOCATED_ROW(long_double_at),
};
