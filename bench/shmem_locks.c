/* A lock that nobody else wants: PE 0 takes and clears those of a table in turn, wherever the library keeps each. */
#include "shmem.h"

#include <mpp/shmem.h>
#include <string.h>

static long locks[OSH_WINDOW];

#define LOOP(n, body) \
  if (osh.me != 0) return 0; \
  const double start = bench_now_ns(); \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % OSH_WINDOW; \
    body; \
    bench_compiler_barrier(); \
  } \
  return (bench_now_ns() - start) / (double)(n)

static double bare(long n)
{
  LOOP(n, __atomic_fetch_add(&osh.heap_of[1][k], 1, __ATOMIC_SEQ_CST); __atomic_fetch_add(&osh.heap_of[1][k], -1, __ATOMIC_SEQ_CST));
}
static double heap(long n) { LOOP(n, shmem_set_lock(&osh.heap[k]); shmem_clear_lock(&osh.heap[k])); }
static double statics(long n) { LOOP(n, shmem_set_lock(&locks[k]); shmem_clear_lock(&locks[k])); }

void osh_measure_locks(void)
{
  enum { N = 20000 };
  static const struct osh_contest contests[] = {{"lock_heap", bare, heap, N}, {"lock_static", bare, statics, N}};
  if (!osh.heap_of[1]) return;
  memset(osh.heap, 0, OSH_WINDOW * sizeof *osh.heap);
  shmem_barrier_all();
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) osh_contest(&contests[i]);
}
