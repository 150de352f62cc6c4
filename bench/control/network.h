/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the networks are here. */
#ifndef BENCH_CONTROL_NETWORK_H
#define BENCH_CONTROL_NETWORK_H
#include "bench/control/run.h"

/* --check without --transport: the transports that the bounds are for, those that are here, in place of the
 * library's choice. */
void network_expand(struct settings *s, struct report *r);
/* Starts a job of two nodes for each target over a network, which only says by what they talk: into the
 * report's place, and where nobody chose conduit or transport, into its results. What cannot be started is
 * left for the jobs that measure to tell. */
void network_probe(struct run *run);
#endif
