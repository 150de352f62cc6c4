/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations, and random updates of a table that is spread over all nodes. */
#include "catalogue.h"

#define INSTRUCTION      "the processor's instruction on the mapped word"
#define TEST(test, text) .name = test, .group = "atomics", .what = text

static const char *const operations[] = {
    "fadd_own", "fadd", "swap", "cswap", "get", "fadd_32", "cswap_32", "fadd_16", NULL};
static const char *const places[] = {"own", "partner", "all", NULL};
static const char *const contenders[] = {"add", "fadd", "cswap", NULL};

const struct bench_test bench_tests_atomics[] = {
    {TEST("atomic_latency", "one atomic operation with its answer"), .raw = INSTRUCTION, .unit = BENCH_NS,
        .points = BENCH_NAMES, .names = operations, .flags = BENCH_DEFAULT},
    {TEST("atomic_rate", "adds without answers to 1024 words, by all nodes"), .raw = INSTRUCTION,
        .unit = BENCH_MSGS, .points = BENCH_NAMES, .names = places, .flags = BENCH_DEFAULT | BENCH_THREADED},
    {TEST("atomic_contended", "increments of one word of node 0, by all nodes"), .raw = INSTRUCTION,
        .unit = BENCH_MSGS, .points = BENCH_NAMES, .names = contenders,
        .flags = BENCH_DEFAULT | BENCH_THREADED},
    {TEST("gups_atomic", "random updates of all nodes' tables, each atomic"), .raw = INSTRUCTION,
        .unit = BENCH_GUPS, .points = BENCH_ONE, .flags = BENCH_DEFAULT | BENCH_THREADED},
    {TEST("gups_messages", "random updates of all nodes' tables, in messages"), .raw = INSTRUCTION,
        .unit = BENCH_GUPS, .points = BENCH_ONE, .flags = BENCH_DEFAULT},
    {.name = NULL},
};

const struct bench_bound bench_bounds_atomics[] = {{.test = NULL}};
