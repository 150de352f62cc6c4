/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations with their answers, one at a time, by node 0 on words of its own or of its partner. */
#include "../engine/engine.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <string.h>

enum { WINDOW = 64 };

static const struct operation {
  const char *point;
  gasnetx_atomic_op_t op;
  unsigned width; /* bytes */
  int own;
} operations[] = {{"fadd_own", GASNETX_ADD, 8, 1}, {"fadd", GASNETX_ADD, 8, 0}, {"swap", GASNETX_SWAP, 8, 0},
    {"cswap", GASNETX_CSWAP, 8, 0}, {"get", GASNETX_GET, 8, 0}, {"fadd_32", GASNETX_ADD, 4, 0},
    {"cswap_32", GASNETX_CSWAP, 4, 0}, {"fadd_16", GASNETX_ADD, 2, 0}};
static const struct operation *o;
static gasnet_node_t node;
static char *words;  /* as the library takes them */
static char *mapped; /* as mapped here; NULL where they are not */

static uint64_t operate(const struct operation *p, unsigned k, uint64_t operand, uint64_t expected)
{
  char *const at = words + k * p->width;
  switch (p->width) {
  case 2: return gasnetx_atomic16(p->op, node, (uint16_t *)at, (uint16_t)operand, (uint16_t)expected);
  case 4: return gasnetx_atomic32(p->op, node, (uint32_t *)at, (uint32_t)operand, (uint32_t)expected);
  default: return gasnetx_atomic64(p->op, node, (uint64_t *)at, operand, expected);
  }
}

/* Each operation's loop is its own: as in a program, the compiler knows which one it is. */
#define LOOP(n, body) \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % WINDOW; \
    body; \
    bench_compiler_barrier(); \
  }
#define OURS(bits, op) \
  LOOP(n, \
      BENCH_USE(gasnetx_atomic##bits( \
          op, node, (uint##bits##_t *)words + k, (uint##bits##_t)i, (uint##bits##_t)(i - WINDOW))))
#define BARE(bits, op) \
  LOOP(n, BENCH_USE(op((uint##bits##_t *)mapped + k, (uint##bits##_t)i, __ATOMIC_SEQ_CST)))
#define BARE_CSWAP(bits) \
  LOOP(n, uint##bits##_t found = (uint##bits##_t)(i - WINDOW); __atomic_compare_exchange_n( \
      (uint##bits##_t *)mapped + k, &found, (uint##bits##_t)i, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
       BENCH_USE(found))

static void ours(long n)
{
  if (o->op == GASNETX_SWAP) OURS(64, GASNETX_SWAP)
  else if (o->op == GASNETX_GET) OURS(64, GASNETX_GET)
  else if (o->op == GASNETX_ADD && o->width == 8) OURS(64, GASNETX_ADD)
  else if (o->op == GASNETX_ADD && o->width == 4) OURS(32, GASNETX_ADD)
  else if (o->op == GASNETX_ADD) OURS(16, GASNETX_ADD)
  else if (o->width == 8) OURS(64, GASNETX_CSWAP)
  else OURS(32, GASNETX_CSWAP)
}

static void bare(long n)
{
  if (o->op == GASNETX_SWAP) BARE(64, __atomic_exchange_n)
  else if (o->op == GASNETX_GET) LOOP(n, BENCH_USE(__atomic_load_n((uint64_t *)mapped + k, __ATOMIC_SEQ_CST)))
  else if (o->op == GASNETX_ADD && o->width == 8) BARE(64, __atomic_fetch_add)
  else if (o->op == GASNETX_ADD && o->width == 4) BARE(32, __atomic_fetch_add)
  else if (o->op == GASNETX_ADD) BARE(16, __atomic_fetch_add)
  else if (o->width == 8) BARE_CSWAP(64)
  else BARE_CSWAP(32)
}

static int prepare(const char *point, size_t bytes)
{
  (void)bytes;
  o = NULL;
  for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(point, operations[i].point)) o = &operations[i];
  if (!o) bench_die("there is no operation %s", point);
  node = o->own ? 0 : bench_node.half;
  words = bench_node.remote[node];
  mapped = bench_node.mapped[node];
  memset(bench_node.segment, 0x5a, WINDOW * 8);
  return 0;
}

static uint64_t cut(uint64_t v) { return o->width == 8 ? v : v & ((UINT64_C(1) << 8 * o->width) - 1); }

/* What the word holds after the operation that found `before`. */
static uint64_t result(uint64_t before, uint64_t operand)
{
  return o->op == GASNETX_GET ? before : cut(o->op == GASNETX_ADD ? before + operand : operand);
}

/* The operation on each word once more, with other operands, against what the word must hold before and
 * after. */
static const char *check(void)
{
  static const struct operation read[] = {
      {"", GASNETX_GET, 8, 0}, {"", GASNETX_GET, 4, 0}, {"", GASNETX_GET, 2, 0}};
  const struct operation *r = &read[o->width == 8 ? 0 : o->width == 4 ? 1 : 2];
  if (bench_node.me != 0) return NULL;
  for (unsigned k = 0; k < WINDOW; k++) {
    const uint64_t operand = cut(UINT64_C(0x9e3779b97f4a7c15) * (k + 1)), before = operate(r, k, 0, 0);
    if (operate(o, k, operand, before) != before) return "an atomic operation did not return what was there";
    if (operate(r, k, 0, 0) != result(before, operand)) return "an atomic operation left a wrong value";
    if (o->op != GASNETX_CSWAP) continue;
    if (operate(o, k, 1, cut(operand + 1)) != operand || operate(r, k, 0, 0) != operand)
      return "a compare-and-swap changed what it should not";
  }
  return NULL;
}

static const struct bench_case cases[] = {
    {BENCH_CASE("atomic_latency", prepare, check, ours), .raw_smp = {bare}, .least = WINDOW},
    {.test = NULL},
};

const struct bench_suite bench_suite_atomics = {.cases = cases};
