/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Points that are measured only to be compared with a bound. */
#include "catalogue.h"

enum { WORD = 8, USUAL = 512 };

static const char *const transfers[] = {"put", "get", "first_put", NULL};

#define TEST(test, text, test_of, by) \
  BENCH_TEST(test, "checks", text, by), .program = BENCH_TWO_KINDS, .nodes = 2, .of = test_of
#define PAR_WORD(test, text, test_of) \
  { \
    TEST(test, text ", PAR against SEQ", test_of, BENCH_NS), .points = BENCH_SIZES, .from = WORD, \
                                                             .to = WORD, .flags = BENCH_PAR | BENCH_SMP \
  }
#define PAR_MESSAGE(test, text, test_of, by) \
  { \
    TEST(test, text ", PAR against SEQ", test_of, by), .flags = BENCH_PAR | BENCH_SMP \
  }

const struct bench_test bench_tests_checks[] = {
    PAR_WORD("par_put", "put of 8 bytes", "put_latency"),
    PAR_WORD("par_put_val", "put_val of 8 bytes", "put_val"),
    PAR_WORD("par_put_nb", "put_nb of 8 bytes", "put_nb_latency"),
    PAR_MESSAGE("par_am_short", "short there and back", "am_short", BENCH_NS),
    {TEST("par_am_medium", "medium there and back, PAR against SEQ", "am_medium", BENCH_NS),
        .points = BENCH_SIZES, .from = USUAL, .to = USUAL, .flags = BENCH_PAR | BENCH_SMP},
    PAR_MESSAGE("par_am_flood", "short messages one way", "am_flood", BENCH_MSGS),
    {BENCH_TEST("progress_busy", "checks", "get from a computing node, with a progress thread", BENCH_US),
        .raw = "2 x idle + what a woken thread waits", .raw_network = "2 x idle + what a woken thread waits",
        .nodes = 2, .flags = BENCH_PROGRESS_THREAD | BENCH_NETWORK},
    {TEST("progress_cost", "get of 8 bytes where a progress thread is idle", "get_latency", BENCH_US),
        .points = BENCH_SIZES, .from = WORD, .to = WORD, .flags = BENCH_PROGRESS_THREAD | BENCH_NETWORK},
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
    BENCH_AT_MOST("par_put", "8", "smp", 1.05),
    BENCH_AT_MOST("par_put_val", "8", "smp", 1.05),
    BENCH_AT_MOST("par_put_nb", "8", "smp", 1.05),
    BENCH_AT_MOST("par_am_short", "-", "smp", 1.15),
    BENCH_AT_MOST("par_am_medium", "512", "smp", 1.15),
    BENCH_AT_MOST("par_am_flood", "-", "smp", 1.15),
    {"progress_busy", "-", NULL, NULL, BENCH_RATIO_AT_MOST, 1.0},
    {"progress_cost", "8", "ofi", "tcp;ofi_rxm", BENCH_RATIO_AT_MOST, 1.3},
    {"progress_cost", "8", "ofi", "net", BENCH_RATIO_AT_MOST, 1.1},
    {"progress_cost", "8", "ofi", "shm", BENCH_RATIO_AT_MOST, 1.1},
    {"progress_cost", "8", "ucx", NULL, BENCH_RATIO_AT_MOST, 1.1},
    WAITING("put", "ofi", "net"),
    WAITING("get", "ofi", "net"),
    WAITING("put", "ofi", "tcp;ofi_rxm"),
    WAITING("get", "ofi", "tcp;ofi_rxm"),
    WAITING("put", "ucx", NULL),
    WAITING("get", "ucx", NULL),
    {.test = NULL},
};
