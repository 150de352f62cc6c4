/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The decoder of the ucx conduit's transfers by messages against arbitrary bytes: make fuzz runs it under
 * libFuzzer, tests/unit/test_ucx_bulk.c with a corpus of its own.
 *
 * Input: 8 bytes, how many bytes of data came with it; then the head. What the decoder takes of memory that
 * others read or write must lie within the segment or the region. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ucx/bulk_decode.c"

enum { FUZZ_NODE = 1, FUZZ_NODES = 4, FUZZ_SEGMENT = 65536, FUZZ_REGION = 4096 };
#define FUZZ_SEGMENT_AT UINT64_C(0x10000000)
#define FUZZ_REGION_AT  UINT64_C(0x8000)
static const gasnet_seginfo_t fuzz_region = {(void *)(uintptr_t)FUZZ_REGION_AT, FUZZ_REGION};

static unsigned fuzz_accepted, fuzz_refused;

static int fuzz_decode(const void *bytes, size_t nbytes, uint64_t data, struct pst_ucx_bulk *b)
{
  const struct pst_net_receiver here = {
      FUZZ_NODE, FUZZ_NODES, {(void *)(uintptr_t)FUZZ_SEGMENT_AT, FUZZ_SEGMENT}, &fuzz_region, 1};
  return pst_ucx_bulk_decode(&here, bytes, nbytes, data, b);
}

static void fuzz_claim(int holds, const char *what)
{
  if (holds) return;
  fprintf(stderr, "fuzz_ucx_bulk: %s\n", what);
  abort();
}

static int fuzz_is_in(uint64_t begin, uint64_t size, uint64_t at, uint64_t n)
{
  return at >= begin && n <= size && at - begin <= size - n;
}

static void fuzz_check(const struct pst_ucx_bulk *b, uint64_t data)
{
  const int names_memory = b->kind == PST_UCX_BULK_PUT || b->kind == PST_UCX_BULK_GET;
  const int has_data = b->kind == PST_UCX_BULK_PUT || b->kind == PST_UCX_BULK_DATA;
  fuzz_claim(b->src < FUZZ_NODES && b->src != FUZZ_NODE, "a source that does not exist");
  fuzz_claim(data == (has_data ? b->nbytes : 0), "data that nobody asked for");
  if (names_memory)
    fuzz_claim(fuzz_is_in(FUZZ_SEGMENT_AT, FUZZ_SEGMENT, b->addr, b->nbytes) ||
            fuzz_is_in(FUZZ_REGION_AT, FUZZ_REGION, b->addr, b->nbytes),
        "outside the segment and the region");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  struct pst_ucx_bulk b;
  uint64_t data;
  unsigned char *head;
  if (size < sizeof data) return 0;
  memcpy(&data, input, sizeof data);
  size -= sizeof data;
  head = malloc(size ? size : 1); /* ends where its memory ends */
  if (!head) return 0;
  memcpy(head, input + sizeof data, size);
  if (fuzz_decode(head, size, data, &b) == PST_OK) {
    fuzz_check(&b, data);
    fuzz_accepted++;
  } else {
    fuzz_refused++;
  }
  free(head);
  return 0;
}
