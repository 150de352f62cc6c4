/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Operations of reductions, with operands and a model of their own: all built-in ones, and functions of the
 * client, most of which do not commute. The model computes with the widest numbers, one element at a time. */
#ifndef TESTS_MULTI_COLL_OPS_H
#define TESTS_MULTI_COLL_OPS_H

#include "common.h"
#include <gasnetx.h>
#include <float.h>
#include <math.h>

/* ---- elements as numbers ---- */

struct number {
  uint64_t bits; /* of integers, sign-extended */
  long double re, im;
  int64_t location;
};

enum { IS_SIGNED, IS_UNSIGNED, IS_REAL, IS_COMPLEX, HAS_LOCATION };
struct element {
  gasnetx_type_t type;
  int is;
  size_t size, align;
  long double epsilon; /* 0: no rounding */
  const char *name;
};
#define ELEMENT(T, C, IS, EPSILON, NAME) \
  { \
    GASNETX_TYPE_##T, IS, sizeof(C), _Alignof(C), EPSILON, NAME \
  }
static const struct element element_of[] = {
    ELEMENT(INT8, int8_t, IS_SIGNED, 0, "int8"),
    ELEMENT(INT16, int16_t, IS_SIGNED, 0, "int16"),
    ELEMENT(INT32, int32_t, IS_SIGNED, 0, "int32"),
    ELEMENT(INT64, int64_t, IS_SIGNED, 0, "int64"),
    ELEMENT(UINT8, uint8_t, IS_UNSIGNED, 0, "uint8"),
    ELEMENT(UINT16, uint16_t, IS_UNSIGNED, 0, "uint16"),
    ELEMENT(UINT32, uint32_t, IS_UNSIGNED, 0, "uint32"),
    ELEMENT(UINT64, uint64_t, IS_UNSIGNED, 0, "uint64"),
    ELEMENT(FLOAT, float, IS_REAL, FLT_EPSILON, "float"),
    ELEMENT(DOUBLE, double, IS_REAL, DBL_EPSILON, "double"),
    ELEMENT(LONG_DOUBLE, long double, IS_REAL, LDBL_EPSILON, "long double"),
    ELEMENT(FLOAT_COMPLEX, float _Complex, IS_COMPLEX, FLT_EPSILON, "float complex"),
    ELEMENT(DOUBLE_COMPLEX, double _Complex, IS_COMPLEX, DBL_EPSILON, "double complex"),
    ELEMENT(LONG_DOUBLE_COMPLEX, long double _Complex, IS_COMPLEX, LDBL_EPSILON, "long double complex"),
    ELEMENT(INT32_AT, gasnetx_int32_at_t, HAS_LOCATION, 0, "int32 at"),
    ELEMENT(INT64_AT, gasnetx_int64_at_t, HAS_LOCATION, 0, "int64 at"),
    ELEMENT(FLOAT_AT, gasnetx_float_at_t, HAS_LOCATION, 0, "float at"),
    ELEMENT(DOUBLE_AT, gasnetx_double_at_t, HAS_LOCATION, 0, "double at"),
    ELEMENT(LONG_DOUBLE_AT, gasnetx_long_double_at_t, HAS_LOCATION, 0, "long double at"),
};
enum { ELEMENTS = sizeof element_of / sizeof *element_of };

/* How each type is read and written. The suffix of the type, its C type or the parts', and the value's. */
#define EACH_TYPE(INTEGER, REAL, COMPLEX, AT) \
  INTEGER(INT8, int8_t) \
  INTEGER(INT16, int16_t) \
  INTEGER(INT32, int32_t) \
  INTEGER(INT64, int64_t) \
  INTEGER(UINT8, uint8_t) \
  INTEGER(UINT16, uint16_t) \
  INTEGER(UINT32, uint32_t) \
  INTEGER(UINT64, uint64_t) \
  REAL(FLOAT, float) \
  REAL(DOUBLE, double) \
  REAL(LONG_DOUBLE, long double) \
  COMPLEX(FLOAT_COMPLEX, float) \
  COMPLEX(DOUBLE_COMPLEX, double) \
  COMPLEX(LONG_DOUBLE_COMPLEX, long double) \
  AT(INT32_AT, gasnetx_int32_at_t, int32_t) \
  AT(INT64_AT, gasnetx_int64_at_t, int64_t) \
  AT(FLOAT_AT, gasnetx_float_at_t, float) \
  AT(DOUBLE_AT, gasnetx_double_at_t, double) \
  AT(LONG_DOUBLE_AT, gasnetx_long_double_at_t, long double)

