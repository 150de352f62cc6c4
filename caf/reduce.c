/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/reduce.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;
#if defined(__SIZEOF_FLOAT128__)
typedef __float128 quad;
typedef _Complex float __attribute__((mode(TC))) quad_complex;
#else
typedef long double quad;
typedef long double _Complex quad_complex;
#endif

/* ---- real numbers of 16 bytes ---- */

/* Of an x86 processor gfortran has two kinds of 16 bytes, 10 and 16, and its descriptors do not tell which.
 */
#if defined(__x86_64__)
static int is_quad(const char *call)
{
  const char *const text = gasnet_getenv("CAF_REAL_KIND");
  if (text && strcmp(text, "10") == 0) return 0;
  if (!text || strcmp(text, "16") != 0)
    pst_caf_fatal(call,
        "gfortran does not say whether real numbers of 16 bytes are of kind 10 or 16; set CAF_REAL_KIND to "
        "one of "
        "these");
  return 1;
}
#else
static int is_quad(const char *call) { return (void)call, 1; }
#endif
static const int has_long_double_of_its_own = sizeof(long double) == 16 && __LDBL_MANT_DIG__ == 64;

/* ---- sum, minimum, maximum ---- */

/* gasnetx_type_t; 0: no kernel. */
static int kernel_of(const char *call, int type, size_t element)
{
  const int real = type == PST_CAF_REAL;
  if (type == PST_CAF_INTEGER)
    return element == 1 ? GASNETX_TYPE_INT8
        : element == 2  ? GASNETX_TYPE_INT16
        : element == 4  ? GASNETX_TYPE_INT32
        : element == 8  ? GASNETX_TYPE_INT64
                        : 0;
  if (!real) element /= 2;
  if (element == 4) return real ? GASNETX_TYPE_FLOAT : GASNETX_TYPE_FLOAT_COMPLEX;
  if (element == 8) return real ? GASNETX_TYPE_DOUBLE : GASNETX_TYPE_DOUBLE_COMPLEX;
  if (has_long_double_of_its_own && is_quad(call)) return 0;
  return real ? GASNETX_TYPE_LONG_DOUBLE : GASNETX_TYPE_LONG_DOUBLE_COMPLEX;
}

#define COMBINE(name, T, expression) \
  static void combine_##name(void *inout, const void *in, size_t count, void *context) \
  { \
    T *const x = inout; \
    const T *const y = in; \
    (void)context; \
    for (size_t i = 0; i < count; i++) x[i] = (expression); \
  }
