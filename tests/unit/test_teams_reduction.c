/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* teams/reduction.c: each type with each operation against a model of one element, bit by bit, by each set of
 * kernels that this processor has; functions of the client; what is refused, and with which text. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "teams/reduction.h"
#include "teams/reduction_set.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { MOST = 67, LONG = 1000, GUARD = 64, PLACES = 9, WIDEST = 32 };

/* ---- numbers: random ones, and the model of an operation ---- */

#define INTEGER(name, type) \
  static type name##_random(void) \
  { \
    const uint64_t edges[] = {0, 1, 2, UINT64_MAX, INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX}; \
    const uint64_t edge = edges[below(8)]; \
    return (type)(below(2) ? next() : below(2) ? edge : ~edge); \
  } \
  static type name##_model(uint32_t op, type a, type b) \
  { \
    switch (op) { \
    case GASNETX_OP_SUM: return (type)((uint64_t)a + (uint64_t)b); \
    case GASNETX_OP_PRODUCT: return (type)((uint64_t)a * (uint64_t)b); \
    case GASNETX_OP_MIN: return b < a ? b : a; \
    case GASNETX_OP_MAX: return b > a ? b : a; \
    case GASNETX_OP_AND: return a & b; \
    case GASNETX_OP_OR: return a | b; \
    case GASNETX_OP_XOR: return a ^ b; \
    case GASNETX_OP_LOGICAL_AND: return a && b; \
    case GASNETX_OP_LOGICAL_OR: return a || b; \
    case GASNETX_OP_LOGICAL_XOR: return !a != !b; \
    } \
    CU_FAIL_FATAL("an operation of integers that the model lacks"); \
    return 0; \
  }
INTEGER(int8, int8_t)
INTEGER(int16, int16_t)
INTEGER(int32, int32_t)
INTEGER(int64, int64_t)
INTEGER(uint8, uint8_t)
INTEGER(uint16, uint16_t)
INTEGER(uint32, uint32_t)
INTEGER(uint64, uint64_t)

