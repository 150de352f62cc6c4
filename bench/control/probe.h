#ifndef BENCH_CONTROL_PROBE_H
#define BENCH_CONTROL_PROBE_H
#include "bench/control/run.h"

/* Starts a job of two nodes for each target over a network, which only says by what they talk: into the report's place, and where nobody chose
 * conduit or transport, into its results. What cannot be started is left for the jobs that measure to tell. */
void probe_networks(struct run *run);
#endif
