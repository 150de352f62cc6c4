/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Listing 3 of the OpenSHMEM 1.0 document, as printed. */
/*
 * OpenSHMEM program to allocate (shmalloc) symmetric memory (1 long integer),
 * and then free it. Success of allocation is untested.
 *
 * This program produces no output.
 */

#include <mpp/shmem.h>

int main(void)
{
  long *x;
  start_pes(0);
  x = (long *)shmalloc(sizeof(*x));
  shfree(x);
  return 0;
}