/* The makefile compiles this file with the kernels' rules for floating-point numbers. */
#define REAL(name, type, LIMIT, suffix) \
  static type name##_random(void) \
  { \
    const type edges[] = {0, 1, INFINITY, NAN, __builtin_nan##suffix("0x12345"), LIMIT##_MAX, LIMIT##_MIN, \
        LIMIT##_TRUE_MIN, 1 + LIMIT##_EPSILON}; \
    const type edge = edges[below(9)]; \
    const int range = LIMIT##_MAX_EXP - LIMIT##_MIN_EXP + 80; \
    switch (below(4)) { \
    case 0: return edge; \
    case 1: return -edge; \
    case 2: return (type)((int)below(5) - 2); \
    } \
    return (type)ldexpl((int64_t)next(), (int)below((size_t)range) - range / 2 - 63); \
  } \
  static type name##_clean(type r) { return isnan(r) ? (type)NAN : r; } \
  static int name##_less(type a, type b) \
  { \
    return a < b || (a == b && signbit(a) && !signbit(b)) || (!isnan(a) && isnan(b)); \
  } \
  static type name##_model(uint32_t op, type a, type b) \
  { \
    switch (op) { \
    case GASNETX_OP_SUM: return name##_clean(a + b); \
    case GASNETX_OP_PRODUCT: return name##_clean(a * b); \
    case GASNETX_OP_MIN: return name##_clean(name##_less(b, a) ? b : a); \
    case GASNETX_OP_MAX: return name##_clean(isnan(a) ? b : isnan(b) || name##_less(b, a) ? a : b); \
    } \
    CU_FAIL_FATAL("an operation of real numbers that the model lacks"); \
    return 0; \
  } \
  static type name##_times(type a, type b) /* rounded by itself */ \
  { \
    volatile type product = a * b; \
    return product; \
  } \
  static void name##_formula(type z[2], type factor, type a, type b, type c, type d) \
  { \
    z[0] = name##_clean(factor * (name##_times(a, c) - name##_times(b, d))); \
    z[1] = name##_clean(factor * (name##_times(a, d) + name##_times(b, c))); \
  } \
  static type name##_or_zero(type v) { return isnan(v) ? (signbit(v) ? -(type)0 : 0) : v; } \
  static type name##_one_or_zero(type v) /* with its sign */ \
  { \
    return isinf(v) ? (v > 0 ? 1 : -1) : (signbit(v) ? -(type)0 : 0); \
  } \
  /* The example in annex G of C11. */ \
  static void name##_complex_product_model(type z[2], type a, type b, type c, type d) \
  { \
    name##_formula(z, 1, a, b, c, d); \
    if (!isnan(z[0]) || !isnan(z[1])) return; \
    int again = isinf(name##_times(a, c)) || isinf(name##_times(b, d)) || isinf(name##_times(a, d)) || \
        isinf(name##_times(b, c)); \
    if (isinf(a) || isinf(b)) { \
      again = 1; \
      a = name##_one_or_zero(a), b = name##_one_or_zero(b), c = name##_or_zero(c), d = name##_or_zero(d); \
    } \
    if (isinf(c) || isinf(d)) { \
      again = 1; \
      a = name##_or_zero(a), b = name##_or_zero(b), c = name##_one_or_zero(c), d = name##_one_or_zero(d); \
    } \
    if (again) \
      name##_formula( \
          z, (type)INFINITY, name##_or_zero(a), name##_or_zero(b), name##_or_zero(c), name##_or_zero(d)); \
  } \
  static void name##_complex_model(uint32_t op, type x[2], const type y[2]) \
  { \
    if (op == GASNETX_OP_PRODUCT) name##_complex_product_model(x, x[0], x[1], y[0], y[1]); \
    else x[0] = name##_clean(x[0] + y[0]), x[1] = name##_clean(x[1] + y[1]); \
  }
REAL(float, float, FLT, f)
REAL(double, double, DBL, )
REAL(long_double, long double, LDBL, l)

#define NUMBER_NAN(v) ((v) != (v))
#define LOCATED(name) \
  static int name##_wins(uint32_t op, gasnetx_##name##_at_t a, gasnetx_##name##_at_t b) \
  { \
    const int most = op == GASNETX_OP_FIRST_MAX || op == GASNETX_OP_LAST_MAX; \
    const int last = op == GASNETX_OP_LAST_MIN || op == GASNETX_OP_LAST_MAX; \
    if (NUMBER_NAN(a.value) != NUMBER_NAN(b.value)) return NUMBER_NAN(a.value); \
    if (a.value < b.value) return most; \
    if (a.value > b.value) return !most; \
    return last ? b.location > a.location : b.location < a.location; \
  }
LOCATED(int32)
LOCATED(int64)
LOCATED(float)
LOCATED(double)
LOCATED(long_double)

/* ---- elements of any type ---- */

#define EACH_INTEGER(X) \
  X(INT8, int8, int8_t) \
  X(INT16, int16, int16_t) \
  X(INT32, int32, int32_t) \
  X(INT64, int64, int64_t) \
  X(UINT8, uint8, uint8_t) \
  X(UINT16, uint16, uint16_t) \
  X(UINT32, uint32, uint32_t) \
  X(UINT64, uint64, uint64_t)
#define EACH_REAL(X) \
  X(FLOAT, float, float) \
  X(DOUBLE, double, double) \
  X(LONG_DOUBLE, long_double, long double)
#define EACH_LOCATED(X) \
  X(INT32_AT, int32, gasnetx_int32_at_t) \
  X(INT64_AT, int64, gasnetx_int64_at_t) \
  X(FLOAT_AT, float, gasnetx_float_at_t) \
  X(DOUBLE_AT, double, gasnetx_double_at_t) \
  X(LONG_DOUBLE_AT, long_double, gasnetx_long_double_at_t)

struct facts {
  size_t size, align;
  size_t parts, part_size; /* the numbers of an element; its location is apart */
  size_t location;         /* its offset, or 0 */
};
#define FACTS(TYPE, type, parts, number, location) \
  [GASNETX_TYPE_##TYPE] = {sizeof(type), _Alignof(type), parts, sizeof(number), location},
#define NUMBER_FACTS(TYPE, name, type)  FACTS(TYPE, type, 1, type, 0)
#define COMPLEX_FACTS(TYPE, name, type) FACTS(TYPE##_COMPLEX, type _Complex, 2, type, 0)
#define LOCATED_FACTS(TYPE, name, type) FACTS(TYPE, type, 1, ((type *)0)->value, offsetof(type, location))
static const struct facts facts[PST_REDUCTION_TYPES] = {
    EACH_INTEGER(NUMBER_FACTS) EACH_REAL(NUMBER_FACTS) EACH_REAL(COMPLEX_FACTS) EACH_LOCATED(LOCATED_FACTS)};

/* Locations are few, so that many are equal. */
static void element_random(uint32_t type, void *at)
{
  switch (type) {
#define CASE_NUMBER(TYPE, name, type) \
  case GASNETX_TYPE_##TYPE: \
    *(type *)at = name##_random(); \
    break;
#define CASE_COMPLEX(TYPE, name, type) \
  case GASNETX_TYPE_##TYPE##_COMPLEX: \
    ((type *)at)[0] = name##_random(); \
    ((type *)at)[1] = name##_random(); \
    break;
#define CASE_LOCATED(TYPE, name, type) \
  case GASNETX_TYPE_##TYPE: \
    ((type *)at)->value = name##_random(); \
    ((type *)at)->location = (int64_t)below(3) - 1; \
    break;
    EACH_INTEGER(CASE_NUMBER)
    EACH_REAL(CASE_NUMBER)
    EACH_REAL(CASE_COMPLEX)
    EACH_LOCATED(CASE_LOCATED)
#undef CASE_NUMBER
#undef CASE_COMPLEX
#undef CASE_LOCATED
  }
}

/* Out of line: gcc 12 takes hours for the loop that calls it when it is part of that loop. */
__attribute__((noinline)) static void element_model(uint32_t type, uint32_t op, void *inout, const void *in)
{
  switch (type) {
#define CASE_NUMBER(TYPE, name, type) \
  case GASNETX_TYPE_##TYPE: \
    *(type *)inout = name##_model(op, *(type *)inout, *(const type *)in); \
    break;
#define CASE_COMPLEX(TYPE, name, type) \
  case GASNETX_TYPE_##TYPE##_COMPLEX: \
    name##_complex_model(op, inout, in); \
    break;
#define CASE_LOCATED(TYPE, name, type) \
  case GASNETX_TYPE_##TYPE: \
    if (name##_wins(op, *(type *)inout, *(const type *)in)) *(type *)inout = *(const type *)in; \
    break;
    EACH_INTEGER(CASE_NUMBER)
    EACH_REAL(CASE_NUMBER)
    EACH_REAL(CASE_COMPLEX)
    EACH_LOCATED(CASE_LOCATED)
  }
}

/* Bytes that belong to no value may differ: 6 of the 16 of a long double of x86. */
static size_t bytes_that_count(size_t part_size)
{
  return part_size == sizeof(long double) && LDBL_MANT_DIG == 64 ? 10 : part_size;
}

static int element_same(uint32_t type, const char *a, const char *b)
{
  const struct facts *f = &facts[type];
  for (size_t p = 0; p < f->parts; p++)
    if (memcmp(a + p * f->part_size, b + p * f->part_size, bytes_that_count(f->part_size)) != 0) return 0;
  return !f->location || memcmp(a + f->location, b + f->location, sizeof(int64_t)) == 0;
}

/* ---- comparing ---- */

static char *inout_room, *in_room, *model_room;

static int guards_are(const char *array, size_t bytes, int byte)
{
  for (size_t i = 1; i <= GUARD; i++)
    if (array[-(ptrdiff_t)i] != (char)byte || array[bytes + i - 1] != (char)byte) return 0;
  return 1;
}

static int kernel_agrees(
    gasnetx_reduce_fn kernel, uint32_t type, uint32_t op, size_t count, size_t x, size_t y)
{
  const struct facts *f = &facts[type];
  const size_t bytes = count * f->size;
  char *inout = inout_room + GUARD + x * f->align, *in = in_room + GUARD + y * f->align, *model = model_room;
  memset(inout - GUARD, 0x5a, bytes + 2 * GUARD);
  memset(in - GUARD, 0x3c, bytes + 2 * GUARD);
  for (size_t i = 0; i < count; i++) {
    element_random(type, inout + i * f->size);
    element_random(type, in + i * f->size);
    if (below(4) == 0) memcpy(in + i * f->size, inout + i * f->size, f->size);
  }
  memcpy(model, inout, bytes);
  memcpy(model + bytes, in, bytes);
  for (size_t i = 0; i < count; i++) element_model(type, op, model + i * f->size, in + i * f->size);

  kernel(inout, in, count, NULL);
  for (size_t i = 0; i < count; i++)
    if (!element_same(type, inout + i * f->size, model + i * f->size)) {
      printf("\n  type %u operation %u: element %zu of %zu\n", type, op, i, count);
      return 0;
    }
  return memcmp(in, model + bytes, bytes) == 0 && guards_are(inout, bytes, 0x5a) &&
      guards_are(in, bytes, 0x3c);
}

/* Returns how many pairs of a type and an operation the set has. */
static unsigned set_compare(const pst_reduction_set set)
{
  unsigned pairs = 0;
  for (uint32_t type = 0; type < PST_REDUCTION_TYPES; type++)
    for (uint32_t op = 0; op < PST_REDUCTION_OPS; op++) {
      gasnetx_reduce_fn kernel = set[type][op];
      if (!kernel) continue;
      pairs++;
      int good = kernel_agrees(kernel, type, op, LONG, below(PLACES), below(PLACES));
      for (size_t count = 0; good && count <= MOST; count++)
        for (size_t x = 0; good && x < PLACES; x++)
          good = kernel_agrees(kernel, type, op, count, x, below(PLACES));
      CU_ASSERT(good);
    }
  return pairs;
}

/* 8 types of integers with 10 operations, 3 of real numbers with 4, 3 of complex ones with 2, 5 with a
 * location with 4. */
enum { PAIRS = 8 * 10 + 3 * 4 + 3 * 2 + 5 * 4 };

static void test_portable(void) { CU_ASSERT_EQUAL(set_compare(pst_reduction_portable), PAIRS); }

static void test_avx2(void)
{
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) {
    puts("this processor has no AVX2");
    return;
  }
  CU_ASSERT_EQUAL(set_compare(pst_reduction_avx2), PAIRS);
#endif
}

/* ---- values that the manual states ---- */

static struct pst_reduction built_in(uint32_t type, uint32_t op)
{
  const gasnetx_reduction_t r = {.type = type, .op = op};
  struct pst_reduction out = {0};
  CU_ASSERT_PTR_NULL_FATAL(pst_reduction_resolve(&r, &out));
  CU_ASSERT_PTR_NOT_NULL_FATAL(out.combine);
  return out;
}

static double double_of(uint32_t op, double a, double b)
{
  built_in(GASNETX_TYPE_DOUBLE, op).combine(&a, &b, 1, NULL);
  return a;
}

static void test_special_reals(void)
{
  static const uint32_t both[] = {GASNETX_OP_MIN, GASNETX_OP_MAX};
  for (unsigned i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(double_of(both[i], NAN, 3), 3);
    CU_ASSERT_EQUAL(double_of(both[i], 3, -NAN), 3);
    CU_ASSERT(isnan(double_of(both[i], NAN, -NAN)) && !signbit(double_of(both[i], -NAN, -NAN)));
  }
  CU_ASSERT(signbit(double_of(GASNETX_OP_MIN, 0.0, -0.0)) && signbit(double_of(GASNETX_OP_MIN, -0.0, 0.0)));
  CU_ASSERT(!signbit(double_of(GASNETX_OP_MAX, 0.0, -0.0)) && !signbit(double_of(GASNETX_OP_MAX, -0.0, 0.0)));
  CU_ASSERT_EQUAL(double_of(GASNETX_OP_SUM, DBL_MAX, DBL_MAX), INFINITY);
  const double no_number = double_of(GASNETX_OP_SUM, -INFINITY, INFINITY), quiet = NAN;
  CU_ASSERT(memcmp(&no_number, &quiet, sizeof quiet) == 0);
}

static void test_special_complex(void)
{
  double z[] = {INFINITY, 0, 3, 4}, y[] = {1, 1, 5, -6};
  built_in(GASNETX_TYPE_DOUBLE_COMPLEX, GASNETX_OP_PRODUCT).combine(z, y, 2, NULL);
  CU_ASSERT(isinf(z[0]) && isinf(z[1]));
  CU_ASSERT(z[2] == 39 && z[3] == 2);
}

/* The real part is x * x - x * x. It is 0, unless one of the products is not rounded before the difference.
 */
static void product_is_rounded(gasnetx_reduce_fn product)
{
  enum { SQUARES = 19 };
  double x[2 * SQUARES], y[2 * SQUARES];
  for (int i = 0; i < 2 * SQUARES; i++) x[i] = y[i] = 1 + DBL_EPSILON;
  product(x, y, SQUARES, NULL);
  for (int i = 0; i < SQUARES; i++) CU_ASSERT(x[2 * i] == 0 && x[2 * i + 1] == 2 + 4 * DBL_EPSILON);
}

static void test_rounded_products(void)
{
  product_is_rounded(pst_reduction_portable[GASNETX_TYPE_DOUBLE_COMPLEX][GASNETX_OP_PRODUCT]);
  product_is_rounded(built_in(GASNETX_TYPE_DOUBLE_COMPLEX, GASNETX_OP_PRODUCT).combine);
}

static void test_special_integers(void)
{
  int32_t a[] = {INT32_MAX, INT32_MIN, 7}, b[] = {1, -1, -6};
  built_in(GASNETX_TYPE_INT32, GASNETX_OP_SUM).combine(a, b, 3, NULL);
  CU_ASSERT(a[0] == INT32_MIN && a[1] == INT32_MAX && a[2] == 1);
  uint16_t c = 65535, d = 65535;
  built_in(GASNETX_TYPE_UINT16, GASNETX_OP_PRODUCT).combine(&c, &d, 1, NULL);
  CU_ASSERT_EQUAL(c, 1);
}

static int64_t place_of(uint32_t op, double a, int64_t a_at, double b, int64_t b_at)
{
  gasnetx_double_at_t x = {a, a_at}, y = {b, b_at};
  built_in(GASNETX_TYPE_DOUBLE_AT, op).combine(&x, &y, 1, NULL);
  return x.location;
}

static void test_special_locations(void)
{
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_FIRST_MIN, 2, 9, 2, 4), 4);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_LAST_MIN, 2, 9, 2, 4), 9);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_FIRST_MAX, 0.0, 9, -0.0, 4), 4);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_LAST_MAX, -0.0, 4, 0.0, 9), 9);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_FIRST_MIN, 1, 9, 2, 4), 9);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_LAST_MAX, 1, 9, 2, 4), 4);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_FIRST_MAX, NAN, 1, -INFINITY, 5), 5);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_LAST_MIN, INFINITY, 1, NAN, 5), 1);
  CU_ASSERT_EQUAL(place_of(GASNETX_OP_LAST_MIN, NAN, 1, NAN, 5), 5);
}

