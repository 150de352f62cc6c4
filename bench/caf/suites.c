/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* All tests of gasnetbench-caf. */
#include "../engine/engine.h"

extern const struct bench_suite bench_suite_caf_transfers, bench_suite_caf_control, bench_suite_caf_halo;

const struct bench_suite *const bench_suites[] = {
    &bench_suite_caf_transfers, &bench_suite_caf_control, &bench_suite_caf_halo, NULL};
