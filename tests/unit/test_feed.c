/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A group's feed, driven by threads of one process so that ThreadSanitizer sees every access: more members
 * than cores, random roots, lengths and delays, several broadcasts in flight at each member. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "teams/feed.c"
#include "teams/step.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { MEMBERS = 7, BROADCASTS = 6000, IN_FLIGHT = 5 };

static _Alignas(64) char memory[LINE + PARTS * sizeof(struct part)];
static uint64_t seed;

/* A member has its own view of the team, as a process has. */
struct member {
  struct pst_team team;
  struct pst_call call[IN_FLIGHT];
  struct pst_step step[IN_FLIGHT];
  char data[IN_FLIGHT][PST_FEED_ROOM];
  struct rng rng;
  unsigned bad, reads, rooms; /* reads, rooms: how often a word was looked at that has a number, or a part */
  int under_way;
};
static struct member member[MEMBERS];
static unsigned rank[MEMBERS];
static _Atomic int overtaken; /* a slot was written again before it was read */

/* What all members know of a broadcast: its number and the seed say it. Some series are of one root. */
static struct rng shape_of(uint64_t number)
{
  struct rng r;
  rng_init(&r, seed + number);
  return r;
}
static unsigned root_of(uint64_t number)
{
  struct rng r = shape_of(number / 1000 % 2 ? number / 1000 : number);
  return (unsigned)rng_below(&r, MEMBERS);
}
static size_t length_of(uint64_t number)
{
  struct rng r = shape_of(~number);
  const uint64_t kind = rng_below(&r, 16);
  return rng_range(&r, 1, kind < 4 ? PST_FEED_ROOM : kind < 8 ? 256 : PST_BOARD_SHORT + 1);
}
static char byte_of(uint64_t number, size_t i) { return (char)(number * 11 + i); }

static void step_begin(struct member *m, uint64_t number)
{
  const unsigned i = number % IN_FLIGHT;
  const size_t n = length_of(number);
  m->call[i] = (struct pst_call){.team = &m->team, .name = "test"};
  m->call[i].head = (struct pst_head){m->team.id, n << 16, number << 48};
  m->call[i].of.root = root_of(number);
  m->step[i] = (struct pst_step){.kind = PST_STEP_FEED, .at = m->data[i], .length = n};
  for (size_t k = 0; k < n; k++) m->data[i][k] = m->team.me == root_of(number) ? byte_of(number, k) : 0;
  pst_feed_begin(&m->call[i], &m->step[i]);
}

static void step_check(struct member *m, uint64_t number)
{
  const unsigned i = number % IN_FLIGHT;
  m->bad += m->step[i].address != number || m->team.feed.done < number;
  for (size_t k = 0; k < length_of(number); k++) m->bad += m->data[i][k] != byte_of(number, k);
}

/* What a step waits for is a word that is not yet what it will be. */
static void step_look(struct member *m, unsigned i)
{
  const int writes = m->call[i].of.root == m->team.me;
  struct pst_watch watch;
  if (pst_feed_watch(&m->call[i], &m->step[i], &watch) <= 0) return;
  *(writes ? &m->rooms : &m->reads) += 1;
  m->bad += watch.seen >= (writes ? m->step[i].moved - 1 : m->step[i].address);
  m->bad += m->step[i].node == m->team.me;
}

/* Now and then for so long that a root of many broadcasts fills all parts that it may. */
static void delay(struct rng *rng)
{
  const unsigned kind = (unsigned)rng_below(rng, 4096);
  if (kind < 128) sched_yield();
  else if (kind < 140) nanosleep(&(struct timespec){0, kind == 139 ? 1000000 : 1000}, NULL);
}

/* Advances one of the broadcasts in flight, [first, next), whichever. */
static void member_go_on(struct member *m, uint64_t first, uint64_t next)
{
  const unsigned i = (unsigned)((first + rng_below(&m->rng, next - first)) % IN_FLIGHT);
  struct pst_step *const s = &m->step[i];
  if (s->state == PST_STEP_DONE) return;
  if (pst_feed_advance(&m->call[i], s)) s->state = PST_STEP_DONE;
  else step_look(m, i);
  if (atomic_load_explicit(&s->slot->number, memory_order_relaxed) > s->address && s->state != PST_STEP_DONE)
    atomic_store(&overtaken, 1);
}

static void *member_run(void *arg)
{
  struct member *const m = arg;
  uint64_t first = 1, next = 1;
  while (first <= BROADCASTS && !atomic_load(&overtaken)) {
    while (next <= BROADCASTS && next - first < IN_FLIGHT && rng_below(&m->rng, 2)) step_begin(m, next++);
    if (next == first) continue;
    member_go_on(m, first, next);
    delay(&m->rng);
    if (m->step[first % IN_FLIGHT].state != PST_STEP_DONE) continue;
    step_check(m, first++);
  }
  return NULL;
}