/* ---- what is resolved ---- */

struct triple {
  char byte[3];
};

/* x OP y keeps the context's number of bytes of x. */
static void keep_some(void *inout, const void *in, size_t count, void *context)
{
  struct triple *x = inout;
  const struct triple *y = in;
  const int *kept = context;
  for (size_t i = 0; i < count; i++)
    for (int k = *kept; k < 3; k++) x[i].byte[k] = y[i].byte[k];
}

static void test_function(void)
{
  int kept = 1;
  const gasnetx_reduction_t r = {.combine = keep_some, .context = &kept, .size = sizeof(struct triple)};
  gasnetx_reduction_t other = r;
  struct pst_reduction out, out2;
  CU_ASSERT_PTR_NULL_FATAL(pst_reduction_resolve(&r, &out));
  CU_ASSERT(out.size == 3 && !out.commutes && out.context == &kept && out.combine == keep_some);
  struct triple x[] = {{"abc"}, {"def"}}, y[] = {{"123"}, {"456"}};
  out.combine(x, y, 2, out.context);
  CU_ASSERT(memcmp(x, "a23d56", 6) == 0);

  other.size = 4, other.commutes = 7;
  CU_ASSERT_PTR_NULL_FATAL(pst_reduction_resolve(&other, &out2));
  CU_ASSERT(out2.commutes && out2.code != out.code);
  other.size = 3, other.context = NULL;
  CU_ASSERT_PTR_NULL_FATAL(pst_reduction_resolve(&other, &out2));
  CU_ASSERT_EQUAL(out2.code, out.code);
}

