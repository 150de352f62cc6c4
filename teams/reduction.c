/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/reduction.h"

#include <complex.h>
#include <stdio.h>

#include "teams/reduction_set.h"

#define COUNT(array)     (sizeof(array) / sizeof *(array))
#define TYPE(name, type) [GASNETX_TYPE_##name] = {"GASNETX_TYPE_" #name, sizeof(type)}
static const struct {
  const char *name;
  size_t size;
} types[] = {
    TYPE(INT8, int8_t),
    TYPE(INT16, int16_t),
    TYPE(INT32, int32_t),
    TYPE(INT64, int64_t),
    TYPE(UINT8, uint8_t),
    TYPE(UINT16, uint16_t),
    TYPE(UINT32, uint32_t),
    TYPE(UINT64, uint64_t),
    TYPE(FLOAT, float),
    TYPE(DOUBLE, double),
    TYPE(LONG_DOUBLE, long double),
    TYPE(FLOAT_COMPLEX, float _Complex),
    TYPE(DOUBLE_COMPLEX, double _Complex),
    TYPE(LONG_DOUBLE_COMPLEX, long double _Complex),
    TYPE(INT32_AT, gasnetx_int32_at_t),
    TYPE(INT64_AT, gasnetx_int64_at_t),
    TYPE(FLOAT_AT, gasnetx_float_at_t),
    TYPE(DOUBLE_AT, gasnetx_double_at_t),
    TYPE(LONG_DOUBLE_AT, gasnetx_long_double_at_t),
};

#define OP(name) [GASNETX_OP_##name] = "GASNETX_OP_" #name
static const char *const ops[] = {OP(SUM), OP(PRODUCT), OP(MIN), OP(MAX), OP(AND), OP(OR), OP(XOR),
    OP(LOGICAL_AND), OP(LOGICAL_OR), OP(LOGICAL_XOR), OP(FIRST_MIN), OP(FIRST_MAX), OP(LAST_MIN),
    OP(LAST_MAX)};

_Static_assert(COUNT(types) == PST_REDUCTION_TYPES && COUNT(ops) == PST_REDUCTION_OPS, "a name is missing");

/* A code is 256 times the size, and in its lowest 8 bits 10 times the type and the operation modulo 10: the
 * four operations of a type with a location take the numbers of others, which such a type does not have. */
enum { OPS_OF_A_TYPE = 10, USER = 255 };
_Static_assert(GASNETX_OP_FIRST_MIN == OPS_OF_A_TYPE + 1, "operations without a location come first");
_Static_assert(
    GASNETX_TYPE_LONG_DOUBLE_AT *OPS_OF_A_TYPE + OPS_OF_A_TYPE < USER, "types do not fit into a code");

static uint32_t code_of(uint32_t low, size_t size) { return low + 256 * (uint32_t)size; }

/* This processor's kernel, or NULL. */
static gasnetx_reduce_fn kernel_find(uint32_t type, uint32_t op)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return pst_reduction_avx2[type][op];
#endif
  return pst_reduction_portable[type][op];
}

static _Thread_local char wrong[160];

static const char *resolve_built_in(const gasnetx_reduction_t *r, struct pst_reduction *out)
{
  const uint32_t type = r->type, op = r->op;
  gasnetx_reduce_fn combine;
  if (type == 0 || type >= COUNT(types)) snprintf(wrong, sizeof wrong, "there is no type %u", type);
  else if (op == 0 || op >= COUNT(ops)) snprintf(wrong, sizeof wrong, "there is no operation %u", op);
  else if (!(combine = kernel_find(type, op)))
    snprintf(wrong, sizeof wrong, "elements of %s have no %s", types[type].name, ops[op]);
  else if (r->size != 0 && r->size != types[type].size)
    snprintf(wrong, sizeof wrong, "elements of %s have %zu bytes, not %zu", types[type].name,
        types[type].size, r->size);
  else {
    *out = (struct pst_reduction){.combine = combine, .size = types[type].size, .commutes = 1};
    out->code = code_of(type * OPS_OF_A_TYPE + op % OPS_OF_A_TYPE, out->size);
    return NULL;
  }
  return wrong;
}

const char *pst_reduction_resolve(const gasnetx_reduction_t *r, struct pst_reduction *out)
{
  if (!r->combine) return resolve_built_in(r, out);
  if (r->size == 0) return "the elements of its function have 0 bytes";
  *out = (struct pst_reduction){.combine = r->combine,
      .context = r->context,
      .size = r->size,
      .commutes = r->commutes != 0,
      .code = code_of(USER, r->size)};
  return NULL;
}

void pst_reduction_describe(uint32_t code, char *text, size_t n)
{
  const uint32_t low = code % 256, size = code / 256, type = low / OPS_OF_A_TYPE, rest = low % OPS_OF_A_TYPE;
  const uint32_t op = type >= GASNETX_TYPE_INT32_AT || rest == 0 ? rest + OPS_OF_A_TYPE : rest;
  if (low == USER) snprintf(text, n, "a function on elements of %u bytes", size);
  else if (type < COUNT(types) && op < COUNT(ops) && pst_reduction_portable[type][op])
    snprintf(text, n, "%s of %s", ops[op], types[type].name);
  else snprintf(text, n, "code %u", code);
}