#define COMBINES(name, T) \
  COMBINE(name##_sum, T, x[i] + y[i]) \
  COMBINE(name##_min, T, y[i] < x[i] ? y[i] : x[i]) \
  COMBINE(name##_max, T, y[i] > x[i] ? y[i] : x[i])
COMBINES(wide, wide)
COMBINES(quad, quad)
COMBINE(quad_complex_sum, quad_complex, x[i] + y[i])

static const gasnetx_reduce_fn wide_combine[] = {combine_wide_sum, combine_wide_min, combine_wide_max},
                               quad_combine[] = {combine_quad_sum, combine_quad_min, combine_quad_max};

/* Characters by their codes: those of kind 4 are words. */
static int text_compare(const struct pst_caf_operands *o, const char *x, const char *y)
{
  if (o->kind == 1) return memcmp(x, y, o->element);
  for (size_t i = 0; i < o->element / 4; i++) {
    uint32_t a, b;
    memcpy(&a, x + 4 * i, 4);
    memcpy(&b, y + 4 * i, 4);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

static void combine_text(void *inout, const void *in, size_t count, void *context)
{
  const struct pst_caf_operands *const o = context;
  for (size_t i = 0; i < count; i++) {
    char *const x = (char *)inout + i * o->element;
    const char *const y = (const char *)in + i * o->element;
    const int order = text_compare(o, y, x);
    if (o->op == PST_CAF_MIN ? order < 0 : order > 0) memcpy(x, y, o->element);
  }
}

void pst_caf_reduction_make(const char *call, gasnetx_reduction_t *reduction,
    struct pst_caf_operands *operands, const gfc_descriptor_t *a, enum pst_caf_operation op, int length)
{
  static const gasnetx_op_t ops[] = {GASNETX_OP_SUM, GASNETX_OP_MIN, GASNETX_OP_MAX};
  const int type = a->type;
  const int number = type == PST_CAF_INTEGER || type == PST_CAF_REAL ||
      (type == PST_CAF_COMPLEX && op == PST_CAF_SUM);
  const int text = type == PST_CAF_CHARACTER && op != PST_CAF_SUM;
  if (!number && !text) pst_caf_fatal(call, "of elements of type %d, for which it is not defined", type);
  *operands = (struct pst_caf_operands){
      op, a->element, text && length ? (int)(a->element / (size_t)length) : 0};
  *reduction = (gasnetx_reduction_t){.op = ops[op], .size = a->element, .context = operands, .commutes = 1};
  if (text) reduction->combine = combine_text;
  else if (!(reduction->type = (uint32_t)kernel_of(call, type, a->element)))
    reduction->combine = type == PST_CAF_INTEGER ? wide_combine[op]
        : type == PST_CAF_REAL                   ? quad_combine[op]
                                                 : combine_quad_complex_sum;
}

/* ---- functions of the program ---- */

enum { BY_REFERENCE = 1, BY_VALUE = 4 };

/* T f(T *x, T *y), and T f(T x, T y). */
#define FUNCTIONS(name, T) \
  static void refer_##name(void *inout, const void *in, size_t count, void *context) \
  { \
    T (*const f)(T *, T *) = (T(*)(T *, T *))(void (*)(void))((struct pst_caf_function *)context)->code; \
    for (size_t i = 0; i < count; i++) { \
      T x = ((T *)inout)[i], y = ((const T *)in)[i]; \
      ((T *)inout)[i] = f(&x, &y); \
    } \
  } \
  static void value_##name(void *inout, const void *in, size_t count, void *context) \
  { \
    T (*const f)(T, T) = (T(*)(T, T))(void (*)(void))((struct pst_caf_function *)context)->code; \
    for (size_t i = 0; i < count; i++) ((T *)inout)[i] = f(((T *)inout)[i], ((const T *)in)[i]); \
  }
FUNCTIONS(int8, int8_t)
FUNCTIONS(int16, int16_t)
FUNCTIONS(int32, int32_t)
FUNCTIONS(int64, int64_t)
FUNCTIONS(wide, wide)
FUNCTIONS(float, float)
FUNCTIONS(double, double)
FUNCTIONS(extended, long double)
FUNCTIONS(quad, quad)
FUNCTIONS(float_complex, float _Complex)
FUNCTIONS(double_complex, double _Complex)
FUNCTIONS(extended_complex, long double _Complex)
FUNCTIONS(quad_complex, quad_complex)

static gasnetx_reduce_fn integer_function(size_t element, int value)
{
  switch (element) {
  case 1: return value ? value_int8 : refer_int8;
  case 2: return value ? value_int16 : refer_int16;
  case 4: return value ? value_int32 : refer_int32;
  case 8: return value ? value_int64 : refer_int64;
  case 16: return value ? value_wide : refer_wide;
  default: return NULL;
  }
}

static gasnetx_reduce_fn real_function(size_t element, int value)
{
  switch (element) {
  case 4: return value ? value_float : refer_float;
  case 8: return value ? value_double : refer_double;
  case 16:
    if (has_long_double_of_its_own && !is_quad("co_reduce")) return value ? value_extended : refer_extended;
    return value ? value_quad : refer_quad;
  default: return NULL;
  }
}

static gasnetx_reduce_fn complex_function(size_t element, int value)
{
  switch (element) {
  case 8: return value ? value_float_complex : refer_float_complex;
  case 16: return value ? value_double_complex : refer_double_complex;
  case 32:
    if (has_long_double_of_its_own && !is_quad("co_reduce"))
      return value ? value_extended_complex : refer_extended_complex;
    return value ? value_quad_complex : refer_quad_complex;
  default: return NULL;
  }
}

/* A result that does not fit into registers, and characters with their hidden lengths. */
static void refer_object(void *inout, const void *in, size_t count, void *context)
{
  const struct pst_caf_function *const f = context;
  void (*const code)(void *, const void *, const void *) = (void (*)(void *, const void *, const void *))(
      void (*)(void))f->code;
  void (*const text)(void *, size_t, const void *, const void *, size_t,
      size_t) = (void (*)(void *, size_t, const void *, const void *, size_t, size_t))(void (*)(void))f->code;
  char *const result = pst_caf_own_take(f->element);
  for (size_t i = 0; i < count; i++) {
    char *const x = (char *)inout + i * f->element;
    const char *const y = (const char *)in + i * f->element;
    if (f->length) text(result, f->length, x, y, f->length, f->length);
    else code(result, x, y);
    memcpy(x, result, f->element);
  }
  free(result);
}

/* gfortran says nothing of objects, which are returned as C's structures are: larger ones in memory, to which
 * x86-64 passes a hidden first argument. In which registers small ones come depends on their components. */
static int is_returned_in_memory(const gfc_descriptor_t *a)
{
#ifdef __x86_64__
  return a->type == PST_CAF_DERIVED && a->element > 16;
#else
  (void)a;
  return 0;
#endif
}

void pst_caf_function_make(gasnetx_reduction_t *reduction, struct pst_caf_function *f,
    const gfc_descriptor_t *a, void *(*code)(void *, void *), int flags, int length)
{
  const int value = flags & BY_VALUE;
  gasnetx_reduce_fn combine = NULL;
  *f = (struct pst_caf_function){code, a->element, length > 0 ? (size_t)length : 0};
  if ((flags & BY_REFERENCE) || (!value && is_returned_in_memory(a))) combine = refer_object;
  else if (a->type == PST_CAF_INTEGER || a->type == PST_CAF_LOGICAL)
    combine = integer_function(a->element, value);
  else if (a->type == PST_CAF_REAL) combine = real_function(a->element, value);
  else if (a->type == PST_CAF_COMPLEX) combine = complex_function(a->element, value);
  if (!combine && a->type == PST_CAF_DERIVED)
    pst_caf_fatal("co_reduce",
        "gfortran does not say in which registers functions return objects of %zu bytes; x86-64 returns "
        "those of "
        "more than 16 bytes in memory",
        a->element);
  if (!combine)
    pst_caf_fatal(
        "co_reduce", "a function of elements of type %d and %zu bytes cannot be called", a->type, a->element);
  *reduction = (gasnetx_reduction_t){.size = a->element, .combine = combine, .context = f, .commutes = 1};
}
