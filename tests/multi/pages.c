/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The page size of this node's segment: pages KIB fails unless the kernel says KIB. Writes and reads every
 * byte of all segments through the neighbours. tests/check_hugepages.sh runs it. */
#include "common.h"

enum { SIZE = 4 << 20 };

/* KernelPageSize of the mapping that holds p, in KiB. */
static long page_kib(const void *p)
{
  FILE *f = fopen("/proc/self/smaps", "r");
  char line[256];
  unsigned long long begin, end;
  long kib = -1;
  int inside = 0;
  REQUIRE(f != NULL, "no /proc/self/smaps");
  while (kib < 0 && fgets(line, sizeof line, f)) {
    if (sscanf(line, "%llx-%llx", &begin, &end) == 2) inside = (uintptr_t)p >= begin && (uintptr_t)p < end;
    if (inside && sscanf(line, "KernelPageSize: %ld", &kib) != 1) kib = -1;
  }
  fclose(f);
  return kib;
}

int main(int argc, char **argv)
{
  const long wanted = argc > 1 ? atol(argv[1]) : 4;
  int one = 1;
  test_start("pages", &one, &argv, NULL, 0, SIZE);
  const gasnet_node_t next = (test.me + 1) % test.nodes;
  const long got = page_kib(test.seg[test.me].addr);
  unsigned char *mine = (unsigned char *)test.seg[test.me].addr;
  CHECK(got == wanted, "pages of %ld KiB, not %ld", got, wanted);
  gasnet_memset(next, test.seg[next].addr, (int)(test.me + 1), SIZE);
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  for (size_t i = 0; i < SIZE; i++)
    if (mine[i] != (unsigned char)((test.me + test.nodes - 1) % test.nodes + 1))
      REQUIRE(0, "byte %zu is %d", i, mine[i]);
  test_finish();
}
