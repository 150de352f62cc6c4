/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Prints the largest block that the heap has room for; tests/check_shmem_env.sh knows what it should be. Only
 * SMA_DEBUG complains about a wrong alignment. */
#include "common.h"

static size_t largest(void)
{
  size_t yes = 0, no = (size_t)1 << 40;
  while (no - yes > 64) {
    const size_t middle = yes + (no - yes) / 2;
    void *p = shmalloc(middle);
    if (p) yes = middle;
    else no = middle;
    shfree(p);
  }
  return yes;
}

int main(int argc, char **argv)
{
  test_start("environment", &argc, &argv);
  const size_t most = largest();
  if (test.me == 0) printf("largest block %zu\n", most);
  CHECK(shmalign(24, 8) == NULL, "shmalign to 24 bytes");
  return test_finish();
}
