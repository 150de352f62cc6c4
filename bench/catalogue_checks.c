/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Points that are measured only to be compared with a bound. */
#include "catalogue.h"

static const char *const transfers[] = {"put", "get", "first_put", NULL};

const struct bench_test bench_tests_checks[] = {
    {BENCH_TEST("progress_busy", "checks", "get from a computing node, with a progress thread", BENCH_US),
        .raw = "2 x idle + what a woken thread waits", .raw_network = "2 x idle + what a woken thread waits",
        .nodes = 2, .flags = BENCH_PROGRESS_THREAD | BENCH_NETWORK},
    {BENCH_TEST(
         "waiting_target", "checks", "put or get of 8 bytes whose target sleeps in a barrier", BENCH_US),
        .raw_network = "the same while the target still looks", .points = BENCH_NAMES, .names = transfers,
        .nodes = 4, .flags = BENCH_NETWORK},
    {.name = NULL},
};

#define WAITING(point, conduit, transport) \
  { \
    "waiting_target", point, conduit, transport, BENCH_RATIO_AT_MOST, 2.0 \
  }

const struct bench_bound bench_bounds_checks[] = {
    {"progress_busy", "-", NULL, NULL, BENCH_RATIO_AT_MOST, 1.0},
    WAITING("put", "ofi", "net"),
    WAITING("get", "ofi", "net"),
    WAITING("put", "ofi", "tcp;ofi_rxm"),
    WAITING("get", "ofi", "tcp;ofi_rxm"),
    WAITING("put", "ucx", NULL),
    WAITING("get", "ucx", NULL),
    {.test = NULL},
};
