/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Inside the engine: a point, the ways in which it is measured, and its results. */
#ifndef BENCH_ENGINE_RUN_H
#define BENCH_ENGINE_RUN_H
#include "engine.h"

enum { BENCH_POINT_NAME = 24, BENCH_TEST_NAME = 32, BENCH_POINTS_MOST = 512 };

struct bench_point {
  const struct bench_case *test;
  char name[BENCH_POINT_NAME];
  size_t bytes;
};

/* What the command line says. */
struct bench_settings {
  struct bench_point point[BENCH_POINTS_MOST];
  unsigned points;
  double seconds;  /* a point */
  unsigned rounds; /* 0: by time */
  unsigned threads;
  unsigned cores; /* 0: all that there are */
  int unpinned;
  int start;            /* nothing is measured: the job is timed from outside */
  int raw;              /* BENCH_RAW_... */
  const char *raw_path; /* of the bare network program */
};

/* One way of measuring a point: all are measured in each round. */
struct bench_way {
  enum { BENCH_OURS, BENCH_ANY, BENCH_BARE, BENCH_NET, BENCH_VALUE } kind;
  bench_series_fn series;
  enum raw_way raw;
  double (*value)(void);
  long n;      /* operations a sample */
  double time; /* of one, in the last probe: node 0's */
};
enum { BENCH_WAYS = 1 + BENCH_SMP_WAYS + BENCH_NET_WAYS + 2 };

/* options.c: ends the process with 2 and a message where the line is wrong. */
void bench_parse(int argc, char **argv, struct bench_settings *s);

/* ways.c. Stores the ways of a point, ours last; returns how many. */
unsigned bench_ways(const struct bench_case *c, struct bench_way way[BENCH_WAYS]);
/* Nanoseconds per operation of a sample of n, on node 0. All nodes call it. */
double bench_measure(const struct bench_case *c, const struct bench_way *w, long n);
/* How many operations are under way for each that node 0's first thread counts. */
double bench_concurrent(const struct bench_case *c, const struct bench_way *w);

/* contest.c: measures a point and prints it. All nodes call it. */
void bench_contest(const struct bench_point *p, const struct bench_settings *s);

/* emit.c. raw->n 0: there is none. */
void bench_about(void);
void bench_doing(const struct bench_point *p);
void bench_emit(const struct bench_summary *ours, const struct bench_summary *raw, double ratio);
const struct bench_point *bench_current(void);

/* threads.c. Nanoseconds from the start of the first thread to the end of the last. */
void bench_threads_start(unsigned threads);
void bench_threads_stop(void);
double bench_threads_run(bench_series_fn series, long n);

/* place.c */
void bench_place_job(const struct bench_settings *s);
void bench_place_node(const struct bench_settings *s);

/* memory.c */
void bench_allocate(const struct bench_settings *s);
size_t bench_share(const struct bench_settings *s);

/* bare.c: the bare network program. */
void bench_bare_open(const char *path);
void bench_bare_close(void);
int bench_bare_has(enum raw_way way);
/* Runs `first` operations before, untimed. */
double bench_bare_run(enum raw_way way, long n, long first);
/* Starts processes without a job; returns their exit code. */
int bench_bare_start(const char *path);
int bench_bare_offers(const char *path, const char *transport);

#endif