static void test_built_in(void)
{
  static uint32_t seen[PAIRS];
  unsigned pairs = 0;
  char text[80];
  for (uint32_t type = 1; type < PST_REDUCTION_TYPES; type++)
    for (uint32_t op = 1; op < PST_REDUCTION_OPS; op++) {
      if (!pst_reduction_portable[type][op]) continue;
      const gasnetx_reduction_t r = {.type = type, .op = op, .size = facts[type].size};
      const struct pst_reduction p = built_in(type, op);
      struct pst_reduction sized;
      CU_ASSERT(p.size == facts[type].size && p.commutes == 1 && p.context == NULL);
      CU_ASSERT(pst_reduction_resolve(&r, &sized) == NULL && sized.code == p.code);
      for (unsigned i = 0; i < pairs; i++) CU_ASSERT_NOT_EQUAL(seen[i], p.code);
      seen[pairs++] = p.code;
      pst_reduction_describe(p.code, text, sizeof text);
      CU_ASSERT_PTR_NOT_NULL(strstr(text, " of GASNETX_TYPE_"));
    }
  CU_ASSERT_EQUAL(pairs, PAIRS);
}

static void describes(uint32_t code, const char *expected)
{
  char text[80];
  pst_reduction_describe(code, text, sizeof text);
  CU_ASSERT_STRING_EQUAL(text, expected);
}

