/* The curves of a chart: results of one test that differ in their point alone. */
#ifndef BENCH_CONTROL_SERIES_H
#define BENCH_CONTROL_SERIES_H
#include "bench/control/report.h"

enum { SERIES_MOST = 12, SERIES_POINTS = 160 };

/* What a curve shows of its results. */
enum side { OURS, RAW, EARLIER, SIDES };

struct series {
  const struct result *at[SERIES_POINTS]; /* measured; by size or count ascending */
  unsigned count;
  char label[TEXT_MOST];
  const char *color;
};

struct family {
  const char *test;
  const struct result *first;
  struct series series[SERIES_MOST];
  unsigned count, dropped;  /* that were too many */
  int has[SIDES];
};

/* All of a test's results that were measured. */
void family_make(const struct report *r, const char *test, struct family *f);
/* The numbers of one side, or NULL: it has none. */
const struct stats *side_of(const struct result *r, enum side side);
/* How the legend calls it. */
void side_label(const struct report *r, const struct family *f, const struct series *s, enum side side, char text[TEXT_MOST]);
const char *side_color(const struct family *f, const struct series *s, enum side side);
/* Least and most of what is shown, of the quarters too. 0: nothing was measured. */
int family_range(const struct family *f, double *least, double *most);
/* A point as a place on an axis: bytes or nodes. */
double point_place(const struct result *r);
#endif
