/* More processes than cores: barriers and a message that goes round. */
#include "smp.h"

#include <gasnet.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In node 0's segment. The last to arrive starts the next generation. */
struct central {
  _Alignas(128) _Atomic uint32_t arrived;
  _Alignas(128) _Atomic uint32_t generation;
};
/* In each node's. */
struct token {
  _Alignas(128) _Atomic uint64_t seq;
};
enum { OFF_TOKEN = 4096 };

static struct central *central(void) { return (struct central *)(smp.here[0] + SMP_OFF_BARE); }
static struct token *token(unsigned node) { return (struct token *)(smp.here[node] + OFF_TOKEN); }

/* ---- bare barriers ---- */

static inline int spin(_Atomic uint32_t *word, uint32_t old, unsigned spins)
{
  for (unsigned i = 0; i < spins; i++) {
    if (atomic_load_explicit(word, memory_order_acquire) != old) return 1;
    bench_pause();
  }
  return atomic_load_explicit(word, memory_order_acquire) != old;
}

static inline void wait_yielding(_Atomic uint32_t *word, uint32_t old, unsigned spins)
{
  while (!spin(word, old, spins)) sched_yield();
}

static inline void wait_futex(_Atomic uint32_t *word, uint32_t old, unsigned spins)
{
  if (spin(word, old, spins)) return;
  while (atomic_load_explicit(word, memory_order_acquire) == old) syscall(SYS_futex, word, FUTEX_WAIT, old, NULL, NULL, 0);
}

static inline __attribute__((always_inline)) double bare_barrier(long n, unsigned spins, int futex)
{
  struct central *c = central();
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    const uint32_t old = atomic_load_explicit(&c->generation, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&c->arrived, 1, memory_order_acq_rel) + 1 < smp.nodes) {
      if (futex) wait_futex(&c->generation, old, spins);
      else wait_yielding(&c->generation, old, spins);
      continue;
    }
    atomic_store_explicit(&c->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&c->generation, old + 1, memory_order_release);
    if (futex) syscall(SYS_futex, &c->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
  return (bench_now_ns() - start) / (double)n;
}
static double yield_at_once(long n) { return bare_barrier(n, 0, 0); }
static double yield_after_10(long n) { return bare_barrier(n, 10, 0); }
static double yield_after_100(long n) { return bare_barrier(n, 100, 0); }
static double futex_at_once(long n) { return bare_barrier(n, 0, 1); }
static double futex_after_100(long n) { return bare_barrier(n, 100, 1); }

static double ours_barrier(long n)
{
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  }
  return (bench_now_ns() - start) / (double)n;
}

void smp_measure_barrier(void)
{
  char key[32];
  const struct smp_contest c = {key, {yield_at_once, yield_after_10, yield_after_100, futex_at_once, futex_after_100},
                                ours_barrier, 16000 / (long)smp.nodes};
  snprintf(key, sizeof key, "barrier_%u", smp.nodes);
  smp_contest(&c);
}

/* ---- a message that goes round: node 0 sends it, each passes it on, node 0 has it back ---- */

static double bare_ring(long n)
{
  static uint64_t seq;
  struct token *in = token(smp.me), *out = token((smp.me + 1) % smp.nodes);
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    seq++;
    if (smp.me == 0) atomic_store_explicit(&out->seq, seq, memory_order_release);
    while (atomic_load_explicit(&in->seq, memory_order_acquire) != seq) sched_yield();
    if (smp.me != 0) atomic_store_explicit(&out->seq, seq, memory_order_release);
  }
  return (bench_now_ns() - start) / (double)n;
}

static volatile long tokens;

void smp_on_token(gasnet_token_t from)
{
  (void)from;
  tokens++;
}

static double ours_ring(long n)
{
  static long expected; /* the next token may have come while this process was sending the last */
  const gasnet_node_t next = (smp.me + 1) % smp.nodes;
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    expected++;
    if (smp.me == 0) gasnet_AMRequestShort0(next, SMP_H_TOKEN);
    GASNET_BLOCKUNTIL(tokens >= expected);
    if (smp.me != 0) gasnet_AMRequestShort0(next, SMP_H_TOKEN);
  }
  return (bench_now_ns() - start) / (double)n;
}

void smp_measure_ring(void)
{
  static const struct smp_contest c = {"am_ring_8", {bare_ring}, ours_ring, 2000};
  smp_contest(&c);
}