static void test_described(void)
{
  const gasnetx_reduction_t r = {.combine = keep_some, .size = 24};
  struct pst_reduction out;
  CU_ASSERT_PTR_NULL_FATAL(pst_reduction_resolve(&r, &out));
  describes(out.code, "a function on elements of 24 bytes");
  describes(built_in(GASNETX_TYPE_DOUBLE, GASNETX_OP_SUM).code, "GASNETX_OP_SUM of GASNETX_TYPE_DOUBLE");
  describes(built_in(GASNETX_TYPE_INT8, GASNETX_OP_LOGICAL_XOR).code,
      "GASNETX_OP_LOGICAL_XOR of GASNETX_TYPE_INT8");
  describes(built_in(GASNETX_TYPE_LONG_DOUBLE_AT, GASNETX_OP_LAST_MAX).code,
      "GASNETX_OP_LAST_MAX of GASNETX_TYPE_LONG_DOUBLE_AT");
  describes(0, "code 0");
  for (uint32_t code = 0; code < 512; code++) {
    char text[80] = "";
    pst_reduction_describe(code, text, sizeof text);
    CU_ASSERT(text[0] != 0 && !strstr(text, "(null)"));
  }
}

static void refused(gasnetx_reduction_t r, const char *expected)
{
  struct pst_reduction out = {.code = 12345};
  const char *text = pst_reduction_resolve(&r, &out);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_STRING_EQUAL(text, expected);
  CU_ASSERT_EQUAL(out.code, 12345);
}

