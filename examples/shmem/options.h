/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Command lines of the OpenSHMEM examples, and how they leave. Only PE 0 says what is wrong, and all end. */
#ifndef EXAMPLES_SHMEM_OPTIONS_H
#define EXAMPLES_SHMEM_OPTIONS_H

#include <mpp/shmem.h>

#include "../options.h"

/* Ends the job with this code. PE 0 has printed why before. */
static inline void leave(int code)
{
  shmem_barrier_all();
  exit(code);
}

/* The list of options ends with one that has no name. */
static inline void read_options(int argc, char **argv, const char *does, const struct option *options)
{
  int code = options_read(argc, argv, "oshrun -np N", does, options, _my_pe() == 0);
  if (code >= 0) leave(code);
}

/* How many of all PEs say yes. */
static inline long count_pes(int yes)
{
  static long mine, all, work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE], sync[_SHMEM_REDUCE_SYNC_SIZE];
  for (int i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) sync[i] = _SHMEM_SYNC_VALUE;
  mine = yes != 0;
  shmem_barrier_all(); /* all have set sync */
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, _num_pes(), work, sync);
  shmem_barrier_all(); /* nobody sets it while another is in the sum */
  return all;
}

#endif
