/* The command line that all bench programs have. */
#ifndef BENCH_COMMON_OPTIONS_H
#define BENCH_COMMON_OPTIONS_H
#include "common.h"

struct bench_options {
  const char *rows;     /* patterns, or NULL */
  unsigned rounds;
  int json, strict;
  const char *launcher; /* path, "self", or NULL: look for it */
  const char *worker;   /* group's name, set by the controller */
  const char *own;      /* of the program's own option: its argument, "" when it takes none; NULL: not given */
};

struct bench_program {
  const char *name, *help;
  const struct bench_row *(*row)(unsigned i); /* NULL behind the last */
  const char *own;                            /* name of an option that no other program has, or NULL */
  int own_has_argument;
};

/* Into *o, which holds the defaults. --help and --list end the process with 0, errors with 2 and a message. */
void bench_parse(int argc, char **argv, const struct bench_program *p, struct bench_options *o);
#endif
