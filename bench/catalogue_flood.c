/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages of all to all. */
#include "catalogue.h"

#define TEST(test, text) .name = test, .group = "messages", .what = text

const struct bench_test bench_tests_flood[] = {
    {TEST("am_all_to_all", "short requests of all to all others, until handled"), .unit = BENCH_MSGS,
        .points = BENCH_ONE, .flags = BENCH_DEFAULT | BENCH_THREADED},
    {TEST("am_all_to_all_medium", "medium requests of all to all others, until handled"), .unit = BENCH_GBS,
        .points = BENCH_SIZES, .from = 64, .to = 4096, .most = 65536, .flags = BENCH_THREADED},
    {.name = NULL}};

const struct bench_bound bench_bounds_flood[] = {{.test = NULL}};
