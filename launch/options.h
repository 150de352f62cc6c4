/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The command line of gasnetrun. */
#ifndef LAUNCH_OPTIONS_H
#define LAUNCH_OPTIONS_H
#include "launch/arguments.h"
#include "launch/hosts.h"

enum { EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

struct options {
  unsigned nodes;
  int verbose;
  int tag_output;
  const char *workdir;   /* NULL: here */
  char **program;        /* the program and its arguments, NULL at the end */
  struct hosts hosts;    /* none: this host alone, without a daemon; else each with its processes */
  unsigned use_hosts;    /* -N; 0: not said */
  const char *rsh;       /* the remote shell; NULL: the default */
  const char *interface; /* where the launcher listens; NULL: wherever it must */
  const char *prefix;    /* where gasnetrun lies on the hosts; NULL: where it lies here */
  const char *export;    /* variables that travel: "all", or names separated by commas */
  double timeout;        /* seconds for all hosts to start */
  char **set;            /* names of variables that -E has set; NULL at the end, NULL when there is none */
};

/* Fills *o, changes the environment as -E asks. --help, --version and every misuse end the process. */
void options_parse(int argc, char **argv, struct options *o);

#endif
