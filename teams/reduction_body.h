/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The kernels of reductions, as loops that compilers vectorise. A file that includes this one defines TARGET,
 * the functions' attributes, and SET, the name of the table.
 *
 * The bits of a result may depend neither on the compiler nor on whether an element is in a vector or is left
 * over at the end of the loop. So the makefile forbids to contract a product and a sum to one instruction,
 * and each NaN is replaced by one and the same: which operand's NaN an instruction yields depends on their
 * order, which compilers change. */
#include <complex.h>
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
/* The sign decides between equal numbers, which are the same but for -0 and +0. Where a is a NaN all
 * comparisons are false, and b is the result. */
#define LESSER(a, b, copysign)  (isnan(b) ? a : a == b ? copysign(1, a) < 0 ? a : b : a < b ? a : b)
#define GREATER(a, b, copysign) (isnan(b) ? a : a == b ? copysign(1, a) < 0 ? b : a : a > b ? a : b)

#define REDUCE_REAL(name, type, copysign) \
  LOOP(name##_sum, type, SAME_NAN((a + b))) \
  LOOP(name##_product, type, SAME_NAN((a * b))) \
  LOOP(name##_min, type, SAME_NAN(LESSER(a, b, copysign))) \
  LOOP(name##_max, type, SAME_NAN(GREATER(a, b, copysign)))
REDUCE_REAL(float, float, copysignf)
REDUCE_REAL(double, double, copysign)
REDUCE_REAL(long_double, long double, copysignl)

/* ---- complex numbers ---- */

enum { BLOCK = 64 };
static size_t block_of(size_t count)
{
  return count < BLOCK
  ? count : BLOCK;
}

/* A product by the plain formula is C's, unless both parts are NaN: C's may then be infinite. Such products
 * are rare, and their blocks are computed again. */
#define REDUCE_COMPLEX(name, type) \
  TARGET static void name##_complex_sum(void *inout, const void *in, size_t count, void *context) \
  { \
    name##_sum(inout, in, 2 * count, context); \
  } \
\
  TARGET static int name##_multiply( \
      type *restrict to, const type *restrict x, const type *restrict y, size_t n) \
  { \
    int again = 0; \
    for (size_t i = 0; i < 2 * n; i += 2) { \
      const type re = x[i] * y[i] - x[i + 1] * y[i + 1], im = x[i] * y[i + 1] + x[i + 1] * y[i]; \
      again |= isnan(re) & isnan(im); \
      to[i] = SAME_NAN(re); \
      to[i + 1] = SAME_NAN(im); \
    } \
    return again; \
  } \
\
  static void name##_multiply_again(type *to, const type _Complex *x, const type _Complex *y, size_t n) \
  { \
    for (size_t i = 0; i < n; i++) { \
      const type _Complex z = x[i] * y[i]; \
      to[2 * i] = SAME_NAN(__real__ z); \
      to[2 * i + 1] = SAME_NAN(__imag__ z); \
    } \
  } \
\
  TARGET static void name##_complex_product(void *inout, const void *in, size_t count, void *context) \
  { \
    type *x = inout, part[2 * BLOCK]; \
    const type *y = in; \
    for (size_t n; count > 0; count -= n, x += 2 * n, y += 2 * n) { \
      n = block_of(count); \
      if (name##_multiply(part, x, y, n)) \
        name##_multiply_again(part, (const type _Complex *)x, (const type _Complex *)y, n); \
      memcpy(x, part, n * 2 * sizeof *x); \
    } \
    (void)context; \
  }
REDUCE_COMPLEX(float, float)
REDUCE_COMPLEX(double, double)
REDUCE_COMPLEX(long_double, long double)

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
