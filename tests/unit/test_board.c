/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A group's board, driven by threads of one process so that ThreadSanitizer sees every access: more members
 * than cores, random delays, several exchanges in flight at each member. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "teams/board.c"
#include "teams/step.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { MEMBERS = 7, EXCHANGES = 4000, IN_FLIGHT = 3 };

static _Alignas(64) char memory[2 * MEMBERS * SLOTS * sizeof(struct pst_board_slot)];
static uint64_t seed;

/* A member has its own view of the team, as a process has. */
struct member {
  struct pst_team team;
  struct pst_call call[IN_FLIGHT];
  struct pst_step step[IN_FLIGHT];
  char given[IN_FLIGHT][PST_BOARD_ROOM];
  unsigned at[IN_FLIGHT]; /* the place whose data is accepted next */
  struct rng rng;
  unsigned bad, watched;
};
static struct member member[MEMBERS];
static unsigned rank[MEMBERS];

static size_t length_of(uint64_t exchange) { return exchange % (PST_BOARD_ROOM + 1); }
static char byte_of(unsigned place, uint64_t exchange, size_t i)
{
  return (char)(place * 37 + exchange * 11 + i);
}

static void data_check(struct pst_call *c, const struct pst_step *s, unsigned place, const void *data)
{
  struct member *const m = &member[c->team->here];
  m->bad += place != m->at[s - m->step]++ || ((uintptr_t)data & 15) != 0;
  for (size_t i = 0; i < s->length; i++) m->bad += ((const char *)data)[i] != byte_of(place, s->address, i);
}

static void step_begin(struct member *m, uint64_t exchange)
{
  const unsigned i = exchange % IN_FLIGHT;
  m->call[i] = (struct pst_call){.team = &m->team, .name = "test"};
  m->call[i].head = (struct pst_head){m->team.id, length_of(exchange) << 16, exchange << 48};
  m->step[i] = (struct pst_step){.kind = PST_STEP_BOARD,
      .address = exchange,
      .at = m->given[i],
      .length = length_of(exchange),
      .accept = data_check};
  m->at[i] = 0;
  for (size_t k = 0; k < length_of(exchange); k++) m->given[i][k] = byte_of(m->team.here, exchange, k);
}

/* What a step waits for is a word that is not yet what it will be. */
static void step_look(struct member *m, unsigned i)
{
  struct pst_watch watch;
  int here = 0;
  if (pst_board_watch(&m->call[i], &m->step[i], &watch) <= 0) return;
  m->watched++;
  m->bad += watch.seen >= m->step[i].address;
  pst_board_is_missing(&m->call[i], &m->step[i], &here, &watch);
}

static void delay(struct rng *rng)
{
  const unsigned kind = (unsigned)rng_below(rng, 64);
  if (kind < 8) sched_yield();
  else if (kind == 8) nanosleep(&(struct timespec){0, 1000}, NULL);
}

/* Advances one of the exchanges in flight, [first, next), whichever. */
static void member_go_on(struct member *m, uint64_t first, uint64_t next)
{
  const unsigned i = (unsigned)((first + rng_below(&m->rng, next - first)) % IN_FLIGHT);
  struct pst_step *const s = &m->step[i];
  if (s->state == PST_STEP_DONE) return;
  if (pst_board_advance(&m->call[i], s)) s->state = PST_STEP_DONE;
  else step_look(m, i);
}

static void *member_run(void *arg)
{
  struct member *const m = arg;
  uint64_t first = 1, next = 1;
  while (first <= EXCHANGES) {
    while (next <= EXCHANGES && next - first < IN_FLIGHT && rng_below(&m->rng, 2)) step_begin(m, next++);
    if (next == first) continue;
    member_go_on(m, first, next);
    delay(&m->rng);
    if (m->step[first % IN_FLIGHT].state != PST_STEP_DONE) continue;
    m->bad += m->at[first % IN_FLIGHT] != MEMBERS;
    first++;
  }
  return NULL;
}

static int nobody_sleeps(void) { return 0; }

static void members_open(void)
{
  static const struct pst_host_slots host = {.sleeps = nobody_sleeps};
  pst_job.host = &host;
  for (unsigned i = 0; i < MEMBERS; i++) {
    rank[i] = i;
    member[i].team = (struct pst_team){.id = 99, .size = MEMBERS, .near = MEMBERS, .stride = 1};
    member[i].team.me = member[i].team.here = i;
    member[i].team.near_rank = rank;
    member[i].team.board.base = memory;
    rng_init(&member[i].rng, seed + i);
  }
}

static void test_exchanges(void)
{
  pthread_t thread[MEMBERS];
  members_open();
  for (unsigned i = 0; i < MEMBERS; i++) pthread_create(&thread[i], NULL, member_run, &member[i]);
  for (unsigned i = 0; i < MEMBERS; i++) pthread_join(thread[i], NULL);
  for (unsigned i = 0; i < MEMBERS; i++) {
    CU_ASSERT_EQUAL(member[i].bad, 0);
    CU_ASSERT_EQUAL(member[i].team.board.done, EXCHANGES);
    CU_ASSERT(member[i].watched > 0);
  }
}

/* The second exchange of a member writes nothing before the first is complete. */
static void test_order(void)
{
  memset(memory, 0, sizeof memory);
  members_open();
  struct member *const m = &member[0];
  step_begin(m, 1);
  step_begin(m, 2);
  CU_ASSERT_EQUAL(pst_board_advance(&m->call[2], &m->step[2]), 0);
  CU_ASSERT_EQUAL(m->team.board.written, 0);
  CU_ASSERT_EQUAL(pst_board_advance(&m->call[1], &m->step[1]), 0);
  CU_ASSERT_EQUAL(m->team.board.written, 1);
  CU_ASSERT_EQUAL(pst_board_advance(&m->call[2], &m->step[2]), 0);
  CU_ASSERT_EQUAL(m->team.board.written, 1);
  CU_ASSERT_EQUAL(m->step[1].node, 1);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"exchanges", test_exchanges},
      {"one after the other", test_order},
  };
  seed = random_seed();
  return RUN_SUITE("board", tests);
}
