/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a run has measured, and where. */
#ifndef BENCH_CONTROL_REPORT_H
#define BENCH_CONTROL_REPORT_H
#include "bench/catalogue.h"
#include "bench/measure.h"

enum {
  NAME_MOST = 32,
  POINT_MOST = 24,
  CONDUIT_MOST = 8,
  TRANSPORT_MOST = 96,
  TEXT_MOST = 256,
  NOTES_MOST = 8,
  RESULTS_MOST = 20000
};

enum state { WAITING, MEASURED, MISSING };

/* What has become of a result since the earlier run. */
enum change {
  CHANGE_UNKNOWN, /* it is compared with none */
  CHANGE_NONE,    /* not beyond the noise */
  CHANGE_FASTER,
  CHANGE_SLOWER,
  CHANGE_PLACE, /* the bare transport has changed alike: it is not the library */
  CHANGE_NEW,   /* the earlier run does not have it */
  CHANGE_GONE   /* it was measured then, and not now though it was tried */
};

/* What a result has values of: this library, the bare transport, and the earlier run's result. */
enum side { OURS, RAW, EARLIER, SIDES };

struct result {
  char test[NAME_MOST], group[NAME_MOST], point[POINT_MOST];
  unsigned nodes, threads;
  char conduit[CONDUIT_MOST], transport[TRANSPORT_MOST]; /* "-": none to choose */
  enum bench_unit unit;
  enum bench_points points;
  size_t bytes; /* an operation moves, for GBS; else 0 */
  enum state state;
  char missing[TEXT_MOST]; /* why it was not measured */
  struct bench_summary ours, raw;
  double ratio; /* ours / raw in time, the median of the rounds' own; 0: none */

  /* Of a run, not of a report that was read. */
  const struct bench_test *of;
  unsigned target, job;
  const struct bench_bound *bound; /* that it is held against, or NULL */
  int over;
  const struct result *earlier; /* of the run that it is compared with, or NULL */
  enum change change;
};

/* Where and when. */
struct place {
  char version[TEXT_MOST], date[TEXT_MOST], host[TEXT_MOST], processor[TEXT_MOST], system[TEXT_MOST];
  char hosts[TEXT_MOST];   /* "": the jobs were on this one alone */
  char network[TEXT_MOST]; /* by what nodes talk that do not share memory, as the library says */
  unsigned processors;
  double load; /* average of the minute before the run; negative: not known */
};

struct report {
  struct place place;
  struct result *result;
  unsigned count, room;
  char note[NOTES_MOST][TEXT_MOST]; /* what spoils the figures */
  unsigned notes;
  const struct report *then; /* the earlier run that it is compared with, or NULL */
  const char *then_name;     /* its file */
  int checked;               /* against bounds */
};

/* Room for one more, cleared; NULL where there are RESULTS_MOST, or no memory. */
struct result *report_add(struct report *r);
void report_note(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports hold printable ASCII: each other character becomes a question mark. */
void report_plain(char *text);
void report_free(struct report *r);
/* Appends, behind `between` where something is there already. */
void text_add(char text[TEXT_MOST], const char *between, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
unsigned report_count(const struct report *r, enum state state);
/* Do both stand for the same, but for the transport? */
int report_same(const struct result *a, const struct result *b);

/* Values that this program has measured itself, and those of the bare transport, taken in turn with them. */
enum { SAMPLES_MOST = 101 };
struct samples {
  double ours[SAMPLES_MOST], raw[SAMPLES_MOST]; /* raw[0] 0: there are none of the bare transport */
  unsigned n;
};
/* The result is measured then. */
void samples_take(struct result *r, const struct samples *s);
#endif
