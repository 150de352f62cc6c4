/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What gasnetbench can measure: read by the controller, which shows it, plans jobs and judges results, and by
 * the workers, which are told names of it on their command line. Nothing here is called. */
#ifndef BENCH_CATALOGUE_H
#define BENCH_CATALOGUE_H
#include <stddef.h>

/* For which points a test has a value. */
enum bench_points {
  BENCH_ONE,   /* one, which is called "-" */
  BENCH_SIZES, /* bytes an operation: "8", "65536" */
  BENCH_NAMES, /* those of bench_test.names */
  BENCH_NODES  /* counts of nodes, each a job: "2", "64" */
};

/* How values are shown. They travel as nanoseconds an operation, except seconds (S), bytes (KB) and percent.
 * GBS, MSGS and GUPS are rates: they are shown as the inverse of the time, and more is better; so it is of
 * PERCENT. */
enum bench_unit { BENCH_NS, BENCH_US, BENCH_GBS, BENCH_MSGS, BENCH_S, BENCH_KB, BENCH_PERCENT, BENCH_GUPS };

/* Who measures. */
enum bench_program {
  BENCH_GASNET,       /* gasnetbench-seq, or gasnetbench-par with --par and --threads */
  BENCH_OPENSHMEM,    /* gasnetbench-shmem */
  BENCH_XCALABLEMP,   /* gasnetbench-xmp */
  BENCH_COARRAYS,     /* gasnetbench-caf */
  BENCH_OPENCOARRAYS, /* gasnetbench-opencoarrays, which runs the test `of` of BENCH_COARRAYS; mpirun starts
                         it */
  BENCH_CONTROLLER, /* seconds from starting a job of gasnetbench-seq to its end, which only attaches. Against
                       fork and exit of as many processes, on a network as many bare processes */
  BENCH_TWO_KINDS /* two kinds of jobs of `of`, in turn: those with the test's flags against those without */
};

enum {
  BENCH_DEFAULT = 1 << 0,         /* measured where no test is named */
  BENCH_THREADED = 1 << 1,        /* --threads applies; other tests have one thread always */
  BENCH_AM_ONLY = 1 << 2,         /* the job has GASNET_AM_ONLY=1 */
  BENCH_SINGLY = 1 << 3,          /* GASNET_COALESCE=0 */
  BENCH_PROGRESS_THREAD = 1 << 4, /* GASNET_PROGRESS_THREAD=1 */
  BENCH_PAR = 1 << 5,             /* gasnetbench-par always */
  BENCH_SMP = 1 << 6,             /* only where all nodes share memory (conduit smp) */
  BENCH_NETWORK = 1 << 7,         /* only over a network (conduits ofi, ucx) */
  BENCH_LARGE = 1 << 8,           /* needs more memory than other tests: such tests have a job together */
  BENCH_MPI = 1 << 9              /* --raw compares with Open MPI, whose mpirun starts the job then */
};
/* Flags that jobs differ by: tests with the same of them, the same nodes, threads and program share a job. */
enum {
  BENCH_JOB_FLAGS = BENCH_AM_ONLY | BENCH_SINGLY | BENCH_PROGRESS_THREAD | BENCH_PAR | BENCH_LARGE | BENCH_MPI
};

struct bench_test {
  const char *name;        /* put_latency: letters, digits and underscores, at most 31 */
  const char *group;       /* one of bench_groups; a table's tests are of one group */
  const char *what;        /* what an operation is: one line, at most 60 characters, no full stop */
  const char *raw;         /* what --raw compares with where nodes share memory: likewise; NULL: nothing */
  const char *raw_network; /* over a network; NULL: nothing */
  enum bench_unit unit;
  enum bench_points points;
  size_t from,
      to; /* SIZES: those that are measured without --sizes, from * 4^k; --sizes may go beyond up to `most` */
  size_t most;  /* SIZES: the largest that makes sense (a medium message's limit); 0: any. NODES: the largest
                   job, 0: any */
  size_t bytes; /* an operation moves, for GBS where points are no sizes */
  const char *const *names; /* NAMES: ended by NULL; letters, digits, underscores, at most 23 */
  enum bench_program program;
  unsigned nodes; /* exactly so many; 0: as many as the run has (-n), at least 2. Not for NODES */
  unsigned flags;
  const char *of; /* TWO_KINDS, OPENCOARRAYS: the test that its jobs run, at the same points */
};

/* What each test has. */
#define BENCH_TEST(test, of_group, text, by) .name = test, .group = of_group, .what = text, .unit = by

/* In the order of groups; NULL behind the last. */
const struct bench_test *bench_test_at(unsigned i);
const struct bench_test *bench_test_named(const char *name);

/* What --check holds a result against. */
enum bench_bound_kind {
  BENCH_RATIO_AT_MOST, /* our time / the raw one's */
  BENCH_RATE_AT_LEAST, /* the raw one's time / ours */
  BENCH_ABOVE_AT_MOST, /* our time less the raw one's, nanoseconds */
  BENCH_VALUE_AT_MOST, /* our value, as it travels; --raw is not needed for it */
  BENCH_VALUE_AT_LEAST
};
struct bench_bound {
  const char *test, *point; /* point NULL: all of the test's */
  const char *conduit;      /* smp, ofi, ucx; NULL: any */
  const char *transport;    /* NULL: any */
  enum bench_bound_kind kind;
  double bound;
};
/* Bounds of a conduit with any transport. */
#define BENCH_AT_MOST(test, point, conduit, bound) \
  { \
    test, point, conduit, NULL, BENCH_RATIO_AT_MOST, bound \
  }
#define BENCH_AT_LEAST(test, point, conduit, bound) \
  { \
    test, point, conduit, NULL, BENCH_RATE_AT_LEAST, bound \
  }
const struct bench_bound *bench_bound_at(unsigned i);

/* What the groups are, in the order in which they are shown; .name NULL behind the last. */
struct bench_group {
  const char *name, *what;
};
extern const struct bench_group bench_groups[];
/* "": there is no such group. */
const char *bench_group_what(const char *name);

/* Files of the catalogue: bench/catalogue_FILE.c has both tables, ended by .name NULL and .test NULL.
 * bench/catalogue.c joins them. */
#define BENCH_CATALOGUE(file) \
  extern const struct bench_test bench_tests_##file[]; \
  extern const struct bench_bound bench_bounds_##file[];
BENCH_CATALOGUE(transfers)
BENCH_CATALOGUE(messages)
BENCH_CATALOGUE(collectives)
BENCH_CATALOGUE(mpi)
BENCH_CATALOGUE(patterns)
BENCH_CATALOGUE(atomics)
BENCH_CATALOGUE(overlap)
BENCH_CATALOGUE(job)
BENCH_CATALOGUE(shmem)
BENCH_CATALOGUE(xmp)
BENCH_CATALOGUE(caf)
BENCH_CATALOGUE(checks) /* what nobody measures but to hold it against a bound */
#undef BENCH_CATALOGUE
#endif