static int nobody_sleeps(void) { return 0; }

static void members_open(void)
{
  static const struct pst_host_slots host = {.sleeps = nobody_sleeps};
  pst_job.host = &host;
  memset(memory, 0, sizeof memory);
  for (unsigned i = 0; i < MEMBERS; i++) {
    struct pst_team *const t = &member[i].team;
    rank[i] = i;
    *t = (struct pst_team){.id = 99, .size = MEMBERS, .near = MEMBERS, .stride = 1};
    t->me = t->here = i;
    t->near_rank = rank;
    pst_feed_open(t, memory);
    rng_init(&member[i].rng, seed + i);
    member[i].under_way = 0;
  }
}

static void test_broadcasts(void)
{
  pthread_t thread[MEMBERS];
  unsigned reads = 0, rooms = 0;
  members_open();
  CU_ASSERT_EQUAL_FATAL(pst_feed_size(&member[0].team), sizeof memory);
  for (unsigned i = 0; i < MEMBERS; i++) pthread_create(&thread[i], NULL, member_run, &member[i]);
  for (unsigned i = 0; i < MEMBERS; i++) pthread_join(thread[i], NULL);
  for (unsigned i = 0; i < MEMBERS; i++) {
    CU_ASSERT_EQUAL(member[i].bad, 0);
    CU_ASSERT_EQUAL(member[i].team.feed.done, BROADCASTS);
    reads += member[i].reads;
    rooms += member[i].rooms;
  }
  CU_ASSERT(!atomic_load(&overtaken));
  CU_ASSERT(reads > 0);
  CU_ASSERT(rooms > 0);
  printf("  %u looks at slots, %u at parts, ", reads, rooms);
}

/* ---- one member after the other ---- */

/* How many of so many broadcasts of node 0 the member completes, one after the other. One that it cannot
 * complete is under way for the next time. */
static unsigned broadcasts(struct member *m, size_t n, unsigned most)
{
  struct pst_step *const s = &m->step[0];
  for (unsigned k = 0; k < most; k++) {
    if (!m->under_way) {
      m->call[0] = (struct pst_call){.team = &m->team, .head = {.team = m->team.id}};
      *s = (struct pst_step){.kind = PST_STEP_FEED, .at = m->data[0], .length = n};
      pst_feed_begin(&m->call[0], s);
    }
    m->under_way = !pst_feed_advance(&m->call[0], s);
    if (m->under_way) return k;
  }
  return most;
}

/* The root fills the next part when all others have come to the one before. */
static void ahead(size_t n, unsigned in_part)
{
  struct member *const last = &member[MEMBERS - 1];
  members_open();
  CU_ASSERT_EQUAL(broadcasts(&member[0], n, 10 * in_part), in_part);
  for (unsigned i = 1; i < MEMBERS - 1; i++) CU_ASSERT_EQUAL(broadcasts(&member[i], n, in_part), in_part);
  CU_ASSERT_EQUAL(broadcasts(&member[0], n, 10 * in_part), 0);
  CU_ASSERT_EQUAL(member[0].step[0].node, MEMBERS - 1);
  CU_ASSERT_EQUAL(broadcasts(last, n, 1), 1);
  CU_ASSERT_EQUAL(broadcasts(&member[0], n, 10 * in_part), in_part);
  CU_ASSERT_EQUAL(broadcasts(last, n, 10 * in_part), 2 * in_part - 1);
  CU_ASSERT_EQUAL(last->step[0].node, 0);
}
static void test_ahead(void)
{
  ahead(8, SLOTS);
  ahead(PST_FEED_ROOM, DATA / PST_FEED_ROOM);
}

/* The second broadcast of a member goes on only when the first is done. */
static void test_order(void)
{
  struct member *const m = &member[0];
  members_open();
  for (unsigned number = 1; number <= 2; number++) {
    step_begin(m, number);
    m->call[number].of.root = 2 - number;
  }
  CU_ASSERT_EQUAL(pst_feed_advance(&m->call[2], &m->step[2]), 0);
  CU_ASSERT_EQUAL(pst_feed_advance(&m->call[1], &m->step[1]), 0);
  CU_ASSERT_EQUAL(m->step[1].node, 1);
  CU_ASSERT_EQUAL(pst_feed_advance(&m->call[2], &m->step[2]), 0);
  CU_ASSERT_EQUAL(m->step[2].slot->number, 0);
  CU_ASSERT_EQUAL(m->team.feed.done, 0);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"broadcasts", test_broadcasts},
      {"how far a root gets ahead", test_ahead},
      {"one after the other", test_order},
  };
  seed = random_seed();
  return RUN_SUITE("feed", tests);
}
