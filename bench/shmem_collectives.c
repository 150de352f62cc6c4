/* Collectives one behind the other, and barriers against those of gasnet.h in the same job. */
#include "shmem.h"

#include <gasnet.h>
#include <mpp/shmem.h>
#include <string.h>

enum { BROADCAST = 1024 }; /* words */

static long sync_words[2][_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];
static long target[2][OSH_VECTOR], work[OSH_VECTOR / 2 + 1 + _SHMEM_REDUCE_MIN_WRKDATA_SIZE];

/* The time of all PEs together: the last barrier counts. */
#define LOOP(n, body) \
  const double start = bench_now_ns(); \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % 2; \
    (void)k; \
    body; \
  } \
  shmem_barrier_all(); \
  return (bench_now_ns() - start) / (double)(n)

static double bare_copy(long n)
{
  LOOP(n, if (osh.me == 1) memcpy(target[k], osh.heap_of[0], BROADCAST * sizeof(long)); bench_compiler_barrier());
}
static double broadcast(long n) { LOOP(n, shmem_broadcast64(target[k], osh_static, BROADCAST, 0, 0, 0, osh.pes, sync_words[k])); }
static double sum_1(long n) { LOOP(n, shmem_long_sum_to_all(target[k], osh_static, 1, 0, 0, osh.pes, work, sync_words[k])); }
static double sum_8192(long n) { LOOP(n, shmem_long_sum_to_all(target[k], osh_static, OSH_VECTOR, 0, 0, osh.pes, work, sync_words[k])); }

void osh_measure_collectives(void)
{
  static const struct osh_contest contests[] = {
    {"broadcast_8K", bare_copy, broadcast, 1000}, {"sum_1", NULL, sum_1, 1000}, {"sum_8192", NULL, sum_8192, 100},
  };
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < sizeof sync_words[0] / sizeof sync_words[0][0]; i++) sync_words[k][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) osh_contest(&contests[i]);
}

static double gasnet(long n)
{
  LOOP(n, gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS); gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
}
static double barrier_all(long n) { LOOP(n, shmem_barrier_all()); }

void osh_measure_barrier(void)
{
  const struct osh_contest contest = {osh.pes == 2 ? "barrier_2" : osh.pes == 4 ? "barrier_4" : "barrier_8", gasnet, barrier_all,
    osh.pes == 2 ? 2000 : 200};
  osh_contest(&contest);
}
