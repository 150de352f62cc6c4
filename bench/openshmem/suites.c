/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All tests of gasnetbench-shmem. */
#include "pe.h"

extern const struct bench_suite bench_suite_shmem_words, bench_suite_shmem_strided, bench_suite_shmem_updates,
    bench_suite_shmem_collectives, bench_suite_shmem_locks, bench_suite_shmem_busy;

const struct bench_suite *const bench_suites[] = {&bench_suite_shmem_words, &bench_suite_shmem_strided,
    &bench_suite_shmem_updates, &bench_suite_shmem_collectives, &bench_suite_shmem_locks,
    &bench_suite_shmem_busy, NULL};
