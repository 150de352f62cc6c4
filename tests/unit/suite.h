/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One CUnit suite from a list of tests; the program's exit code says whether all of them passed. */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H
#include <CUnit/Basic.h>

struct unit_test {
  const char *name;
  void (*run)(void);
};

#define RUN_SUITE(name, tests) run_suite(name, tests, sizeof(tests) / sizeof *(tests))

static inline int run_suite(const char *name, const struct unit_test *tests, unsigned count)
{
  if (CU_initialize_registry() != CUE_SUCCESS) return 1;
  CU_pSuite suite = CU_add_suite(name, NULL, NULL);
  for (unsigned i = 0; suite && i < count; i++)
    if (!CU_add_test(suite, tests[i].name, tests[i].run)) suite = NULL;
  if (suite) CU_basic_run_tests();
  int bad = !suite || CU_get_number_of_failures() != 0 || CU_get_number_of_tests_run() != count;
  CU_cleanup_registry();
  return bad;
}

#endif
