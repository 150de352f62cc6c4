/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The OpenSHMEM library. "heap" and "static": on the symmetric heap, or on a static variable of
 * the program. */
#include "catalogue.h"

#define BOTH(name) name "_heap", name "_static"
static const char *const words[] = {BOTH("put"), BOTH("p"), BOTH("get"), BOTH("g"), NULL};
static const char *const atomics[] = {BOTH("fadd"), BOTH("swap"), BOTH("cswap"), NULL};
static const char *const strided[] = {"iput", "iget", NULL};
static const char *const updates[] = {"put", "add", NULL};
static const char *const collectives[] = {"broadcast_8K", "sum_1", "sum_8192", NULL};
static const char *const places[] = {"heap", "static", NULL};
static const char *const busy[] = {BOTH("put"), BOTH("get"), BOTH("fadd"), NULL};

#define TEST(test, text) .name = test, .group = "shmem", .what = text, .program = BENCH_OPENSHMEM
#define NAMED(list)      .points = BENCH_NAMES, .names = list

const struct bench_test bench_tests_shmem[] = {
    {TEST("shmem_words", "put or p and quiet, get, g of a long"),
        .raw = "a store or load through a mapped pointer", .unit = BENCH_NS, NAMED(words)},
    {TEST("shmem_atomics", "atomic operation on a long"), .raw = "lock xadd of the mapped word",
        .unit = BENCH_NS, NAMED(atomics)},
    {TEST("shmem_strided", "1024 longs with a stride of 2, each"), .raw = "a loop over the mapped words",
        .unit = BENCH_NS, NAMED(strided)},
    {TEST("shmem_random", "p or add to random words of all PEs, by all"),
        .raw = "random stores or lock adds to mapped words", .unit = BENCH_MSGS, NAMED(updates)},
    {TEST("shmem_collectives", "broadcast64, long_sum_to_all on all PEs"),
        .raw = "of the broadcast: memcpy from PE 0", .unit = BENCH_US, NAMED(collectives)},
    {TEST("shmem_locks", "set_lock and clear_lock of one nobody else wants"), .raw = "two lock xadd",
        .unit = BENCH_NS, NAMED(places)},
    {TEST("shmem_barrier", "barrier_all"), .raw = "gasnet_barrier in the same job",
        .raw_network = "gasnet_barrier in the same job", .unit = BENCH_US, .points = BENCH_NODES},
    {TEST("shmem_busy", "operations on a PE that computes"), .raw = "the same while it waits in the library",
        .raw_network = "the same while it waits in the library", .unit = BENCH_NS, NAMED(busy)},
    {TEST("shmem_busy_worst", "slowest of 200 operations on a PE that computes"),
        .raw_network = "the same while it waits in the library", .unit = BENCH_US, NAMED(busy),
        .flags = BENCH_NETWORK},
    {.name = NULL},
};

const struct bench_bound bench_bounds_shmem[] = {
    {"shmem_words", NULL, "smp", NULL, BENCH_ABOVE_AT_MOST, 6},
    BENCH_AT_MOST("shmem_atomics", NULL, "smp", 1.6),
    BENCH_AT_LEAST("shmem_strided", NULL, "smp", 0.9),
    BENCH_AT_LEAST("shmem_random", NULL, "smp", 0.7),
    {"shmem_collectives", "broadcast_8K", "smp", NULL, BENCH_VALUE_AT_MOST, 700},
    {"shmem_collectives", "sum_1", "smp", NULL, BENCH_VALUE_AT_MOST, 400},
    {"shmem_collectives", "sum_8192", "smp", NULL, BENCH_VALUE_AT_MOST, 4500},
    {"shmem_locks", NULL, "smp", NULL, BENCH_VALUE_AT_MOST, 60},
    BENCH_AT_MOST("shmem_barrier", "2", "smp", 1.1),
    BENCH_AT_MOST("shmem_barrier", "4", "smp", 1.1),
    BENCH_AT_MOST("shmem_barrier", "8", "smp", 1.1),
    BENCH_AT_MOST("shmem_busy", NULL, "smp", 1.2),
    {"shmem_busy_worst", NULL, NULL, NULL, BENCH_VALUE_AT_MOST, 1e7},
    {.test = NULL},
};
