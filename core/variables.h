/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef CORE_VARIABLES_H
#define CORE_VARIABLES_H
#include "support/env.h"

struct pst_core_env {
  struct pst_variable conduit, am_only, supernode_maxsize, max_segsize, max_threads, atomics, progress_thread,
      freeze, freeze_signal, backtrace_signal, no_catch_signal, tracefile, tracemask, statsfile, statsmask;
};
extern const struct pst_core_env pst_core_env;

/* GASNET_MAX_SEGSIZE: "64M", "1.5G", "0.5/H" (fraction of memory, per host), "512M/P" (per process), "0.8".
 * Bytes for one process, given the host's memory and its processes. A text without /H or /P is per process
 * when it is a size and per host when it is a fraction. */
uint64_t pst_segsize_most(uint64_t host_memory, unsigned host_processes);
int pst_segsize_parse(const char *text, uint64_t host_memory, unsigned host_processes, uint64_t *bytes);

#endif
