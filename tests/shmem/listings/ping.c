/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Listing 4 of the OpenSHMEM 1.0 document, as printed. */
/*
 * test if PE is accessible
 *
 */

#include <stdio.h>

#include <mpp/shmem.h>

int main(void)
{
  int me, npes;

  setbuf(stdout, NULL);

  start_pes(0);
  me = _my_pe();
  npes = _num_pes();

  if (me == 0) {
    int i;
    for (i = 1; i < npes; i += 1) {
      printf("From %d: PE %d is ", me, i);
      printf("%s", shmem_pe_accessible(i) ? "" : "NOT ");
      printf("accessible\n");
    }
  }

  return 0;
}
