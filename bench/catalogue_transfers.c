/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Contiguous puts and gets between node 0 and its partner, or between all pairs at once. */
#include "catalogue.h"

enum { SMALLEST = 1, WORD = 8, LARGEST = 16 << 20, SOME = BENCH_DEFAULT | BENCH_THREADED };

#define STORE  "a store or memcpy through a table of pointers"
#define LOAD   "a load or memcpy through a table of pointers"
#define WRITE  "one write until it is visible"
#define READ   "one read"
#define WRITES "as many writes in flight"
#define READS  "as many reads in flight"

#define TEST(test, text, bare, net) \
  .name = test, .group = "transfers", .what = text, .raw = bare, .raw_network = net, .points = BENCH_SIZES
#define LATENCY(test, text, bare, net, f) \
  { \
    TEST(test, text, bare, net), .unit = BENCH_NS, .from = SMALLEST, .to = LARGEST, .flags = f \
  }
#define ANY_LENGTH(test, text) \
  { \
    TEST(test, text, "the better of memcpy and a copy inlined by length", NULL), \
        .unit = BENCH_NS, .from = WORD, .to = 512, .flags = BENCH_SMP \
  }
#define VALUE(test, text, bare, net, f) \
  { \
    TEST(test, text, bare, net), .unit = BENCH_NS, .from = WORD, .to = WORD, .most = WORD, .flags = f \
  }
#define BANDWIDTH(test, text, bare, net, f) \
  { \
    TEST(test, text, bare, net), .unit = BENCH_GBS, .from = SMALLEST, .to = LARGEST, .flags = f \
  }
#define RATE(test, text, bare, net, f) \
  { \
    TEST(test, text, bare, net), .unit = BENCH_MSGS, .from = WORD, .to = 8192, .flags = f \
  }

const struct bench_test bench_tests_transfers[] = {
    LATENCY("put_latency", "one blocking put", STORE, WRITE, SOME),
    LATENCY("get_latency", "one blocking get", LOAD, READ, SOME),
    LATENCY("put_nb_latency", "one put with a handle, and its sync", STORE, WRITE, BENCH_THREADED),
    LATENCY("get_nb_latency", "one get with a handle, and its sync", LOAD, READ, BENCH_THREADED),
    LATENCY("put_nbi_latency", "one implicit put, and its sync", STORE, WRITE, BENCH_THREADED),
    LATENCY("get_nbi_latency", "one implicit get, and its sync", LOAD, READ, BENCH_THREADED),
    ANY_LENGTH("put_any_length", "one blocking put, the compiler does not know of what length"),
    ANY_LENGTH("get_any_length", "one blocking get, the compiler does not know of what length"),
    VALUE("put_val", "one put of a value", "a store through a table of pointers", WRITE, SOME),
    VALUE("get_val", "one get of a value", "a load through a table of pointers", READ, SOME),
    VALUE("get_nb_val", "one get of a value with a handle, and its sync",
        "a load through a table of pointers", READ, BENCH_THREADED),
    BANDWIDTH(
        "put_bandwidth", "implicit puts, up to 32 or 8 MiB in flight", STORE, WRITES ", or messages", SOME),
    BANDWIDTH(
        "get_bandwidth", "implicit gets, up to 32 or 8 MiB in flight", LOAD, READS ", or messages", SOME),
    BANDWIDTH("put_nb_bandwidth", "puts with handles, up to 32 or 8 MiB in flight", STORE,
        WRITES ", or messages", BENCH_THREADED),
    BANDWIDTH("get_nb_bandwidth", "gets with handles, up to 32 or 8 MiB in flight", LOAD,
        READS ", or messages", BENCH_THREADED),
    BANDWIDTH("put_both_ways", "the same puts by both of a pair", STORE " by both", WRITES " by both", SOME),
    BANDWIDTH("get_both_ways", "the same gets by both of a pair", LOAD " by both", READS " by both",
        BENCH_THREADED),
    RATE("put_rate", "implicit puts, 1000 a sync", STORE, WRITES, SOME),
    RATE("get_rate", "implicit gets, 1000 a sync", LOAD, READS, SOME),
    RATE("put_nb_rate", "puts with handles, 256 a sync", STORE, WRITES, BENCH_THREADED),
    RATE("get_nb_rate", "gets with handles, 256 a sync", LOAD, READS, BENCH_THREADED),
    RATE("put_rate_singly", "implicit puts with GASNET_COALESCE=0, 1000 a sync", NULL, WRITES,
        BENCH_SINGLY | BENCH_NETWORK),
    RATE("get_rate_singly", "implicit gets with GASNET_COALESCE=0, 1000 a sync", NULL, READS,
        BENCH_SINGLY | BENCH_NETWORK),
    {.name = NULL},
};

