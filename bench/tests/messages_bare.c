/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Bare exchanges of two processes through cache lines of the segments. They wait by looking, without a pause;
 * whether a pause instruction makes that faster depends on the processor, hence both forms. */
#include "messages.h"

#include <stdatomic.h>
#include <string.h>

/* At the beginning of each node's segment. */
struct slot {
  _Alignas(64) _Atomic uint64_t seq;
  uint64_t word[7];
};
struct area {
  _Alignas(128) struct slot slot, full;
  _Alignas(128) char data[];
};
_Static_assert(sizeof(struct area) + MESSAGES_MEDIUM_MOST <= MESSAGES_LONG, "a medium fits");

static uint64_t seq; /* goes on from series to series */

static struct area *area(unsigned node) { return (struct area *)bench_node.mapped[node]; }

void messages_reset(void)
{
  memset(bench_node.segment, 0, sizeof(struct area));
  seq = 0;
}

static inline void post(struct slot *s) { atomic_store_explicit(&s->seq, seq, memory_order_release); }

/* `pausing` is a constant wherever this is inlined. */
static inline __attribute__((always_inline)) void await(struct slot *s, int pausing)
{
  while (atomic_load_explicit(&s->seq, memory_order_acquire) < seq)
    if (pausing) bench_pause();
}

/* Node 0 and its peer: the first sends, the other answers. */
static int takes_part(void) { return bench_node.me == 0 || bench_node.me == bench_node.half; }

#define EXCHANGE(n, send, receive) \
  const int first = bench_node.me == 0; \
  if (!takes_part()) return; \
  for (long i = 0; i < (n); i++) { \
    seq++; \
    if (!first) { receive; } \
    send; \
    if (first) { receive; } \
  }

static inline __attribute__((always_inline)) void exchange_short(long n, int pausing)
{
  struct slot *in = &area(bench_node.me)->slot, *out = &area(bench_node.peer)->slot;
  EXCHANGE(n, out->word[0] = first ? seq : in->word[0]; post(out), await(in, pausing))
}
void messages_short(long n) { exchange_short(n, 0); }
void messages_short_p(long n) { exchange_short(n, 1); }

static inline __attribute__((always_inline)) void exchange_medium(long n, int pausing)
{
  struct area *in = area(bench_node.me), *out = area(bench_node.peer);
  char *const mine = bench_node.local;
  const size_t nbytes = messages_bytes;
  EXCHANGE(n, memcpy(out->data, mine, nbytes); post(&out->full), await(&in->full, pausing);
           memcpy(mine, in->data, nbytes))
}
void messages_medium(long n) { exchange_medium(n, 0); }
void messages_medium_p(long n) { exchange_medium(n, 1); }

/* What has arrived is sent back from where it lies. */
void messages_long(long n)
{
  struct area *in = area(bench_node.me), *out = area(bench_node.peer);
  const char *from = bench_node.me == 0 ? bench_node.local : bench_node.segment + MESSAGES_LONG;
  char *const to = bench_node.mapped[bench_node.peer] + MESSAGES_LONG;
  EXCHANGE(n, memcpy(to, from, messages_bytes); post(&out->full), await(&in->full, 0))
}
