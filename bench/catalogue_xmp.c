/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* XcalableMP: directives and coarrays, beside the same written by hand in C on the same arrays. */
#include "catalogue.h"

static const char *const loops[] = {"triad_1d", "stencil_2d", "stencil_3d", NULL};
static const char *const faces[] = {"face_8K", "face_128K", NULL};
static const char *const moves[] = {"transpose", "cyclic", "row", NULL};
static const char *const collectives[] = {"barrier", "sum_1", "sum_1024", "bcast", NULL};
static const char *const words[] = {"put_8", "get_8", NULL};
static const char *const blocks[] = {"put_1M", "get_1M", NULL};
static const char *const sections[] = {"put_face", "get_face", NULL};

#define TEST(test, text, beside) \
  .name = test, .group = "xmp", .what = text, .program = BENCH_XCALABLEMP, .raw = beside, \
  .raw_network = beside
#define NAMED(list) .points = BENCH_NAMES, .names = list

const struct bench_test bench_tests_xmp[] = {
    {TEST("xmp_loop", "a distributed loop on node 0", "the serial loop over the same part"), .unit = BENCH_US,
        .flags = BENCH_SMP, NAMED(loops)},
    {TEST("xmp_laplace", "a step with reflect, 1024 x 1024 doubles", "the same by a plan and notification"),
        .unit = BENCH_US, .points = BENCH_NODES, .most = 4},
    {TEST("xmp_himeno", "a step with reflect, 128 x 128 x 256 floats", "the same by a plan and notification"),
        .unit = BENCH_US, .points = BENCH_NODES, .most = 4},
    {TEST("xmp_reflect", "reflect alone", "a plan and notification"), .unit = BENCH_US, NAMED(faces)},
    {TEST("xmp_gmove", "gmove between two distributions", "barrier, strided puts or gets, barrier"),
        .unit = BENCH_US, NAMED(moves)},
    {TEST("xmp_collectives", "barrier, reduction and bcast directives", "the team's own call"),
        .unit = BENCH_NS, NAMED(collectives)},
    {.name = "xmp_words",
        .group = "xmp",
        .what = "a coarray's double",
        .program = BENCH_XCALABLEMP,
        .raw = "a store or load through a mapped pointer",
        .raw_network = "gasnet_put, gasnet_get",
        .unit = BENCH_NS,
        NAMED(words)},
    {.name = "xmp_blocks",
        .group = "xmp",
        .what = "1 MiB of a coarray",
        .program = BENCH_XCALABLEMP,
        .raw = "memcpy, or gasnet_put_bulk, gasnet_get_bulk",
        .raw_network = "gasnet_put_bulk, gasnet_get_bulk",
        .unit = BENCH_US,
        NAMED(blocks)},
    {TEST("xmp_faces", "a coarray's face in rows of 8 bytes", "gasnet_puts_bulk, gasnet_gets_bulk"),
        .unit = BENCH_US, NAMED(sections)},
    {.name = NULL},
};

#define OVER_NETWORKS(test, bound) \
  BENCH_AT_MOST(test, NULL, "ofi", bound), BENCH_AT_MOST(test, NULL, "ucx", bound)

const struct bench_bound bench_bounds_xmp[] = {
    BENCH_AT_MOST("xmp_loop", NULL, "smp", 1.03),
    BENCH_AT_MOST("xmp_laplace", NULL, "smp", 1.05),
    BENCH_AT_MOST("xmp_himeno", NULL, "smp", 1.05),
    BENCH_AT_MOST("xmp_reflect", NULL, "smp", 1.1),
    BENCH_AT_LEAST("xmp_gmove", NULL, "smp", 0.9),
    {"xmp_collectives", NULL, "smp", NULL, BENCH_ABOVE_AT_MOST, 30},
    {"xmp_words", NULL, "smp", NULL, BENCH_ABOVE_AT_MOST, 5},
    BENCH_AT_LEAST("xmp_blocks", NULL, "smp", 0.97),
    BENCH_AT_MOST("xmp_faces", NULL, "smp", 1.05),
    OVER_NETWORKS("xmp_reflect", 1.05),
    OVER_NETWORKS("xmp_gmove", 1.05),
    OVER_NETWORKS("xmp_words", 1.05),
    OVER_NETWORKS("xmp_blocks", 1.05),
    OVER_NETWORKS("xmp_faces", 1.05),
    {.test = NULL},
};
