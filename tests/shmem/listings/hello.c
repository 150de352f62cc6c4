/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Listing 1 of the OpenSHMEM 1.0 document, as printed; it lacks stdio.h. */
#include <mpp/shmem.h>

int main(int argc, char *argv[])
{
  int i, me, my_num_pes;
  /*
  ** Starts/Initializes SHMEM/OpenSHMEM
  */
  start_pes(0);
  /*
  ** Fetch the number of processes
  ** Some implementations use num_pes();
  */
  my_num_pes = _num_pes();
  /*
  ** Assign my process ID to me
  */
  me = _my_pe();
  printf("Hello World from %d of %d\n", me, my_num_pes);
  return 0;
}
