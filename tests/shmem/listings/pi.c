/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* After listing 10 of the OpenSHMEM 1.0 document: Buffon's needle, the same calls and the same output. As
 * printed it includes mpv/shmem.h, defines M_PI_2 again and lacks sys/time.h; here TRIES can be set by -D,
 * and the number of PEs is not asked for. */
#include <math.h>
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#ifndef TRIES
#define TRIES 1000000000
#endif

static double timerval(void)
{
  struct timeval t;
  gettimeofday(&t, NULL);
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* How many of `total` points lie below the sine. */
static int throw_needles(int total)
{
  int hit = 0;
  for (int i = 0; i < total; i++) {
    double x = (double)rand() / RAND_MAX, theta = M_PI_2 * ((double)rand() / RAND_MAX);
    hit += x < sin(theta);
  }
  return hit;
}

/* All but rank 0 throw; rank 1 also what does not divide. */
static int share(int rank, int numprocs)
{
  return rank == 0 ? 0 : TRIES / (numprocs - 1) + (rank == 1 ? TRIES % (numprocs - 1) : 0);
}

int main(void)
{
  int hit = 0;
  start_pes(0);
  int numprocs = _num_pes(), rank = _my_pe();
  int *buf = shmalloc(sizeof(int) * (size_t)numprocs);
  srand((unsigned)time(NULL));
  if (rank == 0) {
    printf("pi is %f\n", M_PI_2);
    printf("sin(pi/2) is %f\n", sin(M_PI_2));
    fflush(stdout);
  }
  double start = timerval();
  buf[0] = throw_needles(share(rank, numprocs));
  shmem_barrier_all();

  if (rank == 0)
    for (int i = 1; i < numprocs; i++) {
      shmem_getmem(buf, buf, sizeof(int), i);
      hit += buf[0];
      printf("from node(%d), getmem buf\t %d, so hit is\t %d\n", i, buf[0], hit);
    }
  shmem_barrier_all();

  if (rank == 0) {
    printf("Hit is : %d :: Total is %d \n", hit, TRIES);
    printf("My pi is %.16f \n", 2 * (1 / ((double)hit / TRIES)));
    printf("Elapsed time is %f \n", timerval() - start);
  }
  shmem_barrier_all();
  return 0;
}
