/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The central barrier, whose words hold 30 bits of a generation. */
#include <string.h>

#include "conduits/smp/barrier.h"
#include "tests/unit/suite.h"

static struct pst_smp_shared shared;

/* The state after `generation` barriers. */
static void have_passed(uint64_t generation)
{
  memset(shared.core, 0, sizeof shared.core);
  shared.core[0].arrivals = generation;
  shared.cores = 1;
  pst_smp.generation = generation;
}

static uint64_t pass(uint64_t value)
{
  uint64_t result = UINT64_MAX;
  pst_smp.generation++;
  pst_smp_central_notify(value);
  CU_ASSERT_EQUAL(pst_smp_central_try(&result), 1);
  return result;
}

static void open_one(void)
{
  memset(&shared, 0, sizeof shared);
  pst_smp.shared = &shared;
  pst_smp.nodes = 1;
}

static void test_values(void)
{
  open_one();
  have_passed(0);
  CU_ASSERT_EQUAL(pass(PST_BARRIER_ANONYMOUS), PST_BARRIER_ANONYMOUS);
  CU_ASSERT_EQUAL(pass(17), 17);
  CU_ASSERT_EQUAL(pass(PST_BARRIER_ANONYMOUS), PST_BARRIER_ANONYMOUS);
  CU_ASSERT_EQUAL(pass(PST_BARRIER_ANONYMOUS), PST_BARRIER_ANONYMOUS);
}

/* A named barrier, anonymous ones, and then the one whose generation has the same 30 bits. */
static void test_tags_do_not_come_back(void)
{
  enum { NAMED = 6 };
  const uint64_t half = UINT64_C(1) << 29, whole = UINT64_C(1) << 30;
  open_one();
  have_passed(NAMED - 1);
  CU_ASSERT_EQUAL(pass(17), 17);
  have_passed(half - 2);
  for (int i = 0; i < 6; i++) CU_ASSERT_EQUAL(pass(PST_BARRIER_ANONYMOUS), PST_BARRIER_ANONYMOUS);
  have_passed(whole + NAMED - 1);
  CU_ASSERT_EQUAL(pass(PST_BARRIER_ANONYMOUS), PST_BARRIER_ANONYMOUS);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"values", test_values}, {"tags do not come back", test_tags_do_not_come_back}};
  return RUN_SUITE("central barrier", tests);
}
