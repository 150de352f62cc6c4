/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The decoder of descriptions against arbitrary bytes: make fuzz runs it under libFuzzer,
 * tests/unit/test_wire.c with a corpus of its own.
 *
 * Input: how many bytes the message says it has (2 bytes, low one first), then the description. The data, and
 * the window and the region that it may address, lie between protected pages, more than ordinary strides can
 * step over. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "vis/wire.h"

enum {
  FUZZ_PAGE = 65536,
  FUZZ_WINDOW = FUZZ_PAGE,
  FUZZ_REGION = 4096,
  FUZZ_REGION_BELOW = 2 * FUZZ_PAGE,
  FUZZ_DATA_MOST = 8191
};

static char *fuzz_window, *fuzz_data_end;
static gasnet_seginfo_t fuzz_region; /* 4 KiB below the window: another one */
static unsigned fuzz_accepted, fuzz_refused;

/* A page's worth of memory with nothing around it. */
static char *alone(void)
{
  const size_t around = (size_t)1 << 32;
  char *p = mmap(NULL, 2 * around + FUZZ_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED || mprotect(p + around, FUZZ_PAGE, PROT_READ | PROT_WRITE) != 0) {
    perror("fuzz_wire: no address space");
    exit(1);
  }
  return p + around;
}

static void fuzz_open(void)
{
  if (fuzz_window) return;
  fuzz_window = alone();
  fuzz_region = (gasnet_seginfo_t){fuzz_window - FUZZ_REGION_BELOW, FUZZ_REGION};
  if (mprotect(fuzz_region.addr, FUZZ_REGION, PROT_READ | PROT_WRITE) != 0) exit(1);
  fuzz_data_end = alone() + FUZZ_PAGE;
}

/* Both directions judge alike: a description that can be read can be written again. */
static void check_agreement(const char *packed, const char *unpacked)
{
  if ((packed == NULL) == (unpacked == NULL) && (!packed || strcmp(packed, unpacked) == 0)) return;
  fprintf(stderr, "fuzz_wire: pack says \"%s\", unpack \"%s\"\n", packed ? packed : "right",
      unpacked ? unpacked : "right");
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  struct pst_wire_window w;
  const char *packed, *unpacked;
  size_t n;
  char *data;
  unsigned char *description;
  if (size < 2) return 0;
  fuzz_open();
  n = (input[0] | (size_t)input[1] << 8) & FUZZ_DATA_MOST;
  data = fuzz_data_end - n;
  w = (struct pst_wire_window){(uintptr_t)fuzz_window, FUZZ_WINDOW, &fuzz_region, 1};
  /* A copy that ends where its memory ends, for the address sanitizer. */
  description = malloc(size - 2 ? size - 2 : 1);
  if (!description) return 0;
  memcpy(description, input + 2, size - 2);
  packed = pst_wire_pack(&w, description, size - 2, data, n);
  unpacked = pst_wire_unpack(&w, description, size - 2, data, n);
  free(description);
  check_agreement(packed, unpacked);
  if (packed) fuzz_refused++;
  else fuzz_accepted++;
  return 0;
}
