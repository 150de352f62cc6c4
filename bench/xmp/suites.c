/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All tests of gasnetbench-xmp. */
#include "node.h"

extern const struct bench_suite bench_suite_xmp_loops, bench_suite_xmp_laplace, bench_suite_xmp_himeno,
    bench_suite_xmp_reflect, bench_suite_xmp_gmove, bench_suite_xmp_collectives, bench_suite_xmp_coarrays;

const struct bench_suite *const bench_suites[] = {&bench_suite_xmp_loops, &bench_suite_xmp_laplace,
    &bench_suite_xmp_himeno, &bench_suite_xmp_reflect, &bench_suite_xmp_gmove, &bench_suite_xmp_collectives,
    &bench_suite_xmp_coarrays, NULL};
