/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Command lines of the examples: --NAME NUMBER, -h, --help. It knows no library: programs of GASNet, UPC and
 * OpenSHMEM use it alike. */
#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option {
  const char *name; /* NULL: the list ends */
  long *value;      /* has the default before */
  long least, most;
  const char *help;
};

static inline const char *options_program(char **argv)
{
  const char *slash = strrchr(argv[0], '/');
  return slash ? slash + 1 : argv[0];
}

static inline void options_usage(const char *run, char **argv, const char *does, const struct option *o)
{
  printf("usage: %s %s [options]\n%s\n", run, options_program(argv), does);
  for (; o->name; o++)
    printf("  --%-9s %s (%ld to %ld; default %ld)\n", o->name, o->help, o->least, o->most, *o->value);
  printf("  --%-9s print this text; also -h\n", "help");
}

/* 0 where there is no number, or not one that the option can have. */
static inline int options_number(const struct option *o, const char *text)
{
  char *end;
  if (!text || *text < '0' || *text > '9') return 0; /* strtol would take a sign and spaces */
  long v = strtol(text, &end, 10);
  if (*end || v < o->least || v > o->most) return 0;
  *o->value = v;
  return 1;
}

/* -1: go on. Else the job ends with this code: 0 after help, 2 after a mistake. All processes read the same;
 * the one with `speak` prints it. `run` is how programs are started, as in "gasnetrun -n N". */
static inline int options_read(
    int argc, char **argv, const char *run, const char *does, const struct option *options, int speak)
{
  for (int i = 1; i < argc; i += 2) {
    const struct option *o = options;
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      if (speak) options_usage(run, argv, does, options);
      fflush(stdout);
      return 0;
    }
    while (o->name && (strncmp(argv[i], "--", 2) != 0 || strcmp(argv[i] + 2, o->name) != 0)) o++;
    if (o->name && options_number(o, argv[i + 1])) continue; /* argv ends with NULL */
    if (speak && o->name)
      fprintf(stderr, "%s: %s needs a number from %ld to %ld\n", options_program(argv), argv[i], o->least,
          o->most);
    if (speak && !o->name)
      fprintf(stderr, "%s: unknown option '%s'; see --help\n", options_program(argv), argv[i]);
    return 2;
  }
  return -1;
}

#endif
