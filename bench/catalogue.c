/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tables of all files of the catalogue as one. */
#include "catalogue.h"

#include <string.h>

const struct bench_group bench_groups[] = {
    {"transfers", "puts and gets"},
    {"messages", "active messages"},
    {"collectives", "barriers and collectives"},
    {"mpi", "collectives, beside those of Open MPI"},
    {"patterns", "vector, indexed and strided transfers"},
    {"atomics", "atomic operations, random access"},
    {"overlap", "communication beside computation"},
    {"job", "starting jobs, memory"},
    {"shmem", "OpenSHMEM"},
    {"xmp", "XcalableMP, beside C by hand"},
    {"caf", "Fortran's coarrays, beside C by hand"},
    {"opencoarrays", "the same over OpenCoarrays"},
    {"checks", "what is only held against a bound, by --check"},
    {NULL, NULL},
};

const char *bench_group_what(const char *name)
{
  const struct bench_group *g = bench_groups;
  while (g->name && strcmp(g->name, name) != 0) g++;
  return g->name ? g->what : "";
}

static const struct {
  const struct bench_test *tests;
  const struct bench_bound *bounds;
} files[] = {
#define FILE(name) \
  { \
    bench_tests_##name, bench_bounds_##name \
  }
    FILE(transfers),
    FILE(messages),
    FILE(collectives),
    FILE(mpi),
    FILE(patterns),
    FILE(atomics),
    FILE(overlap),
    FILE(job),
    FILE(shmem),
    FILE(xmp),
    FILE(caf),
    FILE(checks),
#undef FILE
};
enum { FILES = sizeof files / sizeof *files };

const struct bench_test *bench_test_at(unsigned i)
{
  for (unsigned f = 0; f < FILES; f++)
    for (const struct bench_test *t = files[f].tests; t->name; t++)
      if (i-- == 0) return t;
  return NULL;
}

const struct bench_test *bench_test_named(const char *name)
{
  for (unsigned f = 0; f < FILES; f++)
    for (const struct bench_test *t = files[f].tests; t->name; t++)
      if (strcmp(t->name, name) == 0) return t;
  return NULL;
}

const struct bench_bound *bench_bound_at(unsigned i)
{
  for (unsigned f = 0; f < FILES; f++)
    for (const struct bench_bound *b = files[f].bounds; b->test; b++)
      if (i-- == 0) return b;
  return NULL;
}
