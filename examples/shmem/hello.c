/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Who is there: each PE writes its number to its right neighbour, into a variable that is global, and says
 * what it got. */
#include <mpp/shmem.h>
#include <stdio.h>
#include <string.h>

static int from = -1; /* symmetric, as all static variables are */

int main(int argc, char **argv)
{
  start_pes(0);
  int me = _my_pe(), pes = _num_pes();
  if (argc > 1) {
    int help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (me == 0)
      fprintf(
          help ? stdout : stderr, "usage: oshrun -np N %s: each PE greets its right neighbour\n", argv[0]);
    shmem_barrier_all(); /* PE 0 has said so */
    return help ? 0 : 2;
  }
  shmem_int_p(&from, me, (me + 1) % pes);
  shmem_barrier_all();
  printf("PE %d of %d: greetings from PE %d\n", me, pes, from);
  return from != (me + pes - 1) % pes;
}