#define LOAD_INTEGER(T, C) \
  case GASNETX_TYPE_##T: \
    n.bits = (uint64_t) * (const C *)p; \
    break;
#define LOAD_REAL(T, C) \
  case GASNETX_TYPE_##T: \
    n.re = *(const C *)p; \
    break;
#define LOAD_COMPLEX(T, C) \
  case GASNETX_TYPE_##T: \
    n.re = ((const C *)p)[0]; \
    n.im = ((const C *)p)[1]; \
    break;
#define LOAD_AT(T, C, V) \
  case GASNETX_TYPE_##T: \
    n.re = ((const C *)p)->value; \
    n.location = ((const C *)p)->location; \
    break;
static struct number number_load(gasnetx_type_t type, const void *p)
{
  struct number n = {0};
  switch (type) {
    EACH_TYPE(LOAD_INTEGER, LOAD_REAL, LOAD_COMPLEX, LOAD_AT)
  }
  return n;
}

#define STORE_INTEGER(T, C) \
  case GASNETX_TYPE_##T: \
    *(C *)p = (C)n.bits; \
    break;
#define STORE_REAL(T, C) \
  case GASNETX_TYPE_##T: \
    *(C *)p = (C)n.re; \
    break;
#define STORE_COMPLEX(T, C) \
  case GASNETX_TYPE_##T: \
    ((C *)p)[0] = (C)n.re; \
    ((C *)p)[1] = (C)n.im; \
    break;
#define STORE_AT(T, C, V) \
  case GASNETX_TYPE_##T: \
    ((C *)p)->value = (V)n.re; \
    ((C *)p)->location = n.location; \
    break;
static void number_store(gasnetx_type_t type, void *p, struct number n)
{
  switch (type) {
    EACH_TYPE(STORE_INTEGER, STORE_REAL, STORE_COMPLEX, STORE_AT)
  }
}

/* ---- what the built-in operations do ---- */

static int real_less(long double a, long double b)
{
  return a < b || (a == 0 && b == 0 && signbit(a) && !signbit(b));
}
/* A NaN loses to every number. */
static long double real_choose(long double a, long double b, int larger)
{
  if (isnan(a) || isnan(b)) return isnan(a) ? b : a;
  return real_less(a, b) == larger ? b : a;
}

static uint64_t integer_join(gasnetx_op_t op, int is, uint64_t a, uint64_t b)
{
  const int less = is == IS_SIGNED ? (int64_t)a < (int64_t)b : a < b;
  switch (op) {
  case GASNETX_OP_SUM: return a + b;
  case GASNETX_OP_PRODUCT: return a * b;
  case GASNETX_OP_MIN: return less ? a : b;
  case GASNETX_OP_MAX: return less ? b : a;
  case GASNETX_OP_AND: return a & b;
  case GASNETX_OP_OR: return a | b;
  case GASNETX_OP_XOR: return a ^ b;
  case GASNETX_OP_LOGICAL_AND: return a && b;
  case GASNETX_OP_LOGICAL_OR: return a || b;
  default: return !a != !b; /* GASNETX_OP_LOGICAL_XOR */
  }
}

static struct number real_join(gasnetx_op_t op, struct number a, struct number b)
{
  switch (op) {
  case GASNETX_OP_SUM: return (struct number){.re = a.re + b.re, .im = a.im + b.im};
  case GASNETX_OP_PRODUCT:
    return (struct number){.re = a.re * b.re - a.im * b.im, .im = a.re * b.im + a.im * b.re};
  case GASNETX_OP_MIN: return (struct number){.re = real_choose(a.re, b.re, 0)};
  default: return (struct number){.re = real_choose(a.re, b.re, 1)}; /* GASNETX_OP_MAX */
  }
}

static struct number location_join(gasnetx_op_t op, struct number a, struct number b)
{
  const int larger = op == GASNETX_OP_FIRST_MAX || op == GASNETX_OP_LAST_MAX;
  const int last = op == GASNETX_OP_LAST_MIN || op == GASNETX_OP_LAST_MAX;
  if (a.re == b.re || (isnan(a.re) && isnan(b.re))) return (a.location < b.location) == last ? b : a;
  if (isnan(a.re) || isnan(b.re)) return isnan(a.re) ? b : a;
  return (a.re < b.re) == larger ? b : a;
}

