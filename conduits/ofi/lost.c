/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages that never came.
 *
 * A provider may lose what it has taken: where a connection breaks it makes a new one, and messages whose
 * sends were complete are gone. So both ends of a pair count its messages. Messages may overtake each other,
 * and more may follow those that are lost, so each counts in one of two periods, which its head names.
 *
 * Every PERIOD seconds a sender closes the period if it has sent something: new messages count in the other
 * one, and a COUNT says how many the closed one had so far. The receiver answers COUNTED as soon as that many
 * have come, and only then the sender closes the next. So while some are missing none of the same period
 * follow, and the receiver ends the job when they are missing after LOOKS looks, TICK seconds apart, at all
 * of which it read the queue. COUNT and COUNTED may be lost, too: COUNT is repeated after 1, 4, 16 and so on
 * PERIODs.
 *
 * `sent` grows when the provider has a message, `got` when it is taken from the queue; both go round. They
 * order nothing (relaxed): a value that is a little old only makes one more look. A thread that sends may
 * have read `period` before it was closed, and add to `sent` after the answer: the period is closed again
 * then. `something` is set (release) after `asked` or `agreed` of the peer that is meant, and taken (acquire)
 * before they are looked at: a look that missed them would have taken the only word that there is one. The
 * rest belongs to the thread that has the watch. */
#include "conduits/ofi/ofi.h"

enum { EVERY = 64, LOOKS = 14 };
static const double TICK = 0.25, PERIOD = 1.5;

void pst_ofi_lost(gasnet_node_t peer, int err) { pst_net_lost(peer, pst_ofi_library.strerror(err)); }

/* ---- statements ---- */

static uint64_t statement(unsigned period, uint32_t count)
{
  return UINT64_C(1) << 63 | (uint64_t)period << 32 | count;
}
static unsigned period_in(uint64_t statement) { return statement >> 32 & 1; }
static uint32_t number_in(uint64_t statement) { return (uint32_t)statement; }

static _Atomic int something; /* a peer has stated something, or messages of it are missing */

void pst_ofi_counted(const struct pst_net_head *h)
{
  struct pst_ofi_counts *c = &pst_ofi.peer[h->src].counts;
  const uint64_t said = statement(h->handler, h->nbytes);
  atomic_store_explicit(h->form == PST_NET_COUNT ? &c->asked : &c->agreed, said, memory_order_relaxed);
  atomic_store_explicit(&something, 1, memory_order_release);
}

/* ---- the receiver ---- */

/* How many messages of a closed period have not come. */
static int32_t missing(const struct pst_ofi_counts *c, uint64_t asked)
{
  return (int32_t)(number_in(asked) - atomic_load_explicit(&c->got[period_in(asked)], memory_order_relaxed));
}

/* 1: all has come that the peer asks for, and it knows; or it asks for nothing. */
static int answer(gasnet_node_t peer)
{
  struct pst_ofi_counts *c = &pst_ofi.peer[peer].counts;
  uint64_t asked = atomic_load_explicit(&c->asked, memory_order_relaxed);
  if (!asked) return 1;
  if (number_in(asked) != c->awaited) c->late = 0;
  c->awaited = number_in(asked);
  const int32_t n = missing(c, asked);
  if (n > 0 && ++c->late > LOOKS)
    pst_fatal("%s has lost %d of %u messages from node %u on %s", pst_net.library, (int)n, number_in(asked),
        peer, pst_net_host(peer));
  if (n > 0 || pst_ofi_tell(peer, PST_NET_COUNTED, period_in(asked), number_in(asked)) != PST_OK) return 0;
  c->late = 0;
  return atomic_compare_exchange_strong_explicit(
      &c->asked, &asked, 0, memory_order_relaxed, memory_order_relaxed);
}

/* ---- the sender ---- */

static void see_agreement(struct pst_ofi_counts *c)
{
  if (!c->told || atomic_load_explicit(&c->agreed, memory_order_relaxed) != c->told) return;
  c->common[period_in(c->told)] = number_in(c->told);
  c->told = 0;
}

static void state(struct pst_ofi_counts *c, unsigned period)
{
  const uint64_t now = statement(period, atomic_load_explicit(&c->sent[period], memory_order_relaxed));
  if (now == c->told) return;
  c->told = now;
  c->waited = 0;
}

static int has_sent(const struct pst_ofi_counts *c)
{
  for (int i = 0; i < PST_NET_PERIODS; i++)
    if (atomic_load_explicit(&c->sent[i], memory_order_relaxed) != c->common[i]) return 1;
  return 0;
}

/* What is sent late in a period that is closed belongs to it. */
static void close_period(struct pst_ofi_counts *c)
{
  const unsigned period = atomic_load_explicit(&c->period, memory_order_relaxed);
  if (c->told) state(c, period_in(c->told));
  else if (has_sent(c)) {
    atomic_store_explicit(&c->period, !period, memory_order_relaxed);
    state(c, period);
  }
}

/* At 0, 1, 4, 16 and so on: nine times, as `waited` has 16 bits. */
static int is_time(unsigned waited) { return (waited & (waited - 1)) == 0 && (waited & 0xAAAA) == 0; }
static_assert(PST_OFI_MOST_COUNTS == 2 * 9, "a period's COUNT, and COUNTED for each of the peer's");

static void tell(gasnet_node_t peer)
{
  struct pst_ofi_counts *c = &pst_ofi.peer[peer].counts;
  close_period(c);
  if (!c->told) return;
  if (!is_time(c->waited) ||
      pst_ofi_tell(peer, PST_NET_COUNT, period_in(c->told), number_in(c->told)) == PST_OK)
    c->waited += c->waited < UINT16_MAX;
}

/* ---- the watch ---- */

static void look_at_statements(void)
{
  int more = 0;
  if (!atomic_exchange_explicit(&something, 0, memory_order_acquire)) return;
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++) {
    see_agreement(&pst_ofi.peer[i].counts);
    more |= !answer(i);
  }
  if (more) atomic_store_explicit(&something, 1, memory_order_release);
}

static void tell_all(void)
{
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++) tell(i);
}

static struct {
  _Atomic int busy; /* whoever sets it has the rest: acquire, release */
  double looked, told;
} watch;

/* At each look at the queue, of which few look at the clock. */
void pst_ofi_watch(void)
{
  static _Thread_local unsigned looks;
  double now;
  if (__builtin_expect(++looks % EVERY != 0, 1)) return;
  if (atomic_load_explicit(&pst_net.closing, memory_order_relaxed)) return;
  if (atomic_exchange_explicit(&watch.busy, 1, memory_order_acquire)) return;
  now = pst_net_now();
  pst_net_watch(now);
  if (now - watch.looked >= TICK) {
    watch.looked = now;
    look_at_statements();
  }
  if (now - watch.told >= PERIOD) {
    watch.told = now;
    tell_all();
  }
  atomic_store_explicit(&watch.busy, 0, memory_order_release);
}
