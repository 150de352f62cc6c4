/* The report's columns, as the table and the page show them. */
#ifndef BENCH_CONTROL_COLUMNS_H
#define BENCH_CONTROL_COLUMNS_H
#include "bench/control/report.h"

enum { CELL = TRANSPORT_MOST, COLUMNS_MOST = 20 };

struct column {
  const char *head;
  void (*cell)(const struct result *r, char text[CELL]);
  int right;             /* numbers are set to the right */
  int names;             /* also where the result is missing */
  unsigned width;        /* of its head */
};

/* Those that this report needs, but for the test's name; how many. */
unsigned columns_choose(const struct report *r, struct column column[COLUMNS_MOST]);
/* A bound as "<= 1.15 x". */
void bound_text(const struct result *r, char text[TEXT_MOST]);

/* What not all results have alike, so that a column is needed for it; a mask. */
enum { VARY_NODES = 1, VARY_THREADS = 2, VARY_CONDUIT = 4, VARY_TRANSPORT = 8 };
unsigned report_varies(const struct report *r);
/* "conduit smp, 2 nodes", of what all results have alike. */
void common_text(const struct report *r, char text[TEXT_MOST]);
/* What a group is. */
const char *group_text(const char *group);
#endif
