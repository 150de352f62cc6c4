/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Two nodes that count their messages, and a network that delays, mixes up and loses what it is told to. Time
 * goes by looks: a node tells at every sixth, as the conduit does. */
#include <string.h>

#include "conduits/ofi/counts.c"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 400, LOOKS_A_TURN = 6, MOST_DELAY = PST_OFI_LOOKS / 2, ROOM = 512 };

/* A message, or with SENT_LATE the moment when its sender counts it. */
enum what { MESSAGE, SENT_LATE, STATEMENT };
struct event {
  enum what what;
  enum pst_net_form form;
  unsigned node, period, due;
  uint32_t count;
};

static struct {
  struct pst_ofi_counts end[2]; /* node i's counts of the other node */
  struct event event[ROOM];
  unsigned events, now;
  unsigned statement_loss, refusal; /* percent */
  unsigned losable;                 /* so many statements may still be lost */
  unsigned told[2], pending_loss, lost;
  int32_t found[2];
} net;

static void event_add(enum what what, unsigned node, unsigned period, struct event rest)
{
  CU_ASSERT_FATAL(net.events < ROOM);
  rest.what = what;
  rest.node = node;
  rest.period = period;
  rest.due = net.now + 1 + (unsigned)below(MOST_DELAY);
  net.event[net.events++] = rest;
}

static int node_tell(gasnet_node_t peer, enum pst_net_form form, unsigned period, uint32_t count)
{
  if (below(100) < net.refusal) return PST_ERR_AGAIN;
  net.told[!peer]++;
  if (net.losable && below(100) < net.statement_loss) net.losable--;
  else event_add(STATEMENT, peer, period, (struct event){.form = form, .count = count});
  return PST_OK;
}

static void count_up(_Atomic uint32_t *count) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

/* Some senders count a message long after they have read its period. */
static void message_send(unsigned node)
{
  struct pst_ofi_counts *c = &net.end[node];
  const unsigned period = pst_ofi_counts_period(c);
  if (below(4) == 0) event_add(SENT_LATE, node, period, (struct event){0});
  else count_up(&c->sent[period]);
  if (net.pending_loss && below(3) == 0) {
    net.pending_loss--;
    net.lost++;
  } else event_add(MESSAGE, !node, period, (struct event){0});
}

static void event_happen(const struct event *e)
{
  struct pst_ofi_counts *c = &net.end[e->node];
  if (e->what == MESSAGE) count_up(&c->got[e->period]);
  else if (e->what == SENT_LATE) count_up(&c->sent[e->period]);
  else pst_ofi_counts_hear(c, e->form, e->period, e->count);
}

static void events_happen(void)
{
  for (unsigned i = 0; i < net.events;) {
    const struct event e = net.event[i];
    if (e.due > net.now) {
      i++;
      continue;
    }
    net.event[i] = net.event[--net.events];
    event_happen(&e);
  }
}

static void node_look(unsigned node)
{
  const int32_t lost = pst_ofi_counts_look(&net.end[node], !node, node_tell);
  if (lost > 0 && !net.found[node]) net.found[node] = lost;
  if (net.now % LOOKS_A_TURN == 0) pst_ofi_counts_tell(&net.end[node], !node, node_tell);
}

/* One look of both nodes; each sends up to `most` messages. */
static void look(unsigned most)
{
  net.now++;
  events_happen();
  for (unsigned node = 0; node < 2; node++) {
    for (unsigned n = most ? (unsigned)below(most + 1) : 0; n > 0; n--) message_send(node);
    node_look(node);
  }
}
static void looks(unsigned times, unsigned most)
{
  while (times-- && !net.found[0] && !net.found[1]) look(most);
}

/* Both have exchanged `before` messages in each period. */
static void net_begin(uint32_t before, unsigned statement_loss, unsigned refusal)
{
  memset(&net, 0, sizeof net);
  for (unsigned node = 0; node < 2; node++)
    for (unsigned i = 0; i < PST_NET_PERIODS; i++) {
      net.end[node].sent[i] = net.end[node].got[i] = before;
      net.end[node].common[i] = before;
    }
  net.statement_loss = statement_loss;
  net.refusal = refusal;
  net.losable = UINT32_MAX;
}

