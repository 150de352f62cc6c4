/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What xmpcc does with a command line: preprocess, translate, compile, link. */
#ifndef XMPCC_DRIVER_H
#define XMPCC_DRIVER_H
#include "xmpcc/options.h"

/* The exit code. */
int driver_run(const struct options *o);

#endif
