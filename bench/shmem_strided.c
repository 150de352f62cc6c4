/* Every other word to and from the neighbour, against a loop. */
#include "shmem.h"

#include <mpp/shmem.h>

enum { COUNT = 1024, STEP = 2 };

static long here[COUNT * STEP];
static volatile ptrdiff_t step = STEP; /* not known to the compiler */

#define LOOP(n, call) \
  if (osh.me != 0) return 0; \
  const ptrdiff_t s = step; \
  const double start = bench_now_ns(); \
  for (long i = 0; i < (n); i++) { \
    call; \
    bench_compiler_barrier(); \
  } \
  return (bench_now_ns() - start) / (double)(n) / COUNT

static double bare_put(long n) { LOOP(n, osh_loop_strided(osh.heap_of[1], here, s, s, COUNT)); }
static double bare_get(long n) { LOOP(n, osh_loop_strided(here, osh.heap_of[1], s, s, COUNT)); }
static double iput(long n) { LOOP(n, shmem_long_iput(osh.heap, here, s, s, COUNT, 1); shmem_quiet()); }
static double iget(long n) { LOOP(n, shmem_long_iget(here, osh.heap, s, s, COUNT, 1)); }

void osh_measure_strided(void)
{
  enum { N = 400 };
  static const struct osh_contest contests[] = {{"iput", bare_put, iput, N}, {"iget", bare_get, iget, N}};
  if (!osh.heap_of[1]) return;
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) osh_contest(&contests[i]);
}
