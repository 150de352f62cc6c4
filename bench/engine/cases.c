/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All tests of the GASNet workers. */
#include "engine.h"

extern const struct bench_suite bench_suite_latency, bench_suite_several, bench_suite_messages,
    bench_suite_messages_flood, bench_suite_barrier, bench_suite_progress, bench_suite_flood,
    bench_suite_team, bench_suite_strided, bench_suite_strided_speed, bench_suite_alone, bench_suite_lists,
    bench_suite_transpose, bench_suite_atomics, bench_suite_increments, bench_suite_gups, bench_suite_overlap,
    bench_suite_memory, bench_suite_hsl;

const struct bench_suite *const bench_suites[] = {&bench_suite_latency, &bench_suite_several,
    &bench_suite_messages, &bench_suite_messages_flood, &bench_suite_barrier, &bench_suite_progress,
    &bench_suite_flood, &bench_suite_team, &bench_suite_strided, &bench_suite_strided_speed,
    &bench_suite_alone, &bench_suite_lists, &bench_suite_transpose, &bench_suite_atomics,
    &bench_suite_increments, &bench_suite_gups, &bench_suite_overlap, &bench_suite_memory, &bench_suite_hsl,
    NULL};
