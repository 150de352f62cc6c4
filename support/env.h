/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every environment variable of the library is one line of the table in support/env.c;
 * parsing, gasnet_info --env and the manual derive from it. */
#ifndef SUPPORT_ENV_H
#define SUPPORT_ENV_H
#include <stdint.h>

enum pst_env {
  PST_ENV_CONDUIT,
  PST_ENV_AM_ONLY,
  PST_ENV_PSHM_NODES,
  PST_ENV_SUPERNODE_MAXSIZE,
  PST_ENV_MAX_SEGSIZE,
  PST_ENV_USE_HUGEPAGES,
  PST_ENV_MAX_THREADS,
  PST_ENV_BARRIER,
  PST_ENV_TMPDIR,
  PST_ENV_VERBOSEENV,
  PST_ENV_FREEZE,
  PST_ENV_FREEZE_ON_ERROR,
  PST_ENV_FREEZE_SIGNAL,
  PST_ENV_BACKTRACE,
  PST_ENV_BACKTRACE_SIGNAL,
  PST_ENV_CATCH_EXIT,
  PST_ENV_NO_CATCH_SIGNAL,
  PST_ENV_EXITTIMEOUT,
  PST_ENV_TRACEFILE,
  PST_ENV_TRACEMASK,
  PST_ENV_STATSFILE,
  PST_ENV_STATSMASK,
  PST_ENV_SPAWN_VERBOSE,
  PST_ENV_HOSTS,
  PST_ENV_RSH,
  PST_ENV_SPAWN_TIMEOUT,
  PST_ENV_SPAWN_INTERFACE,
  PST_ENV_PROGRESS_THREAD,
  PST_ENV_COALESCE,
  PST_ENV_ATOMICS,
  PST_ENV_OFI_PROVIDER,
  PST_ENV_OFI_DEVICE,
  PST_ENV_UCX_TLS,
  PST_ENV_UCX_DEVICES,
  PST_ENV_VIS_COST,
  PST_ENV_VIS_CPU,
  PST_ENV_GASP_TOOL,
  PST_ENV_GASP_OUTPUT,
#ifdef PST_FAULT_INJECTION
  PST_ENV_OFI_MR,
  PST_ENV_OFI_WITHOUT,
  PST_ENV_UCX_WITHOUT,
#endif
  PST_ENV_COUNT
};

/* Values parsed on first use. A malformed value is fatal: the message names the variable, the value
 * and what is legal. Strings may be NULL when unset and without a default. */
const char *pst_env_string(enum pst_env v);
int pst_env_bool(enum pst_env v);
int64_t pst_env_int(enum pst_env v);
double pst_env_double(enum pst_env v); /* EXITTIMEOUT: seconds */
int pst_env_is_set(enum pst_env v);
/* MAX_SEGSIZE: "64M", "1.5G", "0.5/H" (fraction of memory, per host), "512M/P" (per process), "0.8".
 * Bytes for one process, given the host's memory and its processes. A text without /H or /P is per process
 * when it is a size and per host when it is a fraction. */
uint64_t pst_env_segsize(enum pst_env v, uint64_t host_memory, unsigned host_processes);
int pst_env_parse_segsize(const char *text, uint64_t host_memory, unsigned host_processes, uint64_t *bytes);

/* Checks every variable that is set (fatal when bad) and warns once of each GASNET_ variable that seems to be
 * a known one misspelt; with GASNET_VERBOSEENV of each unknown one, and prints all. Called by gasnet_init on
 * node 0 and quietly (values only) on the others. */
void pst_env_check(int speak);
#endif
