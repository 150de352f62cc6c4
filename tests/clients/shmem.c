/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <shmem.h>
#include <stdio.h>
static long word;
int main(void)
{
  long value = 7;
  start_pes(0);
  shmem_long_put(&word, &value, 1, (_my_pe() + 1) % _num_pes());
  shmem_barrier_all();
  if (_my_pe() == 0 && word == 7) puts("the data are right");
  return 0;
}
