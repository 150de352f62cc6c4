/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What this host is, and its networks. */
#ifndef BENCH_CONTROL_PLACE_H
#define BENCH_CONTROL_PLACE_H
#include "bench/control/run.h"

/* This host, now. */
void place_fill(const struct settings *s, struct place *p);
/* Notes in the report: what about this host spoils the figures. */
void place_warn(const struct settings *s, struct report *r);

/* --check without --transport: the transports that have bounds and are here, in place of the library's
 * choice. */
void network_expand(struct settings *s, struct report *r);
/* Starts a job of two nodes for each target over a network, which only says by what its nodes talk: into the
 * report's place, and where nobody chose conduit or transport, into its results. A job that cannot be started
 * is left for the measuring jobs to report. */
void network_probe(struct run *run);
#endif
