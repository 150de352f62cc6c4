/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Each PE has a row of blocks, one for each PE, and puts them where they belong: block b of PE a becomes
 * block a of PE b. */
#include <stdint.h>
#include <time.h>

#include "options.h"

static long words = 1024, rounds = 10;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Says where a word comes from, where it goes, and when. */
static uint64_t word(int from, int to, long i, long round)
{
  uint64_t x = ((uint64_t)from << 48 ^ (uint64_t)to << 32 ^ (uint64_t)i) +
      (uint64_t)round * 0x9e3779b97f4a7c15u;
  x ^= x >> 31;
  return x * 0xbf58476d1ce4e5b9u;
}

static void fill(uint64_t *row, long round)
{
  for (int to = 0; to < _num_pes(); to++)
    for (long i = 0; i < words; i++) row[to * words + i] = word(_my_pe(), to, i, round);
}

static int is_right(const uint64_t *row, long round)
{
  for (int from = 0; from < _num_pes(); from++)
    for (long i = 0; i < words; i++)
      if (row[from * words + i] != word(from, _my_pe(), i, round)) return 0;
  return 1;
}

/* Each PE begins with itself, not with PE 0: the load is even. */
static void exchange(uint64_t *target, const uint64_t *source)
{
  int me = _my_pe(), pes = _num_pes();
  for (int i = 0; i < pes; i++) {
    int to = (me + i) % pes;
    shmem_put64(target + me * words, source + to * words, (size_t)words, to);
  }
  shmem_barrier_all(); /* all blocks are here */
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"words", &words, 1, 1 << 24, "64-bit words in a block"},
      {"rounds", &rounds, 1, 1000000, "how often"}, {NULL, NULL, 0, 0, NULL}};
  start_pes(0);
  read_options(argc, argv, "Exchanges a block of words between any two PEs, and checks each word.", options);
  size_t bytes = (size_t)_num_pes() * (size_t)words * sizeof(uint64_t);
  uint64_t *source = shmalloc(bytes), *target = shmalloc(bytes);
  if (!source || !target) {
    if (_my_pe() == 0)
      fprintf(stderr, "%s: no room for 2 x %zu bytes; SMA_SYMMETRIC_SIZE sets the size of the heap\n",
          argv[0], bytes);
    leave(3);
  }
  double seconds = 0;
  int right = 1;
  for (long round = 0; round < rounds; round++) {
    fill(source, round);
    shmem_barrier_all();
    double start = now();
    exchange(target, source);
    seconds += now() - start;
    right &= is_right(target, round);
    shmem_barrier_all(); /* all have looked at what the next round overwrites */
  }
  long good = count_pes(right);
  if (_my_pe() == 0) {
    printf("%ld rounds of %d x %d blocks of %ld words: %s\n", rounds, _num_pes(), _num_pes(), words,
        good == _num_pes() ? "right" : "WRONG");
    printf("%.1f MB/s from each PE\n", (double)bytes * (double)rounds / seconds / 1e6);
  }
  shfree(target);
  shfree(source);
  return good != _num_pes();
}
