/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The decoder of the libfabric conduit's messages against arbitrary bytes: make fuzz runs it under libFuzzer,
 * tests/unit/test_net_message.c with a corpus of its own.
 *
 * Input: the message. What the decoder takes must lie within it, or, for memory that others write, within the
 * segment or the region. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/net/message.c"

enum { FUZZ_NODE = 1, FUZZ_NODES = 4, FUZZ_SEGMENT = 65536, FUZZ_REGION = 4096 };
#define FUZZ_SEGMENT_AT UINT64_C(0x10000000)
#define FUZZ_REGION_AT  UINT64_C(0x8000)
static const gasnet_seginfo_t fuzz_region = {(void *)(uintptr_t)FUZZ_REGION_AT, FUZZ_REGION};

static unsigned fuzz_accepted, fuzz_refused;
static volatile unsigned char fuzz_sum;

static struct pst_net_receiver fuzz_receiver(void)
{
  return (struct pst_net_receiver){
      FUZZ_NODE, FUZZ_NODES, {(void *)(uintptr_t)FUZZ_SEGMENT_AT, FUZZ_SEGMENT}, &fuzz_region, 1};
}

static void fuzz_claim(int holds, const char *what)
{
  if (holds) return;
  fprintf(stderr, "fuzz_net_message: %s\n", what);
  abort();
}

/* The address sanitizer sees a read outside. */
static void fuzz_read(const void *p, size_t n)
{
  for (size_t i = 0; i < n; i++) fuzz_sum ^= ((const unsigned char *)p)[i];
}

static int fuzz_is_in(uint64_t begin, uint64_t size, uint64_t at, uint64_t n)
{
  return at >= begin && n <= size && at - begin <= size - n;
}

static void fuzz_in_segment(const void *p, size_t n)
{
  const uintptr_t at = (uintptr_t)p;
  fuzz_claim(n == 0 || fuzz_is_in(FUZZ_SEGMENT_AT, FUZZ_SEGMENT, at, n) ||
          fuzz_is_in(FUZZ_REGION_AT, FUZZ_REGION, at, n),
      "outside the segment and the region");
}

static void fuzz_check(const struct pst_net_parts *p)
{
  const struct pst_arrival *a = &p->arrival;
  fuzz_claim(a->src < FUZZ_NODES && a->src != FUZZ_NODE, "a source that does not exist");
  fuzz_claim(a->nargs <= PST_NET_MAX_ARGS && a->reply <= 1, "arguments, stream");
  fuzz_read(a->args, 4 * (size_t)a->nargs);
  if (a->kind == PST_AM_MEDIUM) fuzz_read(a->payload, a->nbytes);
  if (a->kind == PST_AM_LONG) fuzz_in_segment(a->payload, a->nbytes);
  if (p->data) fuzz_read(p->data, a->nbytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  const struct pst_net_receiver here = fuzz_receiver();
  struct pst_net_parts parts;
  /* A copy that ends where its memory ends, aligned as received messages are. */
  unsigned char *message = malloc(size ? size : 1);
  if (!message) return 0;
  memcpy(message, input, size);
  if (pst_net_decode(&here, message, size, &parts) == PST_OK) {
    fuzz_check(&parts);
    fuzz_accepted++;
  } else {
    fuzz_refused++;
  }
  free(message);
  return 0;
}
