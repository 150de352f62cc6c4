/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ofi/counts.h"

/* ---- statements ---- */

static uint64_t statement(unsigned period, uint32_t count)
{
  return UINT64_C(1) << 63 | (uint64_t)period << 32 | count;
}
static unsigned period_in(uint64_t statement) { return statement >> 32 & 1; }
static uint32_t number_in(uint64_t statement) { return (uint32_t)statement; }

void pst_ofi_counts_hear(struct pst_ofi_counts *c, enum pst_net_form form, unsigned period, uint32_t count)
{
  atomic_store_explicit(
      form == PST_NET_COUNT ? &c->asked : &c->agreed, statement(period, count), memory_order_relaxed);
}

/* ---- the receiver ---- */

/* How many messages of a closed period have not come. */
static int32_t missing(const struct pst_ofi_counts *c, uint64_t asked)
{
  return (int32_t)(number_in(asked) - atomic_load_explicit(&c->got[period_in(asked)], memory_order_relaxed));
}

static int32_t answer(struct pst_ofi_counts *c, gasnet_node_t peer, pst_ofi_tell_fn *tell)
{
  uint64_t asked = atomic_load_explicit(&c->asked, memory_order_relaxed);
  if (!asked) return PST_OFI_SETTLED;
  if (number_in(asked) != c->awaited) c->late = 0;
  c->awaited = number_in(asked);
  const int32_t n = missing(c, asked);
  if (n > 0) return ++c->late > PST_OFI_LOOKS ? n : PST_OFI_UNSETTLED;
  if (tell(peer, PST_NET_COUNTED, period_in(asked), number_in(asked)) != PST_OK) return PST_OFI_UNSETTLED;
  c->late = 0;
  return atomic_compare_exchange_strong_explicit(
             &c->asked, &asked, 0, memory_order_relaxed, memory_order_relaxed)
      ? PST_OFI_SETTLED
      : PST_OFI_UNSETTLED;
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
  const unsigned period = pst_ofi_counts_period(c);
  if (c->told) state(c, period_in(c->told));
  else if (has_sent(c)) {
    atomic_store_explicit(&c->period, !period, memory_order_relaxed);
    state(c, period);
  }
}

/* At turns 0, 1, 4, 16 and so on: nine times, as `waited` has 16 bits. */
static int is_time(unsigned waited) { return (waited & (waited - 1)) == 0 && (waited & 0xAAAA) == 0; }
static_assert(PST_OFI_MOST_COUNTS == 2 * 9, "a period's COUNT, and COUNTED for each of the peer's");

void pst_ofi_counts_tell(struct pst_ofi_counts *c, gasnet_node_t peer, pst_ofi_tell_fn *tell)
{
  close_period(c);
  if (!c->told) return;
  if (!is_time(c->waited) || tell(peer, PST_NET_COUNT, period_in(c->told), number_in(c->told)) == PST_OK)
    c->waited += c->waited < UINT16_MAX;
}

int32_t pst_ofi_counts_look(struct pst_ofi_counts *c, gasnet_node_t peer, pst_ofi_tell_fn *tell)
{
  see_agreement(c);
  return answer(c, peer, tell);
}
