/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Barriers of all nodes, a message that passes all, and collectives on the list of all nodes. */
#include "catalogue.h"

#define EXCHANGE "two exchanges of flags"
#define TEST(test, text, bare, net, f) \
  { \
    .name = test, .group = "collectives", .what = text, .raw = bare, .raw_network = net, .unit = BENCH_US, \
    .points = BENCH_NODES, .flags = f \
  }

const struct bench_test bench_tests_collectives[] = {
    TEST("barrier", "anonymous barrier", "an exchange of flags; of more, the best central barrier", NULL,
        BENCH_DEFAULT),
    {.name = "barrier_p",
        .group = "collectives",
        .what = "the same against a loop that pauses in its wait",
        .raw = "an exchange of flags",
        .unit = BENCH_US,
        .nodes = 2,
        .flags = BENCH_SMP},
    TEST("team_barrier", "barrier on a list of all nodes", "gasnet_barrier", "gasnet_barrier", BENCH_DEFAULT),
    TEST("am_ring", "short message that passes all nodes", "a token passed on, with sched_yield in the wait",
        NULL, 0),
    TEST("team_broadcast_8", "broadcast of 8 bytes from node 0", EXCHANGE " and a copy", NULL, 0),
    TEST("team_broadcast_8K", "broadcast of 8 KiB from node 0", EXCHANGE " and memcpy", NULL, BENCH_DEFAULT),
    TEST("team_broadcast_1M", "broadcast of 1 MiB from node 0", EXCHANGE " and memcpy", NULL, 0),
    TEST("team_sum_1", "sum of 1 long of each node, at all", EXCHANGE, NULL, BENCH_DEFAULT),
    TEST("team_sum_8192", "sums of 8192 longs of each node, at all", EXCHANGE " and a loop", NULL,
        BENCH_DEFAULT),
    TEST("team_fcollect_8", "8 bytes of each node, to all", EXCHANGE " and copies", NULL, 0),
    TEST("team_fcollect_8K", "8 KiB of each node, to all", EXCHANGE " and memcpy of each", NULL,
        BENCH_DEFAULT),
    TEST("team_collect_8K", "8 KiB more or less of each node, to all", EXCHANGE " and memcpy of each", NULL,
        0),
    {.name = NULL},
};

const struct bench_bound bench_bounds_collectives[] = {
    BENCH_AT_MOST("barrier", "2", "smp", 1.2),
    BENCH_AT_MOST("barrier", "4", "smp", 1.0),
    BENCH_AT_MOST("barrier", "8", "smp", 1.0),
    BENCH_AT_MOST("barrier", "64", "smp", 1.0),
    BENCH_AT_MOST("team_barrier", "2", "smp", 1.5),
    BENCH_AT_MOST("team_barrier", "4", "smp", 1.5),
    BENCH_AT_MOST("team_barrier", "8", "smp", 1.5),
    BENCH_AT_MOST("am_ring", "8", "smp", 1.5),
    BENCH_AT_MOST("team_broadcast_8K", "2", "smp", 1.2),
    BENCH_AT_MOST("team_sum_1", "2", "smp", 1.2),
    BENCH_AT_MOST("team_sum_8192", "2", "smp", 1.2),
    {.test = NULL},
};
