/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The command line. */
#ifndef BENCH_CONTROL_SETTINGS_H
#define BENCH_CONTROL_SETTINGS_H
#include "bench/catalogue.h"
#include "launch/hosts.h"

enum { EXIT_UNMEASURED = 1, EXIT_USAGE = 2, EXIT_OVER = 3 };
enum { NUMBERS_MOST = 128, TRANSPORTS_MOST = 16 };

/* Ascending. */
struct numbers {
  size_t value[NUMBERS_MOST];
  unsigned count;
};

/* What nodes talk by. */
struct target {
  const char *conduit, *transport; /* smp, ofi, ucx; NULL: the library's choice */
};

struct settings {
  char **patterns; /* names of tests, or shell patterns; NULL at the end */
  unsigned pattern_count;
  struct numbers sizes, threads;                     /* no sizes: each test's own; of threads at least one */
  const char *conduits, *transport[TRANSPORTS_MOST]; /* as named */
  unsigned transports;
  struct target target[TRANSPORTS_MOST]; /* one for each conduit, or for each transport of one */
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
/* Is the test meant by the patterns? */
int settings_mean(const struct settings *s, const struct bench_test *t);
#endif