static gasnetx_op_t element_op(const struct element *e, struct rng *r)
{
  const gasnetx_op_t of_integers[] = {GASNETX_OP_SUM, GASNETX_OP_PRODUCT, GASNETX_OP_MIN, GASNETX_OP_MAX,
      GASNETX_OP_AND, GASNETX_OP_OR, GASNETX_OP_XOR, GASNETX_OP_LOGICAL_AND, GASNETX_OP_LOGICAL_OR,
      GASNETX_OP_LOGICAL_XOR};
  const gasnetx_op_t of_locations[] = {
      GASNETX_OP_FIRST_MIN, GASNETX_OP_FIRST_MAX, GASNETX_OP_LAST_MIN, GASNETX_OP_LAST_MAX};
  if (e->is == HAS_LOCATION) return of_locations[rng_below(r, 4)];
  return of_integers[rng_below(r, e->is == IS_COMPLEX ? 2 : e->is == IS_REAL ? 4 : 10)];
}

/* ---- functions of the client ---- */

/* Affine maps x -> factor * x + term, one after the other, modulo 2^64. */
struct map {
  uint64_t factor, term;
};
/* The ranks of the first and the last operand. */
struct ends {
  uint32_t first, last, count;
};
enum { MAPS, ENDS, ODD, LARGE, CLIENT_OPS, ODD_SIZE = 3, LARGE_WORDS = 640 };
static const struct {
  size_t size, align;
  int commutes;
  const char *name;
} client_op[CLIENT_OPS] = {{sizeof(struct map), 8, 0, "maps"}, {sizeof(struct ends), 4, 0, "ends"},
    {ODD_SIZE, 1, 1, "three bytes"}, {8 * LARGE_WORDS, 8, 1, "large"}};

/* ---- one operation ---- */

struct op {
  gasnetx_reduction_t reduction;
  const struct element *element; /* NULL: a function of the client */
  int client, exact;             /* exact: sums and products are of numbers that do not need rounding */
  size_t size, align;
  const char *name;
};

static void client_join(const struct op *op, void *x, const void *y)
{
  if (op->client == MAPS) {
    struct map *a = (struct map *)x;
    const struct map *b = (const struct map *)y;
    *a = (struct map){a->factor * b->factor, a->factor * b->term + a->term};
  }
  if (op->client == ENDS) {
    struct ends *a = (struct ends *)x;
    const struct ends *b = (const struct ends *)y;
    *a = (struct ends){a->first, b->last, a->count + b->count};
  }
  for (size_t i = 0; op->client == ODD && i < ODD_SIZE; i++) ((uint8_t *)x)[i] += ((const uint8_t *)y)[i];
  for (size_t i = 0; op->client == LARGE && i < LARGE_WORDS; i++)
    ((uint64_t *)x)[i] += ((const uint64_t *)y)[i];
}

/* The function that the library calls. */
static void client_combine(void *inout, const void *in, size_t count, void *context)
{
  const struct op *op = (const struct op *)context;
  CHECK((uintptr_t)inout % op->align == 0 && (uintptr_t)in % op->align == 0, "%s: operands at %p and %p",
      op->name, inout, in);
  for (size_t i = 0; i < count; i++)
    client_join(op, (char *)inout + i * op->size, (const char *)in + i * op->size);
}

/* x = x OP y, by the model. */
static void op_join(const struct op *op, void *x, const void *y)
{
  if (!op->element) {
    client_join(op, x, y);
    return;
  }
  const struct element *e = op->element;
  const gasnetx_op_t how = (gasnetx_op_t)op->reduction.op;
  struct number a = number_load(e->type, x);
  const struct number b = number_load(e->type, y);
  if (e->is <= IS_UNSIGNED) a.bits = integer_join(how, e->is, a.bits, b.bits);
  else a = e->is == HAS_LOCATION ? location_join(how, a, b) : real_join(how, a, b);
  number_store(e->type, x, a);
}

/* All members draw the same one. It stays where it is until the call is complete: it is its function's
 * context. */
static void op_draw(struct op *op, struct rng *r)
{
  *op = (struct op){.exact = (int)rng_below(r, 2)};
  if (rng_below(r, 3) == 0) {
    op->client = (int)rng_below(r, CLIENT_OPS);
    op->size = client_op[op->client].size;
    op->align = client_op[op->client].align;
    op->name = client_op[op->client].name;
    op->reduction = (gasnetx_reduction_t){.size = op->size,
        .combine = client_combine,
        .context = op,
        .commutes = client_op[op->client].commutes && rng_below(r, 2)};
    return;
  }
  op->element = &element_of[rng_below(r, ELEMENTS)];
  op->size = op->element->size;
  op->align = op->element->align;
  op->name = op->element->name;
  op->reduction = (gasnetx_reduction_t){.type = op->element->type, .op = element_op(op->element, r)};
  if (rng_below(r, 2)) op->reduction.size = op->size;
}

/* ---- operands ---- */

