/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Completions count events, and ops that other threads free come back to their owners. */
#include "extended/op.h"

#include <pthread.h>

#include "tests/unit/suite.h"

static void test_events(void)
{
  struct pst_completion c = {0};
  CU_ASSERT(pst_completion_is_done(&c, PST_EVENTS));
  pst_completion_add(&c, PST_PUTS | PST_LOCAL);
  pst_completion_add(&c, PST_GETS);
  CU_ASSERT(!pst_completion_is_done(&c, PST_PUTS));
  CU_ASSERT(!pst_completion_is_done(&c, PST_LOCAL));
  pst_completion_done(&c, PST_LOCAL);
  CU_ASSERT(pst_completion_is_done(&c, PST_LOCAL));
  CU_ASSERT(!pst_completion_is_done(&c, PST_PUTS));
  pst_completion_done(&c, PST_PUTS);
  CU_ASSERT(pst_completion_is_done(&c, PST_PUTS | PST_LOCAL));
  CU_ASSERT(!pst_completion_is_done(&c, PST_GETS));
  pst_completion_done(&c, PST_GETS);
  CU_ASSERT(pst_completion_is_done(&c, PST_EVENTS));
}

/* A put's two events may be learnt of in either order. */
static void test_put_includes_local(void)
{
  struct pst_completion c = {0};
  pst_completion_add(&c, PST_PUTS | PST_LOCAL);
  pst_completion_done(&c, PST_PUTS);
  CU_ASSERT(!pst_completion_is_done(&c, PST_PUTS));
  pst_completion_done(&c, PST_LOCAL);
  CU_ASSERT(pst_completion_is_done(&c, PST_PUTS));
}

enum { MANY = 256, FREERS = 2 };
static struct pst_op *op[FREERS][MANY];

static void *free_all(void *arg)
{
  struct pst_op **mine = arg;
  for (int i = 0; i < MANY; i++) pst_op_free(pst_thread_get(), mine[i]);
  return NULL;
}

static int is_known(const struct pst_op *o)
{
  for (int f = 0; f < FREERS; f++)
    for (int i = 0; i < MANY; i++)
      if (op[f][i] == o) return 1;
  return 0;
}

/* The owner gets the same ops again, whoever has freed them, and each once. */
static void test_returned(void)
{
  struct pst_thread *t = pst_thread_get();
  pthread_t thread[FREERS];
  for (int f = 0; f < FREERS; f++)
    for (int i = 0; i < MANY; i++) op[f][i] = pst_op_new(t, PST_OPKIND_EXPLICIT);
  for (int f = 0; f < FREERS; f++)
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[f], NULL, free_all, op[f]), 0);
  for (int f = 0; f < FREERS; f++) pthread_join(thread[f], NULL);
  for (int i = 0; i < FREERS * MANY; i++) {
    struct pst_op *o = pst_op_new(t, PST_OPKIND_VALUE);
    CU_ASSERT(is_known(o));
    CU_ASSERT_EQUAL(o->value, 0);
    o->value = 1;
  }
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"events", test_events}, {"put includes local", test_put_includes_local}, {"returned", test_returned}};
  return RUN_SUITE("op", tests);
}
