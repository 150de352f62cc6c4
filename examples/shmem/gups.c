/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random updates of a table that is spread over all PEs: each PE adds numbers to words anywhere, atomically,
 * as fast as it can. Then each PE works out, from everybody's random numbers, what its part must be, and
 * compares. */
#include <stdint.h>
#include <time.h>

#include "options.h"

static long bits = 14, updates = 4;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* xorshift64*: each PE has its own sequence. */
static uint64_t first_random(int pe) { return 0x9e3779b97f4a7c15u * ((uint64_t)pe + 1); }
static uint64_t next_random(uint64_t *state)
{
  uint64_t x = *state;
  x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
  *state = x;
  return x * 0x2545f4914f6cdd1du;
}

struct update {
  int pe;
  size_t at;
  long add;
};
static struct update next_update(uint64_t *state)
{
  uint64_t r = next_random(state);
  return (struct update){
      (int)((r >> 32) % (uint64_t)_num_pes()), (size_t)(r & (((uint64_t)1 << bits) - 1)), (long)(r >> 40)};
}

static double update_all(long *table, long count)
{
  uint64_t state = first_random(_my_pe());
  double start = now();
  for (long i = 0; i < count; i++) {
    struct update u = next_update(&state);
    shmem_long_add(&table[u.at], u.add, u.pe);
  }
  shmem_barrier_all(); /* all updates have arrived */
  return now() - start;
}

/* Subtracts all that was added here: the first values must be left. */
static long wrong_words(long *table, long count)
{
  for (int pe = 0; pe < _num_pes(); pe++) {
    uint64_t state = first_random(pe);
    for (long i = 0; i < count; i++) {
      struct update u = next_update(&state);
      if (u.pe == _my_pe()) table[u.at] -= u.add;
    }
  }
  long wrong = 0;
  for (long i = 0; i < 1L << bits; i++) wrong += table[i] != i;
  return wrong;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"bits", &bits, 1, 30, "each PE has 2^BITS words of the table"},
      {"updates", &updates, 1, 1000, "updates for each of these words"}, {NULL, NULL, 0, 0, NULL}};
  start_pes(0);
  read_options(argc, argv, "Adds to random words of a table on all PEs, and checks each word.", options);
  size_t bytes = sizeof(long) << bits;
  long *table = shmalloc(bytes);
  if (!table) {
    if (_my_pe() == 0)
      fprintf(stderr, "%s: no room for %zu bytes; SMA_SYMMETRIC_SIZE sets the size of the heap\n", argv[0],
          bytes);
    leave(3);
  }
  for (long i = 0; i < 1L << bits; i++) table[i] = i;
  shmem_barrier_all();
  long count = updates << bits;
  double seconds = update_all(table, count);
  long good = count_pes(wrong_words(table, count) == 0);
  if (_my_pe() == 0) {
    printf("%ld updates of %ld words on %d PEs: %s\n", count * _num_pes(), (1L << bits) * _num_pes(),
        _num_pes(), good == _num_pes() ? "right" : "WRONG");
    printf("%.6f GUPS\n", (double)count * _num_pes() / seconds / 1e9);
  }
  shfree(table);
  return good != _num_pes();
}
