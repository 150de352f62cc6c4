/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "engine.h"

int main(int argc, char **argv) { return bench_worker(argc, argv); }
