/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The smp conduit's message queue, driven by threads of one process so that ThreadSanitizer sees every
 * access: several senders, one receiver, every size, random delays, more threads than cores. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/smp/queue.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { SENDERS = 4, MESSAGES = 20000, SHORT_LINES = 12 };

static struct pst_smp_queue *queue;
static struct pst_smp_ring *ring;
static struct pst_smp_data *data;
static _Atomic uint64_t seen_head; /* its threads share it, as in one process */
static uint64_t seed;

static void delay(struct rng *rng)
{
  const unsigned kind = (unsigned)(rng_next(rng) % 64);
  if (kind == 0) sched_yield();
  else if (kind == 1) nanosleep(&(struct timespec){0, 1000}, NULL);
}

static unsigned lines_for(struct rng *rng)
{
  const uint64_t r = rng_next(rng);
  if (r % 3) return 0;
  return r % 97 == 0 ? PST_SMP_MAX_LINES : (unsigned)(r >> 8) % SHORT_LINES;
}

/* The value of byte i of a message's lines. */
static unsigned char byte_of(uint32_t src, uint32_t serial, size_t i)
{
  return (unsigned char)(src * 31 + serial * 7 + i);
}

static void fill(const struct pst_smp_claim *c, uint32_t src, uint32_t serial, unsigned lines)
{
  c->slot->head = src;
  c->slot->word[0] = c->line;
  c->slot->word[1] = lines;
  c->slot->word[2] = serial;
  for (size_t i = 0; i < (size_t)lines * PST_SMP_LINE; i++)
    pst_smp_line(data, c->line)[i] = (char)byte_of(src, serial, i);
}

/* A message without lines takes the conduit's fast path first. */
static int claim(unsigned lines, struct pst_smp_claim *c)
{
  const uint64_t head = atomic_load_explicit(&seen_head, memory_order_acquire);
  if (lines == 0 && pst_smp_claim_behind(queue, ring, head, 0, c)) return PST_OK;
  return pst_smp_claim(queue, ring, &seen_head, lines, c);
}

static void *sender(void *arg)
{
  const uint32_t src = (uint32_t)(uintptr_t)arg;
  struct rng rng;
  rng_init(&rng, seed + src * 977 + 1);
  for (uint32_t serial = 0; serial < MESSAGES; serial++) {
    const unsigned lines = lines_for(&rng);
    struct pst_smp_claim c;
    while (claim(lines, &c) == PST_ERR_AGAIN) sched_yield();
    fill(&c, src, serial, lines);
    delay(&rng);
    pst_smp_commit(&c);
  }
  return NULL;
}

/* 1 when the message is whole, in its sender's order, and its lines do not wrap. */
static int check(const struct pst_smp_slot *s, uint32_t *expected)
{
  const uint32_t src = s->head, line = s->word[0], lines = s->word[1], serial = s->word[2];
  const char *from = pst_smp_line(data, line);
  if (src >= SENDERS || serial != expected[src]++) return 0;
  if (line % PST_SMP_LINES + lines > PST_SMP_LINES) return 0;
  for (size_t i = 0; i < (size_t)lines * PST_SMP_LINE; i++)
    if ((unsigned char)from[i] != byte_of(src, serial, i)) return 0;
  return 1;
}

static unsigned receive_all(uint64_t taken, uint32_t line)
{
  uint32_t expected[SENDERS] = {0};
  struct rng rng;
  unsigned bad = 0;
  rng_init(&rng, seed + 5);
  for (uint32_t n = 0; n < SENDERS * MESSAGES; n++) {
    struct pst_smp_slot *s;
    while (!(s = pst_smp_front(ring, taken))) sched_yield();
    bad += !check(s, expected);
    if (s->word[1]) line = s->word[0] + s->word[1];
    delay(&rng);
    pst_smp_free(queue, ++taken, line);
  }
  return bad;
}

/* The counters may have any value when a run begins, also right before they wrap. */
static void begin_at(uint64_t slot, uint32_t line)
{
  memset((void *)queue, 0, sizeof *queue);
  memset((void *)ring, 0, sizeof *ring);
  atomic_store(&queue->tail, pst_smp_pack(slot, line));
  atomic_store(&queue->head, pst_smp_pack(slot, line));
  atomic_store(&seen_head, pst_smp_pack(slot, line));
}

