/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/variables.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <strings.h>

#include "support/error.h"
#include "support/parse.h"

/* ---- sizes of segments ---- */

/* A number with a decimal point and no unit, up to 1, is a fraction of the memory. */
static int parse_fraction(const char *text, double *fraction)
{
  double f;
  if (!strchr(text, '.') || pst_parse_double(text, &f) != PST_OK) return PST_ERR_INVALID;
  if (f < 0 || f > 1) return PST_ERR_RANGE;
  return *fraction = f, PST_OK;
}

int pst_segsize_parse(const char *text, uint64_t host_memory, unsigned host_processes, uint64_t *bytes)
{
  char number[64];
  const char *slash = strchr(text, '/');
  size_t n = slash ? (size_t)(slash - text) : strlen(text);
  if (n >= sizeof number || host_processes == 0) return PST_ERR_INVALID;
  memcpy(number, text, n);
  number[n] = '\0';
  int per_host = slash && strcasecmp(slash, "/H") == 0;
  if (slash && !per_host && strcasecmp(slash, "/P") != 0) return PST_ERR_INVALID;
  double fraction;
  uint64_t size;
  int err = parse_fraction(number, &fraction);
  if (err == PST_OK) {
    double part = (double)host_memory * fraction;
    size = part < (double)host_memory ? (uint64_t)part
                                      : host_memory; /* rounding may go up, even beyond 64 bits */
    if (!slash) per_host = 1;
  } else if (err == PST_ERR_INVALID) err = pst_parse_size(number, 1, &size);
  if (err) return err;
  *bytes = per_host ? size / host_processes : size;
  return PST_OK;
}

uint64_t pst_segsize_most(uint64_t host_memory, unsigned host_processes)
{
  uint64_t bytes = 0;
  pst_segsize_parse(pst_env_string(&pst_core_env.max_segsize), host_memory, host_processes, &bytes);
  return bytes;
}

/* ---- the table ---- */

static int check_segsize(const char *text)
{
  uint64_t bytes;
  return pst_segsize_parse(text, UINT64_C(1) << 40, 1, &bytes);
}

static int check_signal(const char *text)
{
  int sig, err = pst_parse_signal(text, &sig);
  return err == PST_OK && (sig == SIGKILL || sig == SIGSTOP) ? PST_ERR_RANGE
                                                             : err; /* nobody can catch them */
}

static int check_signals(const char *text)
{
  sigset_t set;
  return pst_parse_signals(text, &set);
}

/* GASNet's own masks also have O, R, U and X, for what does not exist here: taken without effect. */
static int check_mask(const char *text)
{
  return text[strspn(text, "ABCDGHILNPSWORUX")] == '\0' ? PST_OK : PST_ERR_INVALID;
}

#define MASK_LEGAL "letters from ABCDGHILNPSW"

const struct pst_core_env pst_core_env = {
    .conduit = {"GASNET_CONDUIT", PST_CHOICE("auto", "auto", "smp", "ofi", "ucx", "template"),
        .help = "How nodes talk to each other that do not share memory (see GASNET_SUPERNODE_MAXSIZE): smp, "
                "through memory all the same; ofi, by libfabric; ucx, by UCX; auto, by a network where the "
                "job has several hosts: by ucx where all have a device of InfiniBand's class, else by ofi "
                "where all have a native provider, else by what two hosts measure to be faster; template, "
                "over TCP, where configure was told to build this example for authors of conduits."},
    .am_only = {"GASNET_AM_ONLY", PST_BOOL("no"),
        .help = "Build every operation from active messages instead of loads and stores; for testing."},
    .supernode_maxsize = {"GASNET_SUPERNODE_MAXSIZE", PST_INT("0", 0, INT_MAX),
        .help = "The most nodes that reach each other's segments by load and store; 0 is all of a host, 1 "
                "turns the shortcut off."},
    .max_segsize = {"GASNET_MAX_SEGSIZE",
        PST_SPECIAL("0.85/H", check_segsize,
            "a size such as 64M or 1.5G, or a fraction of the memory such as 0.5, optionally followed by /P "
            "(per process) or /H (per host)"),
        .help = "The largest segment that gasnet_attach may be asked for. Without /P or /H a size is per "
                "process and a fraction per host."},
    .max_threads = {"GASNET_MAX_THREADS", PST_INT("256", 1, 65535),
        .help = "The most threads of a node that may be in the library at once."},
    .atomics = {"GASNET_ATOMICS", PST_CHOICE("auto", "auto", "cpu", "network"),
        .help = "Who carries out atomic operations on words of 32 and 64 bits: cpu, the target's processor; "
                "network, the network's own, which takes that no two nodes share memory (one on each host, "
                "or GASNET_SUPERNODE_MAXSIZE=1) and that it has all of them; auto, the network where its "
                "devices have them."},
    .progress_thread = {"GASNET_PROGRESS_THREAD", PST_BOOL("no"),
        .help = "Network conduits: a thread of the library moves the transfers that other nodes have with "
                "this one while its own threads compute. It runs no handlers."},
    .freeze = {"GASNET_FREEZE", PST_BOOL("no"),
        .help = "Each node stops in gasnet_init and waits for a debugger."},
    .freeze_signal = {"GASNET_FREEZE_SIGNAL",
        PST_SPECIAL(NULL, check_signal, "the name or number of a signal that can be caught, such as SIGUSR1"),
        .help = "A signal that makes a node stop and wait for a debugger."},
    .backtrace_signal = {"GASNET_BACKTRACE_SIGNAL",
        PST_SPECIAL(NULL, check_signal, "the name or number of a signal that can be caught, such as SIGUSR1"),
        .help = "A signal that makes a node print its stack and go on."},
    .no_catch_signal = {"GASNET_NO_CATCH_SIGNAL",
        PST_SPECIAL(NULL, check_signals,
            "names or numbers of signals separated by commas, or * or 1 for all of them"),
        .help = "Signals that the library is not to catch."},
    .tracefile = {"GASNET_TRACEFILE", PST_STRING(NULL),
        .help = "Write a line for each event to this file. Each % in the name becomes the node's number; "
                "stderr and stdout are those streams; without % the nodes append to one file."},
    .tracemask = {"GASNET_TRACEMASK", PST_SPECIAL(NULL, check_mask, MASK_LEGAL),
        .help = "Which events are traced; all where unset: G get, P put, S synchronisation, B barrier, L "
                "locks, A active messages, I information, C conduit, D data, N source lines, H the client's "
                "own, W collectives."},
    .statsfile = {"GASNET_STATSFILE", PST_STRING(NULL),
        .help = "Write counts of the events to this file when the job ends; named as GASNET_TRACEFILE."},
    .statsmask = {"GASNET_STATSMASK", PST_SPECIAL(NULL, check_mask, MASK_LEGAL),
        .help = "Which events are counted; letters as for GASNET_TRACEMASK, all where unset."},
};

PST_ENV_TABLE(core);
