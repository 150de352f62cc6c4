/* What is measured to be held against a bound, and is of no use by itself. */
#include "catalogue.h"

enum { WORD = 8, USUAL = 512 };

#define TEST(test, text, test_of, by) \
  .name = test, .group = "checks", .what = text, .unit = by, .program = BENCH_TWO_KINDS, .nodes = 2, .of = test_of
#define PAR_WORD(test, text, test_of) {TEST(test, text ", PAR against SEQ", test_of, BENCH_NS), .points = BENCH_SIZES, .from = WORD, .to = WORD, \
                                       .flags = BENCH_PAR | BENCH_SMP}
#define PAR_MESSAGE(test, text, test_of, by) {TEST(test, text ", PAR against SEQ", test_of, by), .flags = BENCH_PAR | BENCH_SMP}

const struct bench_test bench_tests_checks[] = {
  PAR_WORD("par_put", "put of 8 bytes", "put_latency"),
  PAR_WORD("par_put_val", "put_val of 8 bytes", "put_val"),
  PAR_WORD("par_put_nb", "put_nb of 8 bytes", "put_nb_latency"),
  PAR_MESSAGE("par_am_short", "short there and back", "am_short", BENCH_NS),
  {TEST("par_am_medium", "medium there and back, PAR against SEQ", "am_medium", BENCH_NS), .points = BENCH_SIZES, .from = USUAL, .to = USUAL,
   .flags = BENCH_PAR | BENCH_SMP},
  PAR_MESSAGE("par_am_flood", "short messages one way", "am_flood", BENCH_MSGS),
  {.name = "progress_busy", .group = "checks", .what = "get from a computing node, with a progress thread",
   .raw = "2 x idle + what a woken thread waits", .raw_network = "2 x idle + what a woken thread waits", .unit = BENCH_US, .nodes = 2,
   .flags = BENCH_PROGRESS_THREAD | BENCH_NETWORK},
  {TEST("progress_cost", "get of 8 bytes where a progress thread is idle", "get_latency", BENCH_US), .points = BENCH_SIZES, .from = WORD,
   .to = WORD, .flags = BENCH_PROGRESS_THREAD | BENCH_NETWORK},
  {.name = NULL}};

const struct bench_bound bench_bounds_checks[] = {
  {"par_put", "8", "smp", NULL, BENCH_RATIO_AT_MOST, 1.05},
  {"par_put_val", "8", "smp", NULL, BENCH_RATIO_AT_MOST, 1.05},
  {"par_put_nb", "8", "smp", NULL, BENCH_RATIO_AT_MOST, 1.05},
  {"par_am_short", "-", "smp", NULL, BENCH_RATIO_AT_MOST, 1.15},
  {"par_am_medium", "512", "smp", NULL, BENCH_RATIO_AT_MOST, 1.15},
  {"par_am_flood", "-", "smp", NULL, BENCH_RATIO_AT_MOST, 1.15},
  {"progress_busy", "-", NULL, NULL, BENCH_RATIO_AT_MOST, 1.0},
  {"progress_cost", "8", NULL, NULL, BENCH_RATIO_AT_MOST, 1.1},
  {.test = NULL}};
