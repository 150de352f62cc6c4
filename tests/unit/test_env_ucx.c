/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The list that GASNET_UCX_WITHOUT takes: every name, and what is refused with nothing changed. */
#ifndef PST_FAULT_INJECTION
#include <stdio.h>
int main(void)
{
  fprintf(stderr, "skip: this build injects no faults (configure --enable-fault-injection)\n");
  return 77;
}
#else
#include "conduits/ucx/variables.h"

#include <string.h>

#include "support/error.h"
#include "tests/unit/suite.h"

static int is(const char *text, struct pst_ucx_without expected)
{
  struct pst_ucx_without w;
  memset(&w, 0x5a, sizeof w);
  return pst_ucx_without_parse(text, &w) == PST_OK && memcmp(&w, &expected, sizeof w) == 0;
}

static int refused(const char *text, int err)
{
  struct pst_ucx_without w, untouched;
  memset(&w, 0x5a, sizeof w);
  untouched = w;
  return pst_ucx_without_parse(text, &w) == err && memcmp(&w, &untouched, sizeof w) == 0;
}

static void test_taken(void)
{
  CU_ASSERT(is(NULL, (struct pst_ucx_without){0}));
  CU_ASSERT(is("direct", (struct pst_ucx_without){.direct = 1}));
  CU_ASSERT(is("bulk", (struct pst_ucx_without){.bulk = 1}));
  CU_ASSERT(is("rma", (struct pst_ucx_without){.rma = 1}));
  CU_ASSERT(is("peer_errors", (struct pst_ucx_without){.peer_errors = 1}));
  CU_ASSERT(is("room:2", (struct pst_ucx_without){.room = 2}));
  CU_ASSERT(is("rma,room:9,direct", (struct pst_ucx_without){.direct = 1, .rma = 1, .room = 9}));
}

static void test_refused(void)
{
  static const char *const bad[] = {
      "", ",", "room", "room:", "room:x", "direct:1", "direc", "rma,", ",rma", "rma,,bulk", "size:64", "RMA"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) CU_ASSERT(refused(bad[i], PST_ERR_INVALID));
  CU_ASSERT(refused("room:1", PST_ERR_RANGE));
  CU_ASSERT(refused("rma,room:0", PST_ERR_RANGE));
}

int main(void)
{
  static const struct unit_test tests[] = {{"taken", test_taken}, {"refused", test_refused}};
  return RUN_SUITE("GASNET_UCX_WITHOUT", tests);
}
#endif
