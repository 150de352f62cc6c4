/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What reductions and scans combine: elements of a type by an operation, or by a function of the client. */
#ifndef PENSTOCK_X_REDUCTION_H
#define PENSTOCK_X_REDUCTION_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A value, and where it is: whatever number the client gives it, such as a rank or an index. */
typedef struct {
  int32_t value;
  int64_t location;
} gasnetx_int32_at_t;
typedef struct {
  int64_t value;
  int64_t location;
} gasnetx_int64_at_t;
typedef struct {
  float value;
  int64_t location;
} gasnetx_float_at_t;
typedef struct {
  double value;
  int64_t location;
} gasnetx_double_at_t;
typedef struct {
  long double value;
  int64_t location;
} gasnetx_long_double_at_t;

/* Types of elements. A complex number is its real and its imaginary part, in this order. */
typedef enum {
  GASNETX_TYPE_INT8 = 1,
  GASNETX_TYPE_INT16,
  GASNETX_TYPE_INT32,
  GASNETX_TYPE_INT64,
  GASNETX_TYPE_UINT8,
  GASNETX_TYPE_UINT16,
  GASNETX_TYPE_UINT32,
  GASNETX_TYPE_UINT64,
  GASNETX_TYPE_FLOAT,
  GASNETX_TYPE_DOUBLE,
  GASNETX_TYPE_LONG_DOUBLE,
  GASNETX_TYPE_FLOAT_COMPLEX,
  GASNETX_TYPE_DOUBLE_COMPLEX,
  GASNETX_TYPE_LONG_DOUBLE_COMPLEX,
  GASNETX_TYPE_INT32_AT, /* gasnetx_int32_at_t, and so on */
  GASNETX_TYPE_INT64_AT,
  GASNETX_TYPE_FLOAT_AT,
  GASNETX_TYPE_DOUBLE_AT,
  GASNETX_TYPE_LONG_DOUBLE_AT
} gasnetx_type_t;

/* Operations. All of them commute. A result that is not a number is the quiet NaN of <math.h>, whatever NaNs
 * it comes from, so that it has the same bits on all nodes. */
typedef enum {
  /* All types but those with a location. Integers wrap around. A product of complex numbers is C's. */
  GASNETX_OP_SUM = 1,
  GASNETX_OP_PRODUCT,
  /* Integers and real numbers. A NaN loses to every number, and -0 is less than +0. */
  GASNETX_OP_MIN,
  GASNETX_OP_MAX,
  /* Integers, bit by bit. */
  GASNETX_OP_AND,
  GASNETX_OP_OR,
  GASNETX_OP_XOR,
  /* Integers, of which all but 0 are true. The result is 0 or 1. */
  GASNETX_OP_LOGICAL_AND,
  GASNETX_OP_LOGICAL_OR,
  GASNETX_OP_LOGICAL_XOR,
  /* Types with a location: the element with the smallest or largest value. Of equal values, such as -0 and
   * +0, that with the smallest location (FIRST) or the largest (LAST). A NaN loses to every number, and
   * equals every other NaN; the element that wins is not changed. */
  GASNETX_OP_FIRST_MIN,
  GASNETX_OP_FIRST_MAX,
  GASNETX_OP_LAST_MIN,
  GASNETX_OP_LAST_MAX
} gasnetx_op_t;

/* inout[i] = inout[i] OP in[i] for i < count. OP is associative. The arrays do not overlap, and are aligned
 * as the elements of the call are, or to 16. Calls nothing of this library. */
typedef void (*gasnetx_reduce_fn)(void *inout, const void *in, size_t count, void *context);

typedef struct {
  uint32_t type, op;         /* gasnetx_type_t, gasnetx_op_t; not looked at where there is a function */
  size_t size;               /* bytes of an element; may be 0 where there is no function */
  gasnetx_reduce_fn combine; /* NULL: type and op say what is done */
  void *context;             /* of the function */
  int commutes;              /* not 0: x OP y is y OP x. Not looked at where there is no function */
} gasnetx_reduction_t;

#ifdef __cplusplus
}
#endif
#endif
