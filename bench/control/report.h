/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a run has measured, and where; values as people read them; what bounds and an earlier run say. */
#ifndef BENCH_CONTROL_REPORT_H
#define BENCH_CONTROL_REPORT_H
#include <stdio.h>

#include "bench/catalogue.h"
#include "bench/measure.h"

/* ---- texts that are made: they live until the program ends, as it says little ---- */

char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Both, with `between` where there is something before it. */
const char *text_add(const char *text, const char *between, const char *more);
/* What comes from outside: its first 255 characters, those that are not printable ASCII as question marks. */
const char *text_plain(const char *text);
/* Its characters mean nothing to HTML or XML then. */
const char *escaped(const char *text);

/* ---- numbers, ascending, each once ---- */

enum { NUMBERS_MOST = 128 };
struct numbers {
  double value[NUMBERS_MOST];
  unsigned count;
};
/* 0: there is no room. */
int numbers_add(struct numbers *n, double v);

/* ---- results ---- */

enum state { WAITING, MEASURED, MISSING };

/* What has become of a result since the earlier run. */
enum change {
  CHANGE_UNKNOWN, /* it is compared with none */
  CHANGE_SLOWER,
  CHANGE_FASTER,
  CHANGE_NONE,  /* not beyond the noise */
  CHANGE_PLACE, /* the bare transport has changed too, and the ratio has not: it is not the library */
  CHANGE_NEW,   /* the earlier run does not have it */
  CHANGE_GONE,  /* it was measured then, and not now though it was tried */
  CHANGES_MOST
};

struct result {
  const char *test, *group, *point;
  unsigned nodes, threads;
  const char *conduit, *transport; /* "-": none to choose */
  enum bench_unit unit;
  enum bench_points points;
  size_t bytes; /* an operation moves, for GBS; else 0 */
  enum state state;
  const char *missing; /* why it was not measured */
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
  const char *version, *date, *host, *processor, *system;
  const char *hosts;   /* "": the jobs were on this one alone */
  const char *network; /* by what nodes talk that do not share memory, as the library says */
  unsigned processors;
  double load; /* average of the minute before the run; negative: not known */
};

enum { RESULTS_MOST = 20000, NOTES_MOST = 8 };
struct report {
  struct place place;
  struct result *result;
  unsigned count;
  const char *note[NOTES_MOST]; /* what spoils the figures */
  unsigned notes;
  const struct report *then; /* the earlier run that it is compared with, or NULL */
  const char *then_name;     /* its file */
  unsigned changes[CHANGES_MOST];
  int checked;           /* against bounds: */
  unsigned bounds, over; /* results that have one, and those that are over it */
};

#define EACH_RESULT(each, report) \
  for (struct result *each = (report)->result; each && each < (report)->result + (report)->count; each++)

/* Room for one more, cleared; NULL where there are RESULTS_MOST, or no memory. */
struct result *report_add(struct report *r);
/* A further note, where there are not NOTES_MOST nor the same. */
void report_note(struct report *r, const char *note);
void report_free(struct report *r);
unsigned report_count(const struct report *r, enum state state);

/* ---- values as people read them ---- */

/* What is shown is the travelling value divided by `per`; of a rate, this divided by the value, and of GBS
 * the bytes divided by it. */
enum { UNITS = BENCH_GUPS + 1 };
struct unit {
  const char *name, *base; /* what is shown, and what values travel as */
  int rate;
  double per;
};
extern const struct unit units[UNITS];

/* A value of that result, as it travels, in the unit that is shown. */
double unit_shown(const struct result *r, double value);

/* What a result has values of: this library, the bare transport, and the earlier run's result. */
enum side { OURS, RAW, EARLIER, SIDES };
/* Of the samples of one side, as it travels; not a number: that side has none. Of percentages, of which more
 * is better, BEST and P99 change places; LOW and HIGH are the quarters, in the order of what is shown. */
enum statistic { MEDIAN, BEST, P99, LOW, HIGH };
double result_stat(const struct result *r, enum side side, enum statistic stat);

/* A value in the unit that is shown, as an axis has it: times in whatever unit keeps them short. */
const char *unit_tick(enum bench_unit unit, double v);
/* "time, less is better" */
const char *unit_title(enum bench_unit unit);
/* A value, as it travels, as a table shows it: long times in a larger unit, that of the row's median. */
const char *row_text(const struct result *r, double value);
const char *row_unit(const struct result *r);
/* "64 KiB" of 65536. */
const char *size_text(double bytes);
/* A point as the table shows it: sizes with their unit. */
const char *point_text(const struct result *r);
/* How near we are to the bare transport, in percent: 100 is as fast. 0: not known, or it says nothing. */
double efficiency(const struct result *r);

/* ---- against bounds, and against an earlier run ---- */

/* The bound of a point from number *from on, which is then set behind it; NULL: none. NULL means any. */
const struct bench_bound *bound_of(
    const char *test, const char *point, const char *conduit, const char *transport, unsigned *from);
/* Sets .bound and .over of what was measured: of several bounds the first that it is over, else the first.
 * What has a bound against the bare transport, of which nothing was measured, is missing then. */
void check_all(struct report *r);
/* The value that a bound speaks of. */
double check_value(const struct bench_bound *b, const struct result *r);
/* The same of the result's bound in a row of a table, and the bound as "time <= 1.15 x"; "-": it has none. */
const char *held_text(const struct result *r);
const char *bound_text(const struct result *r);

/* Gives each result the one of `then` that it is compared with, and says what is beyond the noise. */
void compare_all(struct report *now, const struct report *then, double noise);
enum change compare(const struct result *now, double noise);
extern const struct change_texts {
  const char *name, *of_several; /* in a row, and behind a count */
} change_text[CHANGES_MOST];

/* ---- its forms: show.c, json.c, chart.c ---- */

void table_write(FILE *out, const struct report *r);
void json_write(FILE *out, const struct report *r);
/* report.html in that directory, which is made where it is missing; ends the process where it cannot be. */
FILE *page_open(const char *directory);
/* Writes and closes that page, which needs nothing from elsewhere, and TEST.svg of each test. Ends the
 * process where it cannot write. Returns how many charts. */
unsigned page_write(FILE *out, const char *directory, const struct report *r);
/* One test as a drawing in SVG; NULL where it has less than two points. */
const char *chart_make(const struct report *r, const char *test);

/* What a comparison needs of a report that json_write has written: NULL, or what is wrong with it; *r is
 * empty then. All is refused where there was no jansson when this was built. */
const char *report_read(FILE *in, struct report *r);
/* The same from a file; ends the process where it cannot be read. */
void report_load(const char *path, struct report *r);
#endif
