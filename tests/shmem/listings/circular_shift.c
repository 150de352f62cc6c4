/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Listing 2 of the OpenSHMEM 1.0 document, as printed. */
/* circular shift bbb into aaa */
#include <mpp/shmem.h>

int aaa, bbb;

int main(int argc, char *argv[])
{
  start_pes(0);
  shmem_int_get(&aaa, &bbb, 1, (_my_pe() + 1) % _num_pes());
  shmem_barrier_all();
}
