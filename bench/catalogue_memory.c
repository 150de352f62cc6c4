/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory that the library takes, by the number of nodes. */
#include "catalogue.h"

#define TEST(test, text, f)                                                                         \
  {                                                                                                 \
    .name = test, .group = "job", .what = text, .unit = BENCH_KB, .points = BENCH_NODES, .flags = f \
  }

const struct bench_test bench_tests_memory[] = {
    TEST("memory_shared", "memory that a host's nodes share, a process", BENCH_DEFAULT),
    TEST("memory_private", "a process's own memory in use, without segments", BENCH_DEFAULT), {.name = NULL}};

const struct bench_bound bench_bounds_memory[] = {
    {"memory_shared", "64", "smp", NULL, BENCH_VALUE_AT_MOST, 1e6}, {.test = NULL}};