#define BUILT_IN(t, o, bytes) \
  (gasnetx_reduction_t) { .type = GASNETX_TYPE_##t, .op = GASNETX_OP_##o, .size = bytes }

static void test_refused(void)
{
  refused((gasnetx_reduction_t){.combine = keep_some}, "the elements of its function have 0 bytes");
  refused((gasnetx_reduction_t){.op = GASNETX_OP_SUM}, "there is no type 0");
  refused((gasnetx_reduction_t){.type = 20, .op = GASNETX_OP_SUM}, "there is no type 20");
  refused((gasnetx_reduction_t){.type = UINT32_MAX}, "there is no type 4294967295");
  refused((gasnetx_reduction_t){.type = GASNETX_TYPE_FLOAT}, "there is no operation 0");
  refused((gasnetx_reduction_t){.type = GASNETX_TYPE_FLOAT, .op = 15}, "there is no operation 15");
  refused(BUILT_IN(FLOAT, XOR, 0), "elements of GASNETX_TYPE_FLOAT have no GASNETX_OP_XOR");
  refused(BUILT_IN(DOUBLE, LOGICAL_AND, 0), "elements of GASNETX_TYPE_DOUBLE have no GASNETX_OP_LOGICAL_AND");
  refused(BUILT_IN(FLOAT_COMPLEX, MIN, 0), "elements of GASNETX_TYPE_FLOAT_COMPLEX have no GASNETX_OP_MIN");
  refused(BUILT_IN(INT64_AT, SUM, 0), "elements of GASNETX_TYPE_INT64_AT have no GASNETX_OP_SUM");
  refused(BUILT_IN(INT64, FIRST_MIN, 0), "elements of GASNETX_TYPE_INT64 have no GASNETX_OP_FIRST_MIN");
  refused(BUILT_IN(DOUBLE, SUM, 4), "elements of GASNETX_TYPE_DOUBLE have 8 bytes, not 4");
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"kernels for any processor", test_portable},
      {"kernels with AVX2", test_avx2},
      {"NaN, zeros, infinities", test_special_reals},
      {"infinite complex numbers", test_special_complex},
      {"products that are rounded", test_rounded_products},
      {"integers that wrap around", test_special_integers},
      {"equal values in two places", test_special_locations},
      {"a function with a context", test_function},
      {"all types and operations", test_built_in},
      {"what a code stands for", test_described},
      {"what is refused", test_refused},
  };
  random_begin();
  const size_t room = LONG * WIDEST + 2 * GUARD + PLACES * 16;
  inout_room = malloc(room), in_room = malloc(room), model_room = malloc(2 * room);
  const int failed = !inout_room || !in_room || !model_room || RUN_SUITE("reduction", tests);
  free(inout_room), free(in_room), free(model_room);
  return failed;
}
