/* Words at random in tables that no cache holds, on both PEs, by both PEs at once. */
#include "shmem.h"

#include <mpp/shmem.h>

static inline uint64_t next(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

/* Everybody measures its own part; others are waited for in the next barrier. */
#define LOOP(n, body) \
  uint64_t x = 77 + (uint64_t)osh.me; \
  const double start = bench_now_ns(); \
  for (long i = 0; i < (n); i++) { \
    x = next(x); \
    const int pe = (int)(x >> 63); \
    const size_t at = (size_t)(x >> 20) % OSH_TABLE; \
    body; \
    bench_compiler_barrier(); \
  } \
  return (bench_now_ns() - start) / (double)(n)

static double bare_put(long n) { LOOP(n, osh.heap_of[pe][at] = (long)x); }
static double bare_add(long n) { LOOP(n, __atomic_fetch_add(&osh.heap_of[pe][at], (long)x, __ATOMIC_SEQ_CST)); }
static double put(long n) { LOOP(n, shmem_long_p(&osh.heap[at], (long)x, pe)); }
static double add(long n) { LOOP(n, shmem_long_add(&osh.heap[at], (long)x, pe)); }

void osh_measure_updates(void)
{
  enum { N = 50000 };
  static const struct osh_contest contests[] = {{"random_put", bare_put, put, N}, {"random_add", bare_add, add, N}};
  if (!osh.heap_of[0] || !osh.heap_of[1]) return;
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) osh_contest(&contests[i]);
}
