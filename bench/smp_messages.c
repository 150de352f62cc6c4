/* Messages there and back, and the barrier of two, against bare exchanges through cache lines of the segments. */
#include "smp.h"

#include <gasnet.h>
#include <stdatomic.h>

enum { MEDIUM = 512 };

/* The bare area of each node's segment. */
struct slot {
  _Alignas(64) _Atomic uint64_t seq;
  uint64_t word[7];
};
struct area {
  _Alignas(128) struct slot slot, flag, full;
  _Alignas(128) char data[MEDIUM];
};

/* Sequence numbers go on counting from loop to loop and from variant to variant: nothing is ever reset. */
static uint64_t slot_seq, flag_seq, full_seq;
static char mine[MEDIUM]; /* private end of the copies */

static struct area *area(unsigned node) { return (struct area *)(smp.here[node] + SMP_OFF_BARE); }

static inline void post(struct slot *s, uint64_t seq)
{
  atomic_store_explicit(&s->seq, seq, memory_order_release);
}

/* Whether a pause instruction in the wait makes it faster depends on the CPU: each reference exists in both forms, with a
 * row for each; the bound is on the plain one. `pausing` is a constant wherever this is inlined. */
static inline __attribute__((always_inline)) void await(struct slot *s, uint64_t seq, int pausing)
{
  while (atomic_load_explicit(&s->seq, memory_order_acquire) < seq)
    if (pausing) bench_pause();
}

/* ---- bare ---- */

static inline __attribute__((always_inline)) double bare_short(long n, int pausing)
{
  struct slot *in = &area(smp.me)->slot, *out = &area(1 - smp.me)->slot;
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    slot_seq++;
    if (smp.me == 1) await(in, slot_seq, pausing);
    out->word[0] = smp.me ? in->word[0] : slot_seq;
    post(out, slot_seq);
    if (smp.me == 0) await(in, slot_seq, pausing);
  }
  return (bench_now_ns() - start) / (double)n;
}
static double bare_short_eager(long n) { return bare_short(n, 0); }
static double bare_short_pausing(long n) { return bare_short(n, 1); }

static inline __attribute__((always_inline)) void receive_data(int pausing)
{
  struct area *in = area(smp.me);
  await(&in->full, full_seq, pausing);
  memcpy(mine, in->data, MEDIUM);
}

static inline void send_data(void)
{
  struct area *out = area(1 - smp.me);
  memcpy(out->data, mine, MEDIUM);
  post(&out->full, full_seq);
}

static inline __attribute__((always_inline)) double bare_medium(long n, int pausing)
{
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    full_seq++;
    if (smp.me == 1) receive_data(pausing);
    send_data();
    if (smp.me == 0) receive_data(pausing);
  }
  return (bench_now_ns() - start) / (double)n;
}
static double bare_medium_eager(long n) { return bare_medium(n, 0); }
static double bare_medium_pausing(long n) { return bare_medium(n, 1); }

static inline __attribute__((always_inline)) double bare_flags(long n, int pausing)
{
  struct slot *own = &area(smp.me)->flag, *other = &area(1 - smp.me)->flag;
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    post(own, ++flag_seq);
    await(other, flag_seq, pausing);
  }
  return (bench_now_ns() - start) / (double)n;
}
static double bare_flags_eager(long n) { return bare_flags(n, 0); }
static double bare_flags_pausing(long n) { return bare_flags(n, 1); }

/* ---- ours ---- */

static volatile long pings, pongs;

void smp_on_ping(gasnet_token_t token)
{
  pings++;
  gasnet_AMReplyShort0(token, SMP_H_PONG);
}

void smp_on_pong(gasnet_token_t token)
{
  (void)token;
  pongs++;
}

/* As the bare loop does, the data goes to private memory and from there back. */
void smp_on_ping_medium(gasnet_token_t token, void *data, size_t n)
{
  memcpy(mine, data, n);
  pings++;
  gasnet_AMReplyMedium0(token, SMP_H_PONG_MEDIUM, mine, n);
}

void smp_on_pong_medium(gasnet_token_t token, void *data, size_t n)
{
  (void)token;
  memcpy(mine, data, n);
  pongs++;
}

/* Counted over all measurements: the first ping may have been served while this process was leaving the barrier. */
static double serve(long n)
{
  static long expected;
  expected += n;
  GASNET_BLOCKUNTIL(pings == expected);
  return 0;
}

static double ours_short(long n)
{
  if (smp.me == 1) return serve(n);
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    const long next = pongs + 1;
    gasnet_AMRequestShort0(1, SMP_H_PING);
    GASNET_BLOCKUNTIL(pongs == next);
  }
  return (bench_now_ns() - start) / (double)n;
}

static double ours_medium(long n)
{
  if (smp.me == 1) return serve(n);
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    const long next = pongs + 1;
    gasnet_AMRequestMedium0(1, SMP_H_PING_MEDIUM, mine, MEDIUM);
    GASNET_BLOCKUNTIL(pongs == next);
  }
  return (bench_now_ns() - start) / (double)n;
}

static double ours_barrier(long n)
{
  const double start = bench_now_ns();
  for (long i = 0; i < n; i++) {
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  }
  return (bench_now_ns() - start) / (double)n;
}

void smp_measure_messages(void)
{
  static const struct smp_contest contests[] = {
    {"am_short", {bare_short_eager}, ours_short, 20000},
    {"am_short_p", {bare_short_pausing}, ours_short, 20000},
    {"am_medium", {bare_medium_eager}, ours_medium, 10000},
    {"am_medium_p", {bare_medium_pausing}, ours_medium, 10000},
  };
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) smp_contest(&contests[i]);
}

void smp_measure_pair_barrier(void)
{
  static const struct smp_contest contests[] = {
    {"barrier_2", {bare_flags_eager}, ours_barrier, 40000},
    {"barrier_2_p", {bare_flags_pausing}, ours_barrier, 40000},
  };
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) smp_contest(&contests[i]);
}
