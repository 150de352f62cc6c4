/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Starting and ending jobs, and memory that the library takes, by the number of nodes. */
#include "catalogue.h"

#define MEMORY(test, text) \
  BENCH_TEST(test, "job", text, BENCH_KB), .points = BENCH_NODES, .flags = BENCH_DEFAULT

const struct bench_test bench_tests_job[] = {
    {BENCH_TEST("start", "job", "a job from its start to its end: init, attach, exit", BENCH_S),
        .raw = "fork and exit of as many processes",
        .raw_network = "as many processes that open and close one endpoint", .points = BENCH_NODES,
        .program = BENCH_CONTROLLER, .flags = BENCH_DEFAULT},
    {MEMORY("memory_shared", "memory that a host's nodes share, a process")},
    {MEMORY("memory_private", "a process's own memory in use, without segments")},
    {.name = NULL},
};

const struct bench_bound bench_bounds_job[] = {
    {"start", "64", "smp", NULL, BENCH_VALUE_AT_MOST, 0.5},
    {"start", "255", "smp", NULL, BENCH_VALUE_AT_MOST, 3},
    {"start", "64", "ofi", NULL, BENCH_RATIO_AT_MOST, 1.1},
    {"start", "64", "ucx", NULL, BENCH_VALUE_AT_MOST, 3},
    {"memory_shared", "64", "smp", NULL, BENCH_VALUE_AT_MOST, 1e6},
    {.test = NULL},
};
