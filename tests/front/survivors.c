/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks that outlive the loss of a node (front/claim.h), and waits that end with it. All nodes count under a
 * lock in two words of node 0, one after the other, which only the lock keeps equal. The last node dies:
 *   holding   between the two words
 *   taking    somewhere in a loop that takes the lock and gives it back
 * The others count on. One of them is told that the lock comes from a lost node, nobody counts beside another
 * one, and a lock whose home was the lost node is lost. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "front/claim.h"
#include "front/start.h"
#include "front/wait.h"

enum { TURNS = 150, FATAL_TURN = 70 };

static const struct pst_front_language language = {.member = "node", .start = "survivors"};
static int failures;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "FAIL %s:%d: node %u: %s\n", __FILE__, __LINE__, gasnet_mynode(), #condition); \
      failures++; \
    } \
  } while (0)

/* In each node's segment. */
struct words {
  uint64_t claim, first, second, of_victim, never;
};

static gasnet_node_t victim;
static gasnet_seginfo_t *segment;
static struct words *words_of(gasnet_node_t node) { return segment[node].addr; }

static uint64_t word_get(uint64_t *word)
{
  uint64_t value;
  gasnet_get(&value, 0, word, sizeof value);
  return value;
}
static void word_put(uint64_t *word, uint64_t value) { gasnet_put(0, word, &value, sizeof value); }

/* ---- under the lock ---- */

static uint64_t counted, inherited;

static int lock_take(void)
{
  const int rc = pst_front_claim_take(0, &words_of(0)->claim);
  CHECK(rc == PST_FRONT_CLAIM_DONE || rc == PST_FRONT_CLAIM_INHERITED);
  inherited += rc == PST_FRONT_CLAIM_INHERITED;
  return rc;
}
static void lock_release(void)
{
  CHECK(pst_front_claim_release(0, &words_of(0)->claim) == PST_FRONT_CLAIM_DONE);
}

static void turn(int fatal)
{
  struct words *const w = words_of(0);
  const int rc = lock_take();
  const uint64_t first = word_get(&w->first), second = word_get(&w->second);
  if (rc == PST_FRONT_CLAIM_INHERITED) CHECK(first == second || first == second + 1);
  else CHECK(first == second);
  CHECK(pst_front_claim_try(0, &w->claim) == PST_FRONT_CLAIM_WRONG);
  if (gasnet_mynode() == victim) word_put(&w->of_victim, counted + 1);
  word_put(&w->first, first + 1);
  if (fatal) raise(SIGKILL);
  word_put(&w->second, first + 1);
  counted++;
  lock_release();
}

/* ---- how the victim ends ---- */

static void on_timer(int sig)
{
  (void)sig;
  raise(SIGKILL);
}

/* It has completed all its puts: none can arrive when others have the lock. */
static void die_taking(void)
{
  const struct itimerval soon = {{0, 0}, {0, 2000}};
  signal(SIGALRM, on_timer);
  setitimer(ITIMER_REAL, &soon, NULL);
  for (;;) {
    lock_take();
    lock_release();
  }
}

/* ---- the others ---- */

static gasnetx_team_t survivors_meet(void)
{
  gasnet_node_t *list = malloc(victim * sizeof *list);
  gasnetx_team_t team;
  for (gasnet_node_t i = 0; i < victim; i++) list[i] = i;
  while (!(team = gasnetx_team_create(list, victim))) gasnetx_status_take();
  free(list);
  return team;
}

static uint64_t sum(gasnetx_team_t team, uint64_t mine)
{
  const gasnetx_reduction_t add = {.type = GASNETX_TYPE_UINT64, .op = GASNETX_OP_SUM};
  uint64_t all;
  gasnetx_coll_allreduce(team, &all, &mine, 1, &add);
  return all;
}

static void survive(int holding)
{
  struct words *const w = words_of(0), *const lost = words_of(victim);
  PST_FRONT_UNTIL(
      __atomic_load_n(&words_of(gasnet_mynode())->never, __ATOMIC_ACQUIRE) || gasnetx_node_is_lost(victim));
  for (int i = 0; i < TURNS; i++) turn(0);
  CHECK(pst_front_claim_release(0, &w->claim) == PST_FRONT_CLAIM_WRONG);
  words_of(gasnet_mynode())->never = 1000;
  CHECK(pst_front_claim_try(gasnet_mynode(), &words_of(gasnet_mynode())->never) == PST_FRONT_CLAIM_WRONG);
  CHECK(pst_front_claim_take(victim, &lost->claim) == PST_FRONT_CLAIM_HOMELESS);
  CHECK(pst_front_claim_try(victim, &lost->claim) == PST_FRONT_CLAIM_HOMELESS);
  CHECK(pst_front_claim_release(victim, &lost->claim) == PST_FRONT_CLAIM_HOMELESS);
  gasnetx_status_take();
  const gasnetx_team_t team = survivors_meet();
  const uint64_t total = sum(team, counted), heirs = sum(team, inherited);
  CHECK(gasnetx_status_take() == GASNET_OK);
  CHECK(word_get(&w->first) == total + word_get(&w->of_victim));
  CHECK(word_get(&w->second) == word_get(&w->first));
  CHECK(holding ? heirs == 1 : heirs <= 1);
  gasnetx_team_destroy(team);
}

static size_t segment_size(void) { return GASNET_PAGESIZE; }

int main(int argc, char **argv)
{
  const struct pst_front_beginning beginning = {.mode = PST_CLIENT_SEQ,
      .losses = 1,
      .size = segment_size,
      .no_memory = "cannot get memory for the segment"};
  pst_front_begin(&language, &beginning, &argc, &argv);
  const int holding = argc < 2 || strcmp(argv[1], "holding") == 0;
  victim = gasnet_nodes() - 1;
  segment = calloc(gasnet_nodes(), sizeof *segment);
  gasnet_getSegmentInfo(segment, (int)gasnet_nodes());
  memset(words_of(gasnet_mynode()), 0, sizeof(struct words));
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  const int is_victim = gasnet_mynode() == victim;
  for (int i = 0; i < (is_victim ? FATAL_TURN : TURNS); i++) turn(0);
  if (is_victim && holding) turn(1);
  if (is_victim) die_taking();
  survive(holding);
  gasnet_exit(failures != 0);
}
