/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Heads of the ucx conduit's transfers by messages: each kind is read as it was written, nonsense is refused,
 * and so is each of 200,000 damaged heads that leaves the segment. */
#include "tests/fuzz/fuzz_ucx_bulk.c"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { CORPUS = 200000 };

static uint64_t data_of(const struct pst_ucx_bulk *b)
{
  return b->kind == PST_UCX_BULK_PUT || b->kind == PST_UCX_BULK_DATA ? b->nbytes : 0;
}

static struct pst_ucx_bulk right(uint32_t kind)
{
  return (struct pst_ucx_bulk){
      .src = FUZZ_NODES - 1, .kind = kind, .addr = FUZZ_SEGMENT_AT + 40, .nbytes = 1000, .cookie = 77};
}

static int taken(const struct pst_ucx_bulk *b, uint64_t data)
{
  struct pst_ucx_bulk read;
  return fuzz_decode(b, sizeof *b, data, &read) == PST_OK && memcmp(b, &read, sizeof *b) == 0;
}

static void test_kinds(void)
{
  for (uint32_t kind = PST_UCX_BULK_PUT; kind < PST_UCX_BULK_KINDS; kind++) {
    const struct pst_ucx_bulk b = right(kind);
    struct pst_ucx_bulk read;
    CU_ASSERT(taken(&b, data_of(&b)));
    CU_ASSERT(!taken(&b, data_of(&b) + 1));
    CU_ASSERT(!taken(&b, data_of(&b) ? 0 : 1000));
    for (size_t n = 0; n < sizeof b; n++)
      CU_ASSERT(fuzz_decode(&b, n, data_of(&b), &read) == PST_ERR_INVALID);
  }
}

static void test_heads(void)
{
  for (uint32_t kind = PST_UCX_BULK_PUT; kind < PST_UCX_BULK_KINDS; kind++) {
    struct pst_ucx_bulk b = right(kind);
    b.src = FUZZ_NODES;
    CU_ASSERT(!taken(&b, data_of(&b)));
    b.src = FUZZ_NODE;
    CU_ASSERT(!taken(&b, data_of(&b)));
    b = right(kind);
    b.kind = 0;
    CU_ASSERT(!taken(&b, 0));
    b.kind = PST_UCX_BULK_KINDS;
    CU_ASSERT(!taken(&b, 0));
  }
}

static int taken_at(uint32_t kind, uint64_t addr, uint64_t nbytes)
{
  struct pst_ucx_bulk b = right(kind);
  b.addr = addr;
  b.nbytes = nbytes;
  return taken(&b, data_of(&b));
}

static void test_places(void)
{
  static const uint32_t kinds[] = {PST_UCX_BULK_PUT, PST_UCX_BULK_GET};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    CU_ASSERT(taken_at(kinds[i], FUZZ_SEGMENT_AT, FUZZ_SEGMENT));
    CU_ASSERT(taken_at(kinds[i], FUZZ_SEGMENT_AT + FUZZ_SEGMENT - 8, 8));
    CU_ASSERT(!taken_at(kinds[i], FUZZ_SEGMENT_AT - 1, 8));
    CU_ASSERT(!taken_at(kinds[i], FUZZ_SEGMENT_AT + FUZZ_SEGMENT - 7, 8));
    CU_ASSERT(!taken_at(kinds[i], FUZZ_SEGMENT_AT, FUZZ_SEGMENT + 1));
    CU_ASSERT(!taken_at(kinds[i], UINT64_MAX - 3, 8));
    CU_ASSERT(!taken_at(kinds[i], FUZZ_SEGMENT_AT + 1, UINT64_MAX));
    CU_ASSERT(taken_at(kinds[i], FUZZ_REGION_AT, FUZZ_REGION));
    CU_ASSERT(!taken_at(kinds[i], FUZZ_REGION_AT + 1, FUZZ_REGION));
    CU_ASSERT(!taken_at(kinds[i], 0, 8));
  }
}

static void test_corpus(void)
{
  for (unsigned k = 0; k < CORPUS; k++) {
    struct pst_ucx_bulk b = right((uint32_t)(1 + below(PST_UCX_BULK_KINDS - 1)));
    struct {
      uint64_t data;
      struct pst_ucx_bulk head;
    } input;
    size_t size = sizeof input;
    b.addr = FUZZ_SEGMENT_AT + below(FUZZ_SEGMENT);
    b.nbytes = below(2 * FUZZ_SEGMENT);
    input.data = data_of(&b);
    input.head = b;
    if (below(2)) ((unsigned char *)&input)[below(sizeof input)] ^= (unsigned char)(1u << below(8));
    if (below(16) == 0) size = below(sizeof input);
    LLVMFuzzerTestOneInput((unsigned char *)&input, size);
  }
  printf("%u taken, %u refused ... ", fuzz_accepted, fuzz_refused);
  CU_ASSERT(fuzz_accepted > CORPUS / 10 && fuzz_refused > CORPUS / 10);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"each kind", test_kinds},
      {"heads that make no sense", test_heads},
      {"places in and outside the segment", test_places},
      {"damaged heads", test_corpus},
  };
  random_begin();
  return RUN_SUITE("conduits/ucx/bulk", tests);
}
