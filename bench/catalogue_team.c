/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on the list of all nodes, by their number. */
#include "catalogue.h"

#define EXCHANGE "two exchanges of flags"
#define TEST(test, text, bare, f)                                                      \
  {                                                                                    \
    .name = test, .group = "collectives", .what = text, .raw = bare, .unit = BENCH_US, \
    .points = BENCH_NODES, .flags = f                                                  \
  }

const struct bench_test bench_tests_team[] = {
    TEST("team_broadcast_8", "broadcast of 8 bytes from node 0", EXCHANGE " and a copy", 0),
    TEST("team_broadcast_8K", "broadcast of 8 KiB from node 0", EXCHANGE " and memcpy", BENCH_DEFAULT),
    TEST("team_broadcast_1M", "broadcast of 1 MiB from node 0", EXCHANGE " and memcpy", 0),
    TEST("team_sum_1", "sum of 1 long of each node, at all", EXCHANGE, BENCH_DEFAULT),
    TEST("team_sum_8192", "sums of 8192 longs of each node, at all", EXCHANGE " and a loop", BENCH_DEFAULT),
    TEST("team_fcollect_8", "8 bytes of each node, to all", EXCHANGE " and copies", 0),
    TEST("team_fcollect_8K", "8 KiB of each node, to all", EXCHANGE " and memcpy of each", BENCH_DEFAULT),
    TEST("team_collect_8K", "8 KiB more or less of each node, to all", EXCHANGE " and memcpy of each", 0),
    {.name = NULL}};

#define PAIR(test, bound)                              \
  {                                                    \
    test, "2", "smp", NULL, BENCH_RATIO_AT_MOST, bound \
  }
const struct bench_bound bench_bounds_team[] = {
    PAIR("team_broadcast_8K", 1.2), PAIR("team_sum_1", 1.2), PAIR("team_sum_8192", 1.2), {.test = NULL}};
