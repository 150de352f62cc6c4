/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages where senders die: a sender that died between claim and commit, before the claim or after the
 * commit, must not keep others' messages back, nor lose one. The memory of two processes lies in this one. */
#include "conduits/smp/smp.h"

#include <stdlib.h>
#include <string.h>

#include "core/handler.h"
#include "core/job.h"
#include "tests/unit/suite.h"

enum { NODES = 2, RECEIVER = 0, DEAD = 1, FIRST = 3, H_NOTHING = 5, H_COUNT = 130, H_DATA = 131 };
static unsigned nothings, counts, wrong;

static void handle_nothing(gasnet_token_t token)
{
  (void)token;
  nothings++;
}
static void handle_count(gasnet_token_t token, gasnet_handlerarg_t value)
{
  (void)token;
  wrong += value != (int)counts++;
}
static void handle_data(gasnet_token_t token, void *data, size_t nbytes, gasnet_handlerarg_t value)
{
  (void)token;
  for (size_t i = 0; i < nbytes; i++) wrong += ((unsigned char *)data)[i] != (unsigned char)value;
  wrong += value != (int)counts++;
}

static void *zeroed(size_t n)
{
  void *p = aligned_alloc(128, (n + 127) & ~(size_t)127);
  if (!p) abort();
  return memset(p, 0, n);
}

static void memory_open(void)
{
  struct pst_smp *s = &pst_smp;
  memset(s, 0, sizeof *s);
  s->shared = zeroed(sizeof *s->shared + NODES * sizeof *s->self);
  s->first = FIRST;
  s->nodes = NODES;
  s->node = RECEIVER;
  s->self = &s->shared->node[RECEIVER];
  s->seen_head = zeroed(NODES * sizeof *s->seen_head);
  for (unsigned q = 0; q < PST_SMP_QUEUES; q++) {
    s->rings[q] = zeroed(NODES * sizeof *s->rings[q]);
    s->data[q] = zeroed(NODES * sizeof *s->data[q]);
    s->inbox[q].queue = &s->self->queue[q];
    s->inbox[q].ring = pst_smp_ring_of(RECEIVER, q);
    for (unsigned i = 0; i < NODES; i++) s->seen_head[i][q] = PST_SMP_UNSEEN;
  }
  pst_handler[H_NOTHING] = (pst_handler_fn)handle_nothing;
  pst_handler[H_COUNT] = (pst_handler_fn)handle_count;
  pst_handler[H_DATA] = (pst_handler_fn)handle_data;
  nothings = counts = wrong = 0;
}

static void memory_close(void)
{
  for (unsigned q = 0; q < PST_SMP_QUEUES; q++) {
    free(pst_smp.rings[q]);
    free(pst_smp.data[q]);
  }
  free(pst_smp.seen_head);
  free(pst_smp.shared);
}

static struct pst_smp_queue *requests(void) { return &pst_smp.self->queue[PST_SMP_REQUESTS]; }

static int send_count(unsigned value)
{
  const gasnet_handlerarg_t arg = (gasnet_handlerarg_t)value;
  struct pst_message m = pst_message_short(FIRST + RECEIVER, 0, H_COUNT, 1, &arg);
  return pst_smp_am_owning(&m);
}

static int send_data(unsigned value, size_t nbytes)
{
  static char data[PST_SMP_MAX_MEDIUM];
  const gasnet_handlerarg_t arg = (gasnet_handlerarg_t)value;
  struct pst_message m = {.dest = FIRST + RECEIVER,
      .kind = PST_AM_MEDIUM,
      .handler = H_DATA,
      .nargs = 1,
      .args = &arg,
      .payload = memset(data, (int)value, nbytes),
      .nbytes = nbytes};
  return pst_smp_am_owning(&m);
}

static void drain(void)
{
  while (pst_smp_poll() > 0) {}
}

/* As another process would have left it. */
static void die_owning(unsigned lines, int claims, int commits)
{
  struct pst_smp_claim c;
  atomic_store(&requests()->owner, DEAD + 1);
  if (!claims) return;
  CU_ASSERT_FATAL(pst_smp_claim(requests(), pst_smp_ring_of(RECEIVER, PST_SMP_REQUESTS),
                      &pst_smp.seen_head[DEAD][0], lines, &c) == PST_OK);
  c.slot->head = H_NOTHING; /* what it was about to send, or has sent */
  if (commits) pst_smp_commit(&c);
}

static void lose(void)
{
  CU_ASSERT(send_count(counts) == PST_ERR_AGAIN);
  pst_smp_lost(FIRST + DEAD, H_NOTHING);
  CU_ASSERT(atomic_load(&requests()->owner) == 0);
}

static void test_each_place(void)
{
  memory_open();
  for (int place = 0; place < 3; place++) {
    const unsigned before = nothings;
    CU_ASSERT(send_count(counts) == PST_OK);
    die_owning(0, place > 0, place > 1);
    drain();
    lose();
    CU_ASSERT(send_count(counts) == PST_OK);
    drain();
    CU_ASSERT(nothings - before == (place > 0));
  }
  CU_ASSERT(counts == 6 && wrong == 0);
  memory_close();
}

/* At every place of the ring, with the most data lines, many times: the lines of lost messages are freed. */
static void test_lines_are_freed(void)
{
  memory_open();
  for (unsigned i = 0; i < 3 * PST_SMP_SLOTS; i++) {
    die_owning(i % 3 ? PST_SMP_MAX_LINES : i % 7, 1, 0);
    lose();
    CU_ASSERT_FATAL(send_data(counts, i % 2 ? PST_SMP_MAX_MEDIUM : 100) == PST_OK);
    drain();
  }
  CU_ASSERT(nothings == 3 * PST_SMP_SLOTS && counts == 3 * PST_SMP_SLOTS && wrong == 0);
  memory_close();
}

/* A queue that another process owns, or nobody, stays as it is. */
static void test_others(void)
{
  memory_open();
  pst_smp_lost(FIRST + DEAD, H_NOTHING);
  pst_smp_lost(FIRST + NODES, H_NOTHING);
  pst_smp_lost(0, H_NOTHING);
  atomic_store(&requests()->owner, RECEIVER + 1);
  pst_smp_lost(FIRST + DEAD, H_NOTHING);
  CU_ASSERT(atomic_load(&requests()->owner) == RECEIVER + 1);
  atomic_store(&requests()->owner, 0);
  CU_ASSERT(send_count(0) == PST_OK);
  drain();
  CU_ASSERT(nothings == 0 && counts == 1 && wrong == 0);
  memory_close();
}

int main(void)
{
  static const struct unit_test tests[] = {{"each place of a death", test_each_place},
      {"data lines are freed", test_lines_are_freed}, {"other owners", test_others}};
  return RUN_SUITE("smp_lost", tests);
}
