/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Active messages between node 0 and its partner, between all pairs at once, or of all to all. */
#include "catalogue.h"

enum { WORD = 8, USUAL = 512, MEDIUM = 8192, LARGEST = 16 << 20, SOME = BENCH_DEFAULT | BENCH_THREADED };

#define PASSED "a message there and back, the best of its ways to send"
#define TEST(test, text, bare, net) \
  .name = test, .group = "messages", .what = text, .raw = bare, .raw_network = net

const struct bench_test bench_tests_messages[] = {
    {TEST("am_short", "short request and reply", "a slot in a cache line each way", PASSED), .unit = BENCH_NS,
        .flags = SOME},
    {TEST("am_short_p", "the same against a loop that pauses in its wait", "a slot in a cache line each way",
         NULL),
        .unit = BENCH_NS, .flags = BENCH_SMP},
    {TEST("am_medium", "medium request and reply, both copied out", "copy in, flag, copy out, both ways",
         PASSED),
        .unit = BENCH_NS, .points = BENCH_SIZES, .from = WORD, .to = MEDIUM, .flags = SOME},
    {TEST("am_medium_p", "the same against a loop that pauses in its wait",
         "copy in, flag, copy out, both ways", NULL),
        .unit = BENCH_NS, .points = BENCH_SIZES, .from = USUAL, .to = USUAL, .flags = BENCH_SMP},
    {TEST("am_long", "long request and reply", "memcpy and flag, both ways",
         "a write, then a message, both ways"),
        .unit = BENCH_NS, .points = BENCH_SIZES, .from = WORD, .to = LARGEST, .flags = SOME},
    {TEST("am_flood", "short requests one way, until all handlers have run",
         "a ring of cache lines, each claimed by fetch-and-add",
         "messages of 8 bytes, counted by the receiver"),
        .unit = BENCH_MSGS, .flags = SOME},
    {TEST("am_flood_medium", "medium requests one way, until all have run", NULL, NULL), .unit = BENCH_GBS,
        .points = BENCH_SIZES, .from = WORD, .to = MEDIUM, .flags = SOME},
    {TEST("hsl_pair", "a handler-safe lock taken and released, in PAR jobs", "a pthread mutex", NULL),
        .unit = BENCH_NS, .flags = BENCH_THREADED | BENCH_PAR | BENCH_SMP},
    {TEST("am_all_to_all", "short requests of all to all others, until handled", NULL, NULL),
        .unit = BENCH_MSGS, .flags = SOME},
    {TEST("am_all_to_all_medium", "medium requests of all to all others, until handled", NULL, NULL),
        .unit = BENCH_GBS, .points = BENCH_SIZES, .from = 64, .to = 4096, .most = 65536,
        .flags = BENCH_THREADED},
    {.name = NULL},
};

const struct bench_bound bench_bounds_messages[] = {
    BENCH_AT_MOST("am_short", "-", "smp", 1.6),
    BENCH_AT_MOST("am_medium", "512", "smp", 1.6),
    {"am_flood", "-", "smp", NULL, BENCH_RATE_AT_LEAST, 0.8},
    BENCH_AT_MOST("am_short", "-", "ofi", 1.25),
    BENCH_AT_MOST("am_medium", "512", "ofi", 1.25),
    {"am_short", "-", "ucx", "tcp,self", BENCH_RATIO_AT_MOST, 1.2},
    {"am_short", "-", "ucx", "posix,self", BENCH_RATIO_AT_MOST, 1.3},
    {"am_medium", "512", "ucx", "tcp,self", BENCH_RATIO_AT_MOST, 1.2},
    {"am_medium", "512", "ucx", "posix,self", BENCH_RATIO_AT_MOST, 1.3},
    {"am_flood", "-", "ucx", NULL, BENCH_RATE_AT_LEAST, 0.7},
    {.test = NULL},
};