#define BOTH_AT_LEAST(test, point, conduit, bound) \
  BENCH_AT_LEAST("put_" test, point, conduit, bound), BENCH_AT_LEAST("get_" test, point, conduit, bound)
#define ANY_AT_MOST(point) \
  BENCH_AT_MOST("put_any_length", point, "smp", 1.1), BENCH_AT_MOST("get_any_length", point, "smp", 1.1)
#define OVER_TCP(test, point, bound) \
  { \
    test, point, "ucx", "tcp,self", BENCH_RATE_AT_LEAST, bound \
  }

const struct bench_bound bench_bounds_transfers[] = {
    BENCH_AT_MOST("put_latency", "8", "smp", 1.5),
    BENCH_AT_MOST("get_latency", "8", "smp", 1.5),
    BENCH_AT_MOST("put_nb_latency", "8", "smp", 1.5),
    BENCH_AT_MOST("put_val", "8", "smp", 1.5),
    BENCH_AT_MOST("get_val", "8", "smp", 1.5),
    BENCH_AT_MOST("put_rate", "8", "smp", 1.3),
    ANY_AT_MOST("8"),
    ANY_AT_MOST("16"),
    ANY_AT_MOST("32"),
    ANY_AT_MOST("64"),
    ANY_AT_MOST("128"),
    ANY_AT_MOST("256"),
    ANY_AT_MOST("512"),
    BOTH_AT_LEAST("latency", "65536", "smp", 0.97),
    BOTH_AT_LEAST("latency", "1048576", "smp", 0.97),
    BOTH_AT_LEAST("latency", "16777216", "smp", 1.3),
    BOTH_AT_LEAST("latency", "67108864", "smp", 1.3),
    BENCH_AT_MOST("put_latency", "8", "ofi", 1.15),
    BENCH_AT_MOST("get_latency", "8", "ofi", 1.15),
    BENCH_AT_MOST("put_nbi_latency", "8", "ofi", 1.15),
    BOTH_AT_LEAST("bandwidth", "65536", "ofi", 0.95),
    BOTH_AT_LEAST("bandwidth", "1048576", "ofi", 0.95),
    BENCH_AT_LEAST("put_rate", "8", "ofi", 4),
    BENCH_AT_LEAST("get_rate", "8", "ofi", 3),
    BOTH_AT_LEAST("rate_singly", "8", "ofi", 0.8),
    BENCH_AT_MOST("put_latency", "8", "ucx", 1.15),
    BENCH_AT_MOST("get_latency", "8", "ucx", 1.15),
    BOTH_AT_LEAST("bandwidth", "65536", "ucx", 0.95),
    BOTH_AT_LEAST("bandwidth", "1048576", "ucx", 0.95),
    OVER_TCP("put_rate", "8", 4), /* over shared memory each is a store or load */
    OVER_TCP("get_rate", "8", 3),
    OVER_TCP("put_rate_singly", "8", 0.8),
    OVER_TCP("get_rate_singly", "8", 0.8),
    {.test = NULL},
};