static void run(uint64_t slot, uint32_t line)
{
  pthread_t t[SENDERS];
  begin_at(slot, line);
  for (uintptr_t i = 0; i < SENDERS; i++) pthread_create(&t[i], NULL, sender, (void *)i);
  CU_ASSERT_EQUAL(receive_all(slot, line), 0);
  for (int i = 0; i < SENDERS; i++) pthread_join(t[i], NULL);
  CU_ASSERT_EQUAL(atomic_load(&queue->head), atomic_load(&queue->tail));
}

static void test_many_senders(void) { run(0, 0); }
static void test_counters_wrap(void) { run(PST_SMP_SLOT_MASK - 1000, PST_SMP_LINE_MASK - 3000); }

static void test_full(void)
{
  struct pst_smp_claim c;
  begin_at(0, 0);
  for (int i = 0; i < PST_SMP_SLOTS; i++)
    CU_ASSERT_EQUAL(pst_smp_claim(queue, ring, &seen_head, 0, &c), PST_OK);
  CU_ASSERT_EQUAL(pst_smp_claim(queue, ring, &seen_head, 0, &c), PST_ERR_AGAIN);
  CU_ASSERT_PTR_NULL(pst_smp_front(ring, 0));
  pst_smp_free(queue, 1, 0);
  CU_ASSERT_EQUAL(pst_smp_claim(queue, ring, &seen_head, 0, &c), PST_OK);
  CU_ASSERT_PTR_EQUAL(c.slot, &ring->slot[0]);
}

static void test_unseen(void)
{
  struct pst_smp_claim c;
  for (uint64_t slot = 0; slot < 3 * PST_SMP_SLOTS; slot += PST_SMP_SLOTS / 2) {
    begin_at(slot, 0);
    CU_ASSERT_EQUAL(pst_smp_claim_behind(queue, ring, PST_SMP_UNSEEN, 0, &c), 0);
    atomic_store(&seen_head, PST_SMP_UNSEEN);
    CU_ASSERT_EQUAL(pst_smp_claim(queue, ring, &seen_head, 0, &c), PST_OK);
    CU_ASSERT_PTR_EQUAL(c.slot, &ring->slot[slot % PST_SMP_SLOTS]);
    CU_ASSERT_EQUAL(atomic_load(&seen_head), pst_smp_pack(slot, 0));
  }
}

/* With an old head all lines seem in use, which does not hinder a message without lines. */
static void test_slot_alone(void)
{
  struct pst_smp_claim c;
  begin_at(1, PST_SMP_LINES + 1);
  CU_ASSERT_EQUAL(pst_smp_claim_behind(queue, ring, pst_smp_pack(0, 0), 1, &c), 0);
  CU_ASSERT_EQUAL(pst_smp_claim_behind(queue, ring, pst_smp_pack(0, 0), 0, &c), 1);
  CU_ASSERT_EQUAL(atomic_load(&queue->tail), pst_smp_pack(2, PST_SMP_LINES + 1));
}

static void test_lines_do_not_wrap(void)
{
  struct pst_smp_claim c = {0};
  begin_at(0, PST_SMP_LINES - 3);
  CU_ASSERT_EQUAL(pst_smp_claim(queue, ring, &seen_head, 4, &c), PST_OK);
  CU_ASSERT_EQUAL(c.line, PST_SMP_LINES);
  CU_ASSERT_PTR_EQUAL(pst_smp_line(data, c.line), data->line[0]);
  begin_at(0, 1);
  CU_ASSERT_EQUAL(pst_smp_claim(queue, ring, &seen_head, PST_SMP_MAX_LINES, &c), PST_OK);
  CU_ASSERT_EQUAL(
      pst_smp_claim(queue, ring, &seen_head, PST_SMP_LINES - PST_SMP_MAX_LINES, &c), PST_ERR_AGAIN);
}

int main(void)
{
  static const struct unit_test tests[] = {{"many senders", test_many_senders},
      {"counters wrap", test_counters_wrap}, {"full", test_full}, {"a head that was not seen", test_unseen},
      {"a slot alone", test_slot_alone}, {"lines do not wrap", test_lines_do_not_wrap}};
  seed = random_seed();
  queue = aligned_alloc(128, sizeof *queue);
  ring = aligned_alloc(128, sizeof *ring);
  data = aligned_alloc(128, sizeof *data);
  if (!queue || !ring || !data) return 1;
  const int bad = RUN_SUITE("smp queue", tests);
  free(data);
  free(ring);
  free(queue);
  return bad;
}
