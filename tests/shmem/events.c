/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls a routine of each kind, by inline functions and by address, and prints how many events a performance
 * tool must get: tests/check_gasp.sh compares. Each event has its own line if oshcc --inst compiles it. Exit
 * code 1 if data are wrong. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long words[8], pSync[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], lock;
static long double wide;
static int me, pes, next, before, bad;
static unsigned events;

/* The call, which is an event with a begin and an end. */
#define TOLD(call) \
  do { \
    call; \
    events += 2; \
  } while (0)
#define MUST(that) \
  do { \
    if (!(that)) fprintf(stderr, "PE %d, line %d: not %s\n", me, __LINE__, #that), bad = 1; \
  } while (0)

static void put_and_get(void)
{
  void (*const put)(long *, const long *, size_t, int) = shmem_long_put;
  long here[8] = {10 + me, 20, 30, 40};
  long double w = 0;
  TOLD(shmem_long_put(words, here, 1, next));
  TOLD(put(words + 1, here + 1, 2, next));
  TOLD(shmem_putmem(words + 3, here + 3, sizeof *here, next));
  TOLD(shmem_long_p(words + 4, 50, next));
  TOLD(shmem_longdouble_p(&wide, 1.5L, next));
  TOLD(shmem_long_iput(words + 5, here + 2, 1, -1, 2, next));
  TOLD(shmem_put32(words, here, 0, next));
  TOLD(shmem_fence());
  TOLD(shmem_quiet());
  TOLD(shmem_quiet());
  TOLD(shmem_barrier_all());
  MUST(words[0] == 10 + before && words[1] == 20 && words[2] == 30 && words[3] == 40 && words[4] == 50 &&
      words[5] == 30 && words[6] == 20);
  TOLD(shmem_long_get(here, words, 7, next));
  MUST(here[0] == 10 + me && here[5] == 30);
  TOLD(here[0] = shmem_long_g(words + 1, next));
  TOLD(w = shmem_longdouble_g(&wide, next));
  TOLD(shmem_long_iget(here + 1, words + 1, 2, 1, 2, next));
  MUST(here[0] == 20 && here[1] == 20 && here[3] == 30 && w == 1.5L);
  MUST(shmem_ptr(words, me) == words && shmem_addr_accessible(words, next));
  TOLD(shmem_barrier_all());
}

static void count(void)
{
  long was[4] = {0};
  TOLD(was[0] = shmem_long_swap(words, 1, next));
  TOLD(was[1] = shmem_long_cswap(words, 1, 2, next));
  TOLD(was[2] = shmem_long_fadd(words, 3, next));
  TOLD(was[3] = shmem_long_finc(words, next));
  MUST(was[0] == 10 + me && was[1] == 1 && was[2] == 2 && was[3] == 5);
  TOLD(shmem_long_add(words, 10, next));
  TOLD(shmem_long_inc(words, next));
  TOLD(shmem_long_wait_until(words, SHMEM_CMP_EQ, 17));
  TOLD(shmem_wait(words, 16));
  TOLD(shmem_set_lock(&lock));
  TOLD(shmem_clear_lock(&lock));
  TOLD(shmem_barrier_all());
  if (me == 0) TOLD(MUST(shmem_test_lock(&lock) == 0));
  if (me == 0) TOLD(shmem_clear_lock(&lock));
}

static void together(void)
{
  long *const block = words + 1;
  TOLD(shmem_barrier(0, 0, pes, pSync));
  words[0] = me + 1;
  TOLD(shmem_long_sum_to_all(block, words, 1, 0, 0, pes, work, pSync));
  MUST(words[1] == (long)pes * (pes + 1) / 2);
  TOLD(shmem_barrier(me, 0, 1, pSync));
  TOLD(shmem_broadcast64(block, words, 1, 0, 0, 0, pes, pSync));
  MUST(me == 0 || words[1] == 1);
  TOLD(shmem_collect64(block, words, me == 0, 0, 0, pes, pSync));
  TOLD(shmem_fcollect32(block, words, 1, 0, 0, pes, pSync));
}

static void allocate(void)
{
  void *block = NULL;
  TOLD(block = shmalloc(100));
  TOLD(block = shrealloc(block, 5000));
  MUST(block);
  TOLD(shfree(block));
  TOLD(block = shmem_align(256, 100));
  MUST(((size_t)block & 255) == 0);
  TOLD(shmem_free(block));
  TOLD(block = shmem_calloc(10, 10));
  MUST(block && memchr(block, 0, 1) == block);
  TOLD(block = shrealloc(block, 0));
  TOLD(block = shmem_realloc(block, 100));
  TOLD(shfree(block));
  TOLD(shfree(NULL));
}

int main(void)
{
  start_pes(0);
  start_pes(0);
  events++;
  me = shmem_my_pe();
  pes = shmem_n_pes();
  next = (me + 1) % pes;
  before = (me + pes - 1) % pes;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) pSync[i] = SHMEM_SYNC_VALUE;
  TOLD(shmem_barrier_all());
  put_and_get();
  count();
  together();
  allocate();
  events += 2;
  printf("thread %d: %u events\n", me, events);
  fflush(stdout);
  if (bad) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
