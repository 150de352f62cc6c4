/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The command line. */
#ifndef BENCH_CONTROL_SETTINGS_H
#define BENCH_CONTROL_SETTINGS_H
#include <stddef.h>

#include "launch/hosts.h"

enum { EXIT_UNMEASURED = 1, EXIT_USAGE = 2, EXIT_OVER = 3 };
enum { SIZES_MOST = 128, THREADS_MOST = 16, TARGETS_MOST = 16 };

/* What nodes talk by. */
struct target {
  const char *conduit;   /* smp, ofi, ucx; NULL: left to the library, where there are several hosts */
  const char *transport; /* NULL: the library's choice */
};

struct settings {
  char **patterns; /* names of tests, or shell patterns; NULL at the end */
  unsigned pattern_count;
  size_t size[SIZES_MOST]; /* ascending; none: each test's own */
  unsigned sizes;
  unsigned thread[THREADS_MOST]; /* ascending; at least one */
  unsigned threads;
  const char *conduit[4], *transport[TARGETS_MOST];
  unsigned conduits, transports;
  struct target target[TARGETS_MOST]; /* each conduit with each transport, which belongs to one conduit */
  unsigned targets;
  unsigned nodes;                        /* 0: not said */
  struct hosts hosts;                    /* none: this host alone */
  const char *hosts_option, *hosts_text; /* as they were named; option NULL: by the environment */
  double time;                           /* seconds for the whole run; 0: not said */
  unsigned rounds;                       /* 0: by time */
  double noise;                          /* percent: less is no change */
  const char *output, *plot, *vs, *workers;
  int list, json, par, raw, check, strict, unpinned, verbose;
};

/* Fills *s, which is in use until the process ends. --help, --version and every misuse end it. */
void settings_parse(int argc, char **argv, struct settings *s);
/* Is the test meant by the patterns? 2: by its very name. */
int settings_mean(const struct settings *s, const char *test);
#endif
