/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic subroutines. gfortran's atomic kind is 4 for integers and logicals. */
#include "caf/transfer.h"

enum { ADD = 1, AND, OR, XOR };

static uint32_t word_apply(const char *call, caf_token_t token, size_t offset, int image, int kind,
    gasnetx_atomic_op_t op, uint32_t operand, uint32_t expected, int *stat)
{
  const gasnet_node_t node = pst_caf_node_or_own(call, image);
  char *const word = pst_caf_at(token, node, offset);
  if (kind != 4) pst_caf_fatal(call, "a variable of kind %d; the atomic kind is 4", kind);
  if (__builtin_expect(pst_map[node] == PST_UNMAPPED, 0)) pst_front_put_order(node, word, sizeof operand, 0);
  const uint32_t found = gasnetx_atomic32(op, node, (uint32_t *)(void *)word, operand, expected);
  pst_caf_put_status(call, node, stat);
  return found;
}

static uint32_t value_of(const void *value) { return *(const uint32_t *)value; }

void _gfortran_caf_atomic_define(
    caf_token_t token, size_t offset, int image, void *value, int *stat, int type, int kind)
{
  PST_CAF_TOLD(GASP_CAF_ATOMIC_DEFINE, sizeof(uint32_t), image,
      _gfortran_caf_atomic_define(token, offset, image, value, stat, type, kind));
  (void)type;
  word_apply("atomic_define", token, offset, image, kind, GASNETX_SET, value_of(value), 0, stat);
}

void _gfortran_caf_atomic_ref(
    caf_token_t token, size_t offset, int image, void *value, int *stat, int type, int kind)
{
  PST_CAF_TOLD(GASP_CAF_ATOMIC_REF, sizeof(uint32_t), image,
      _gfortran_caf_atomic_ref(token, offset, image, value, stat, type, kind));
  (void)type;
  *(uint32_t *)value = word_apply("atomic_ref", token, offset, image, kind, GASNETX_GET, 0, 0, stat);
  gasnet_AMPoll(); /* a program may wait by this call alone */
}

void _gfortran_caf_atomic_cas(caf_token_t token, size_t offset, int image, void *old, void *compare,
    void *value, int *stat, int type, int kind)
{
  PST_CAF_TOLD(GASP_CAF_ATOMIC_CAS, sizeof(uint32_t), image,
      _gfortran_caf_atomic_cas(token, offset, image, old, compare, value, stat, type, kind));
  (void)type;
  *(uint32_t *)old = word_apply(
      "atomic_cas", token, offset, image, kind, GASNETX_CSWAP, value_of(value), value_of(compare), stat);
}

static __attribute__((noinline)) void op_apply(int op, caf_token_t token, size_t offset, int image,
    void *value, void *old, int *stat, int type, int kind, const void *code)
{
  static const gasnetx_atomic_op_t ops[] = {
      [ADD] = GASNETX_ADD, [AND] = GASNETX_AND, [OR] = GASNETX_OR, [XOR] = GASNETX_XOR};
  PST_CAF_TOLD_AT(code, (old ? GASP_CAF_ATOMIC_FETCH_ADD : GASP_CAF_ATOMIC_ADD) + (unsigned)(op - ADD),
      sizeof(uint32_t), image,
      _gfortran_caf_atomic_op(op, token, offset, image, value, old, stat, type, kind));
  (void)type;
  if (op < ADD || op > XOR) pst_caf_fatal("atomic operation", "there is no operation %d", op);
  const uint32_t found = word_apply(
      "atomic operation", token, offset, image, kind, ops[op], value_of(value), 0, stat);
  if (old) *(uint32_t *)old = found;
}

void _gfortran_caf_atomic_op(int op, caf_token_t token, size_t offset, int image, void *value, void *old,
    int *stat, int type, int kind)
{
  uint32_t *const word = pst_caf_word_here(pst_atomic_map, token, offset, image, sizeof *word);
  if (!word || op != ADD || kind != 4) {
    op_apply(op, token, offset, image, value, old, stat, type, kind, __builtin_return_address(0));
    return;
  }
  const uint32_t found = __atomic_fetch_add(word, value_of(value), __ATOMIC_SEQ_CST);
  if (old) *(uint32_t *)old = found;
  pst_caf_status_ok(stat);
}
