/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How much of a transfer's or collective's time is hidden behind a computation that takes as long. */
#include "catalogue.h"

#define TEST(test, text, f) \
  { \
    .name = test, .group = "overlap", .what = text, .unit = BENCH_PERCENT, .points = BENCH_SIZES, \
    .from = 4096, .to = 4 << 20, .flags = f \
  }

const struct bench_test bench_tests_overlap[] = {
    TEST("overlap_put", "share of a put hidden behind computation", BENCH_DEFAULT),
    TEST("overlap_get", "share of a get hidden behind computation", BENCH_DEFAULT),
    TEST("overlap_both", "share of a put hidden, where all compute", BENCH_DEFAULT),
    TEST("overlap_sum", "share of a sum of integers hidden, where all compute and poll", 0),
    TEST("overlap_put_thread", "the same as overlap_put, with the progress thread",
        BENCH_NETWORK | BENCH_PROGRESS_THREAD),
    TEST("overlap_get_thread", "the same as overlap_get, with the progress thread",
        BENCH_NETWORK | BENCH_PROGRESS_THREAD),
    TEST("overlap_both_thread", "the same as overlap_both, with the progress thread",
        BENCH_NETWORK | BENCH_PROGRESS_THREAD),
    {.name = NULL},
};

const struct bench_bound bench_bounds_overlap[] = {{.test = NULL}};
