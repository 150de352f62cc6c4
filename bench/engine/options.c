/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A worker's command line, which the controller writes. */
#include "run.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void usage_error(const char *what, const char *value)
{
  fprintf(stderr, "gasnetbench: worker: %s: %s; workers are started by gasnetbench\n", what, value);
  exit(2);
}

static double parse_number(const char *text, double least, double most, const char *what)
{
  char *end;
  const double v = strtod(text, &end);
  if (end == text || *end || !(v >= least && v <= most)) usage_error(what, text);
  return v;
}

static const struct bench_case *case_named(const char *name)
{
  for (unsigned s = 0; bench_suites[s]; s++)
    for (const struct bench_case *c = bench_suites[s]->cases; c->test; c++)
      if (!strcmp(c->test, name)) return c;
  usage_error("there is no such test here", name);
}

/* A name of digits only is a size. It may be a count of nodes, whose tests do not use it as a size. */
static void add_point(struct bench_settings *s, const struct bench_case *c, const char *name)
{
  struct bench_point *p = &s->point[s->points];
  if (s->points == BENCH_POINTS_MOST) usage_error("more points than a job takes", name);
  if (!*name || strlen(name) >= sizeof p->name) usage_error("not the name of a point", name);
  *p = (struct bench_point){.test = c};
  strcpy(p->name, name);
  if (name[strspn(name, "0123456789")] == 0) p->bytes = (size_t)parse_number(name, 1, 1e12, "not a size");
  s->points++;
}

/* 'TEST:POINT,POINT;TEST:-' */
static void parse_tests(struct bench_settings *s, const char *text)
{
  char *rest = strdup(text), *one, *save_test, *save_point;
  if (!rest) usage_error("no memory for", text);
  for (one = strtok_r(rest, ";", &save_test); one; one = strtok_r(NULL, ";", &save_test)) {
    char *points = strchr(one, ':');
    if (!points) usage_error("no points", one);
    *points++ = 0;
    const struct bench_case *c = case_named(one);
    for (char *p = strtok_r(points, ",", &save_point); p; p = strtok_r(NULL, ",", &save_point))
      add_point(s, c, p);
  }
  free(rest);
  if (s->points == 0) usage_error("nothing to measure", text);
}

static void parse_raw(struct bench_settings *s, const char *text)
{
  s->raw = !strcmp(text, "none") ? BENCH_RAW_NONE : !strcmp(text, "smp") ? BENCH_RAW_SMP : BENCH_RAW_NET;
  s->raw_path = s->raw == BENCH_RAW_NET ? text : NULL;
}

static _Noreturn void offers(int argc, char **argv, const char *path)
{
  if (optind >= argc) usage_error("--offers needs a transport", path);
  exit(bench_bare_offers(path, argv[optind]));
}

void bench_parse(int argc, char **argv, struct bench_settings *s)
{
  enum { WORKER = 256, SECONDS, ROUNDS, THREADS, RAW, CORES, UNPINNED, START, BARE_START, OFFERS };
  static const struct option options[] = {{"worker", 1, 0, WORKER}, {"seconds", 1, 0, SECONDS},
      {"rounds", 1, 0, ROUNDS}, {"threads", 1, 0, THREADS}, {"raw", 1, 0, RAW}, {"cores", 1, 0, CORES},
      {"unpinned", 0, 0, UNPINNED}, {"start", 0, 0, START}, {"bare-start", 1, 0, BARE_START},
      {"offers", 1, 0, OFFERS}, {0, 0, 0, 0}};
  for (int c; (c = getopt_long(argc, argv, "+", options, 0)) != -1;) switch (c) {
    case WORKER: parse_tests(s, optarg); break;
    case SECONDS: s->seconds = parse_number(optarg, 0, 1e5, "--seconds must be 0 to 100000"); break;
    case ROUNDS: s->rounds = (unsigned)parse_number(optarg, 0, 10001, "--rounds must be 0 to 10001"); break;
    case THREADS: s->threads = (unsigned)parse_number(optarg, 1, 1024, "--threads must be 1 to 1024"); break;
    case RAW: parse_raw(s, optarg); break;
    case CORES: s->cores = (unsigned)parse_number(optarg, 1, 1024, "--cores must be 1 to 1024"); break;
    case UNPINNED: s->unpinned = 1; break;
    case START: s->start = 1; break;
    case BARE_START: exit(bench_bare_start(optarg));
    case OFFERS: offers(argc, argv, optarg);
    default: exit(2);
    }
  if (s->points == 0 && !s->start) usage_error("no --worker in the command line of", argv[0]);
  if (s->threads > 1 && strcmp(bench_layer.mode, "par") != 0)
    usage_error("several threads need GASNET_PAR, not", bench_layer.mode);
}
