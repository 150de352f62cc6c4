/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How the policy of waiting follows the number of threads that wait. */
#include <pthread.h>

#include "core/job.h"
#include "core/wait.h"
#include "tests/unit/suite.h"

static int poll_nothing(void) { return 0; }
static int linger_nothing(unsigned times, int barrier) { return (void)times, barrier & 0; }
static unsigned served_none(void) { return 0; }
static int block_never(
    unsigned microseconds, int barrier, unsigned served, const struct pst_watch *watch, int descriptor)
{
  return (void)microseconds, (void)barrier, (void)served, (void)watch, (void)descriptor, 0;
}
static const struct pst_host_slots nothing_here = {.linger = linger_nothing, .block = block_never};
static const struct pst_conduit nothing = {
    .name = "nothing", .host = &nothing_here, .poll = poll_nothing, .served = served_none};

static void wait_once(void)
{
  struct pst_wait w = {0};
  pst_wait_step(&w);
}

static pthread_barrier_t all_counted, asked;

static void *wait_among_others(void *unused)
{
  wait_once();
  pthread_barrier_wait(&all_counted);
  pthread_barrier_wait(&asked);
  return unused;
}

static void *come_and_go(void *unused)
{
  wait_once();
  return unused;
}

/* Two cores: two threads spin; three give up their cores; two spin again when the others have ended. */
static void test_threads_that_end_do_not_count(void)
{
  enum { MORE = 2, ROUNDS = 20 };
  pthread_t t[MORE];
  pst_job.phase = PST_PHASE_ATTACHED;
  pst_job.conduit = &nothing;
  pst_job.host = &nothing_here;
  pst_job.par = 1;
  pst_wait_open(1, 2, 1);
  wait_once();
  CU_ASSERT_NOT_EQUAL(pst_wait_eager(), 0);
  pthread_barrier_init(&all_counted, NULL, MORE + 1);
  pthread_barrier_init(&asked, NULL, MORE + 1);
  for (int i = 0; i < MORE; i++)
    CU_ASSERT_EQUAL_FATAL(pthread_create(&t[i], NULL, wait_among_others, NULL), 0);
  pthread_barrier_wait(&all_counted);
  CU_ASSERT_EQUAL(pst_wait_eager(), 0);
  pthread_barrier_wait(&asked);
  for (int i = 0; i < MORE; i++) pthread_join(t[i], NULL);
  CU_ASSERT_NOT_EQUAL(pst_wait_eager(), 0);
  for (int i = 0; i < ROUNDS; i++) {
    CU_ASSERT_EQUAL_FATAL(pthread_create(&t[0], NULL, come_and_go, NULL), 0);
    pthread_join(t[0], NULL);
    CU_ASSERT_NOT_EQUAL(pst_wait_eager(), 0);
  }
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"threads that end do not count", test_threads_that_end_do_not_count}};
  return RUN_SUITE("wait", tests);
}