static uint32_t some_count(void) { return below(2) ? 0 : UINT32_MAX - (uint32_t)below(30); }

/* ---- tests ---- */

static void test_nothing_lost(void)
{
  unsigned bad = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    net_begin(some_count(), (unsigned)below(60), (unsigned)below(60));
    looks(300, (unsigned)below(4));
    looks(300, 0);
    bad += net.found[0] || net.found[1];
  }
  CU_ASSERT_EQUAL(bad, 0);
}

/* Where nothing more is sent both agree on all, and nothing is told any more. */
static void test_silence_at_last(void)
{
  net_begin(0, 0, 0);
  looks(100, 3);
  looks(10 * LOOKS_A_TURN, 0);
  const unsigned told = net.told[0] + net.told[1];
  CU_ASSERT(told > 0);
  looks(1000, 0);
  CU_ASSERT_EQUAL(net.told[0] + net.told[1], told);
  CU_ASSERT_EQUAL(net.end[0].told | net.end[1].told, 0);
}

/* Messages are lost in the middle, and more follow or not. Every loss is found: soon where no statement is
 * lost, and where four are lost that are said at turns 0, 1, 4 and 16, after the fifth. */
static unsigned losses_hidden(unsigned statement_loss, unsigned within)
{
  unsigned hidden = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    const unsigned most = 1 + (unsigned)below(3), after = (unsigned)below(2) * most;
    net_begin(some_count(), statement_loss, (unsigned)below(30));
    net.losable = 4;
    looks((unsigned)below(100), most);
    net.pending_loss = 1 + (unsigned)below(3);
    while (!net.lost && !net.found[0] && !net.found[1]) look(most);
    looks(within, after);
    hidden += !net.found[0] && !net.found[1];
  }
  return hidden;
}
static void test_loss_found(void) { CU_ASSERT_EQUAL(losses_hidden(0, 20 * LOOKS_A_TURN), 0); }
static void test_loss_and_statements_lost(void)
{
  CU_ASSERT_EQUAL(losses_hidden(50, (64 + 40) * LOOKS_A_TURN), 0);
}

/* The message that is lost in one period, and one that comes in the next: no sum hides it. The message of the
 * loss names the number. */
static void test_number(void)
{
  net_begin(0, 0, 0);
  for (int i = 0; i < 5; i++) count_up(&net.end[0].sent[0]);
  for (int i = 0; i < 3; i++) count_up(&net.end[1].got[0]);
  looks(LOOKS_A_TURN + MOST_DELAY, 0);
  for (int i = 0; i < 2; i++) count_up(&net.end[0].sent[1]);
  for (int i = 0; i < 2; i++) count_up(&net.end[1].got[1]);
  looks(10 * LOOKS_A_TURN, 0);
  CU_ASSERT_EQUAL(net.found[0], 0);
  CU_ASSERT_EQUAL(net.found[1], 2);
  CU_ASSERT_EQUAL(net.end[1].awaited, 5);
}

/* A peer that reads nothing for hours gets so many statements as receive buffers have room for. */
static void test_peer_that_does_not_read(void)
{
  net_begin(0, 100, 0);
  count_up(&net.end[0].sent[0]);
  for (unsigned turn = 0; turn < 100000; turn++) pst_ofi_counts_tell(&net.end[0], 1, node_tell);
  CU_ASSERT(net.told[0] > 1);
  CU_ASSERT(net.told[0] <= PST_OFI_MOST_COUNTS / 2);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"nothing is lost", test_nothing_lost},
      {"silence at last", test_silence_at_last},
      {"a loss is found", test_loss_found},
      {"a loss is found where statements are lost, too", test_loss_and_statements_lost},
      {"how many are lost", test_number},
      {"a peer that does not read", test_peer_that_does_not_read},
  };
  random_begin();
  return RUN_SUITE("counts of messages", tests);
}
