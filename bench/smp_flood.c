/* A stream of short messages from node 0 to node 1, from the first request until node 0 knows that every handler has
 * run. The reference is a ring of cache lines, each claimed by fetch-and-add as with many senders; the receiver
 * calls a function through a pointer for each and now and then says how far it is. */
#include "smp.h"

#include <gasnet.h>
#include <stdatomic.h>

enum { SLOTS = 512, TELL_EVERY = SLOTS / 4 };

struct slot {
  _Alignas(64) _Atomic uint64_t seq; /* its message's number from 1 on: full */
  uint64_t word[7];
};
struct ring {
  _Alignas(128) _Atomic uint64_t tail; /* claimed */
  _Alignas(128) _Atomic uint64_t head; /* received, as told last */
  _Alignas(128) struct slot slot[SLOTS];
};
enum { OFF_RING = 64 << 10, OFF_DONE = 60 << 10 };
_Static_assert(OFF_RING + sizeof(struct ring) <= SMP_OFF_WORDS, "the ring fits the bare area");

static struct ring *ring(void) { return (struct ring *)(smp.here[1] + OFF_RING); }

/* ---- bare ---- */

static uint64_t handled;
static void handle(uint64_t argument) { handled += argument; }
static void (*volatile handler)(uint64_t) = handle;

static void send_one(struct ring *r, uint64_t *head)
{
  const uint64_t i = atomic_fetch_add_explicit(&r->tail, 1, memory_order_relaxed);
  struct slot *s = &r->slot[i % SLOTS];
  while (i - *head >= SLOTS) *head = atomic_load_explicit(&r->head, memory_order_acquire);
  s->word[0] = 1;
  atomic_store_explicit(&s->seq, i + 1, memory_order_release);
}

static void receive_one(struct ring *r, uint64_t i)
{
  struct slot *s = &r->slot[i % SLOTS];
  while (atomic_load_explicit(&s->seq, memory_order_acquire) != i + 1) bench_pause();
  handler(s->word[0]);
  if ((i + 1) % TELL_EVERY == 0) atomic_store_explicit(&r->head, i + 1, memory_order_release);
}

static double bare_flood(long n)
{
  static uint64_t total, head;
  struct ring *r = ring();
  const uint64_t first = total;
  total += (uint64_t)n;
  const double start = bench_now_ns();
  if (smp.me == 0) {
    for (long i = 0; i < n; i++) send_one(r, &head);
    while (head != total) head = atomic_load_explicit(&r->head, memory_order_acquire);
  } else {
    for (uint64_t i = first; i < total; i++) receive_one(r, i);
    atomic_store_explicit(&r->head, total, memory_order_release);
    if (handled != total) gasnet_exit(1);
  }
  return (bench_now_ns() - start) / (double)n;
}

/* ---- ours ---- */

static volatile uint64_t served;

void smp_on_flood(gasnet_token_t token, gasnet_handlerarg_t argument)
{
  (void)token;
  served += (uint64_t)argument;
}

static double ours_flood(long n)
{
  static uint64_t total;
  volatile uint64_t *done = (volatile uint64_t *)(smp.here[0] + OFF_DONE);
  total += (uint64_t)n;
  const double start = bench_now_ns();
  if (smp.me == 0) {
    for (long i = 0; i < n; i++) gasnet_AMRequestShort1(1, SMP_H_FLOOD, 1);
    GASNET_BLOCKUNTIL(*done == total);
  } else {
    GASNET_BLOCKUNTIL(served == total);
    gasnet_put_val(0, (char *)smp.remote[0] + OFF_DONE, total, 8);
  }
  return (bench_now_ns() - start) / (double)n;
}

void smp_measure_flood(void)
{
  static const struct smp_contest contest = {"am_flood", {bare_flood}, ours_flood, 100000};
  smp_contest(&contest);
}
