/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Fortran's coarrays, beside C by hand; the same over OpenCoarrays. */
#include "catalogue.h"

static const char *const words[] = {"put_8", "get_8", NULL};
static const char *const blocks[] = {"put_1M", "get_1M", NULL};
static const char *const sections[] = {
    "put_column", "get_column", "put_row", "get_row", "put_square", "get_square", NULL};
static const char *const all[] = {"sync_all", NULL};
static const char *const pair[] = {"sync_images", "event", NULL};
static const char *const atomics[] = {"add", "fetch_add", "lock", NULL};
static const char *const sums[] = {"sum_8", "sum_1M", NULL};
static const char *const halo[] = {"columns", "rows", NULL};

#define TEST(test, text, unit_of, mapped, network) \
  .name = test, .group = "caf", .what = text, .program = BENCH_COARRAYS, .unit = unit_of, .raw = mapped, \
  .raw_network = network
#define NAMED(list) .points = BENCH_NAMES, .names = list
#define OTHER(test, same, unit_of) \
  .name = test, .group = "opencoarrays", .what = same " over OpenCoarrays", .program = BENCH_OPENCOARRAYS, \
  .unit = unit_of, .flags = BENCH_SMP, .of = same

const struct bench_test bench_tests_caf[] = {
    {TEST("caf_words", "a coarray's double", BENCH_NS, "a store or load through a mapped pointer",
         "gasnet_put, gasnet_get"),
        NAMED(words)},
    {TEST("caf_blocks", "1 MiB of a coarray", BENCH_US, "memcpy, or gasnet_put_bulk, gasnet_get_bulk",
         "gasnet_put_bulk, gasnet_get_bulk"),
        NAMED(blocks)},
    {TEST("caf_sections", "a column or row of 512 doubles, 32 x 32 with stride 2", BENCH_NS,
         "gasnet_puts_bulk, gasnet_gets_bulk", "gasnet_puts_bulk, gasnet_gets_bulk"),
        NAMED(sections)},
    {TEST("caf_sync", "sync all", BENCH_NS, "a barrier", "a barrier"), NAMED(all)},
    {TEST("caf_pair", "sync images of two, an event there and back", BENCH_NS,
         "the same by a word in each's memory", "the same by notifications"),
        NAMED(pair)},
    {TEST("caf_atomics", "an atomic subroutine; lock and unlock", BENCH_NS, "one locked instruction; two",
         "gasnetx_atomic32; two gasnetx_atomic64"),
        NAMED(atomics)},
    {TEST("caf_sums", "co_sum of a double, and of 1 MiB", BENCH_NS, "the team's own call",
         "the team's own call"),
        NAMED(sums)},
    {TEST("caf_allocate", "allocate and deallocate of a coarray", BENCH_NS, "a barrier", "a barrier")},
    {TEST("caf_halo", "a step with ghost cells, 256 x 256 doubles an image", BENCH_US,
         "the same by puts and a barrier", "the same by puts and a barrier"),
        NAMED(halo)},
    {TEST("caf_crowd", "a step of 16 sweeps with ghost cells, 8 images", BENCH_US, "its computation alone",
         "its computation alone"),
        NAMED(halo), .nodes = 8},
    {OTHER("opencoarrays_words", "caf_words", BENCH_NS), NAMED(words)},
    {OTHER("opencoarrays_blocks", "caf_blocks", BENCH_US), NAMED(blocks)},
    {OTHER("opencoarrays_sections", "caf_sections", BENCH_NS), NAMED(sections)},
    {OTHER("opencoarrays_sync", "caf_sync", BENCH_NS), NAMED(all)},
    {OTHER("opencoarrays_pair", "caf_pair", BENCH_NS), NAMED(pair)},
    {OTHER("opencoarrays_atomics", "caf_atomics", BENCH_NS), NAMED(atomics)},
    {OTHER("opencoarrays_sums", "caf_sums", BENCH_NS), NAMED(sums)},
    {OTHER("opencoarrays_allocate", "caf_allocate", BENCH_NS)},
    {OTHER("opencoarrays_halo", "caf_halo", BENCH_US), NAMED(halo)},
    {OTHER("opencoarrays_crowd", "caf_crowd", BENCH_US), NAMED(halo), .nodes = 8},
    {.name = NULL},
};

#define OVER_NETWORKS(test, point, bound) \
  BENCH_AT_MOST(test, point, "ofi", bound), BENCH_AT_MOST(test, point, "ucx", bound)

const struct bench_bound bench_bounds_caf[] = {
    {"caf_words", "put_8", "smp", NULL, BENCH_ABOVE_AT_MOST, 12},
    {"caf_words", "get_8", "smp", NULL, BENCH_ABOVE_AT_MOST, 8},
    BENCH_AT_LEAST("caf_blocks", NULL, "smp", 0.97),
    BENCH_AT_MOST("caf_sections", NULL, "smp", 1.1),
    BENCH_AT_MOST("caf_sync", NULL, "smp", 1.2),
    BENCH_AT_MOST("caf_pair", NULL, "smp", 1.5),
    {"caf_atomics", "add", "smp", NULL, BENCH_ABOVE_AT_MOST, 4},
    {"caf_atomics", "lock", "smp", NULL, BENCH_VALUE_AT_MOST, 25},
    BENCH_AT_MOST("caf_sums", NULL, "smp", 1.2),
    BENCH_AT_MOST("caf_allocate", NULL, "smp", 3),
    BENCH_AT_MOST("caf_halo", NULL, "smp", 1.1),
    BENCH_AT_MOST("caf_crowd", NULL, "smp", 1.3),
    OVER_NETWORKS("caf_words", NULL, 1.05),
    OVER_NETWORKS("caf_blocks", NULL, 1.05),
    OVER_NETWORKS("caf_sections", "put_column", 1.05),
    OVER_NETWORKS("caf_sections", "get_column", 1.05),
    OVER_NETWORKS("caf_sums", NULL, 1.05),
    {.test = NULL},
};