static long double small_real(const struct op *op, uint64_t random)
{
  const int product = op->reduction.op == GASNETX_OP_PRODUCT, sum = op->reduction.op == GASNETX_OP_SUM;
  const long double exact[] = {1, -1, 2, -2, 0.5L, -0.5L, 1, 1};
  if (product && op->exact) return exact[random % 8];
  if (product) return 0.5L + (long double)(random % 1000003) / 1000003.0L;
  if (sum && !op->exact) return (long double)(random % 2000003) / 2003.0L - 500;
  if (!sum && random % 50 == 0) return random % 100 ? -0.0L : 0.0L;
  if (!sum && random % 61 == 0) return (long double)NAN;
  return (long double)(random % 2001) - 1000;
}

/* Factors of complex products whose products are exact. */
static struct number complex_factor(uint64_t random)
{
  const signed char re[] = {1, -1, 0, 0, 1, 2}, im[] = {0, 0, 1, -1, 1, 0};
  return (struct number){.re = re[random % 6], .im = im[random % 6]};
}

static long double location_value(const struct element *e, uint64_t random)
{
  const int integer = e->type == GASNETX_TYPE_INT32_AT || e->type == GASNETX_TYPE_INT64_AT;
  if (!integer && random % 13 == 0) return (long double)NAN;
  return (long double)(random % 7) - 3;
}

static void client_operand(const struct op *op, void *to, uint64_t random, gasnet_node_t rank)
{
  if (op->client == ENDS) *(struct ends *)to = (struct ends){rank, rank, 1};
  else pattern_fill(to, op->size, random);
}

/* Element i of a rank's operands. */
static void op_operand(const struct op *op, void *to, uint64_t key, gasnet_node_t rank, size_t i)
{
  const uint64_t random = test_mix(key + i);
  if (!op->element) {
    client_operand(op, to, random, rank);
    return;
  }
  struct number n = {.bits = random, .location = (int64_t)(test_mix(random) % 1000) - 500};
  if (op->element->is == HAS_LOCATION) n.re = location_value(op->element, random);
  else if (op->element->is == IS_COMPLEX && op->reduction.op == GASNETX_OP_PRODUCT)
    n = complex_factor(random);
  else {
    n.re = small_real(op, random);
    n.im = small_real(op, random >> 32);
  }
  if (op->element->is <= IS_UNSIGNED && random % 8 == 0) n.bits = 0;
  memset(to, 0, op->size);
  number_store(op->element->type, to, n);
}

/* ---- comparison ---- */

static int real_near(long double got, long double want, long double tolerance)
{
  if (isnan(want)) return isnan(got);
  if (tolerance == 0) return got == want && !signbit(got) == !signbit(want);
  return fabsl(got - want) <= tolerance;
}

/* Whether the result of `terms` operands is right. Where numbers are rounded, how depends on how they are
 * grouped; where they are not, the sign of 0 does. */
static int op_same(const struct op *op, const void *got, const void *want, size_t terms)
{
  if (!op->element) return memcmp(got, want, op->size) == 0;
  const struct number g = number_load(op->element->type, got), w = number_load(op->element->type, want);
  const uint32_t how = op->reduction.op;
  if (op->element->is == HAS_LOCATION)
    return (g.re == w.re || (isnan(g.re) && isnan(w.re))) && g.location == w.location;
  long double tolerance = 0;
  if (how == GASNETX_OP_SUM) tolerance = 1000 * op->element->epsilon * (long double)(terms * terms);
  if (how == GASNETX_OP_PRODUCT)
    tolerance = 8 * op->element->epsilon * (long double)terms * (1 + fabsl(w.re));
  return g.bits == w.bits && real_near(g.re, w.re, tolerance) && real_near(g.im, w.im, tolerance);
}

/* Of an element's bits, without those that mean nothing. */
static uint64_t op_hash(const struct op *op, const void *p)
{
  const size_t significant = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double);
  uint64_t words[2 * sizeof(long double) / 8 + 1] = {0}, hash = 0;
  if (!op->element) return test_mix(*(const unsigned char *)p);
  if (op->element->type == GASNETX_TYPE_LONG_DOUBLE) memcpy(words, p, significant);
  else if (op->element->type == GASNETX_TYPE_LONG_DOUBLE_COMPLEX) {
    memcpy(words, p, significant);
    memcpy(words + 2, (const char *)p + sizeof(long double), significant);
  } else if (op->element->is == HAS_LOCATION) words[0] = (uint64_t)number_load(op->element->type, p).location;
  else memcpy(words, p, op->size);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = test_mix(hash ^ words[i]);
  return hash;
}

#endif
