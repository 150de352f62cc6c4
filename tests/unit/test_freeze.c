/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting for a debugger, and going on. */
#include "support/freeze.h"

#include <signal.h>
#include <time.h>

#include "gasnet_tools.h"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

extern volatile int gasnet_frozen;
static volatile int my_flag;

/* Another thread plays the debugger: it sees the flag set and clears it. */
static void *thaw(void *arg)
{
  volatile int *flag = arg;
  struct timespec tick = {0, 1000 * 1000};
  while (!__atomic_load_n(flag, __ATOMIC_RELAXED)) nanosleep(&tick, NULL);
  __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
  return NULL;
}

static void freeze_and_go_on(void *arg)
{
  pthread_t t;
  (void)arg;
  CHILD_CHECK(pthread_create(&t, NULL, thaw, (void *)&gasnet_frozen) == 0);
  pst_freeze("for this test");
  pthread_join(t, NULL);
  CHILD_CHECK(gasnet_frozen == 0);
  CHILD_CHECK(pthread_create(&t, NULL, thaw, (void *)&my_flag) == 0);
  gasnett_freezeForDebuggerNow(&my_flag, "my_flag");
  pthread_join(t, NULL);
  CHILD_CHECK(my_flag == 0);
}

static void test_flag(void)
{
  CU_ASSERT(ended_with(in_child(freeze_and_go_on, NULL), 0));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "frozen for this test"));
  CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "set my_flag to 0"));
}

static void *continue_it(void *arg)
{
  struct timespec tick = {0, 1000 * 1000};
  while (!__atomic_load_n(&gasnet_frozen, __ATOMIC_RELAXED)) nanosleep(&tick, NULL);
  kill(getpid(), SIGCONT);
  return arg;
}

static void freeze_and_continue(void *arg)
{
  pthread_t t;
  (void)arg;
  CHILD_CHECK(pthread_create(&t, NULL, continue_it, NULL) == 0);
  pst_freeze("for this test");
  pthread_join(t, NULL);
}

static void test_continue(void) { CU_ASSERT(ended_with(in_child(freeze_and_continue, NULL), 0)); }

static void not_asked(void *arg)
{
  (void)arg;
  unsetenv("GASNET_FREEZE_ON_ERROR");
  gasnett_freezeForDebuggerErr();
}

static void test_not_asked(void)
{
  CU_ASSERT(ended_with(in_child(not_asked, NULL), 0));
  CU_ASSERT_STRING_EQUAL(child_said, "");
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"flag", test_flag}, {"SIGCONT", test_continue}, {"not asked", test_not_asked}};
  return RUN_SUITE("freeze", tests);
}
