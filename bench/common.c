#include "common.h"

#include <fnmatch.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(const double *values, unsigned n)
{
  double sorted[BENCH_ROUNDS_MAX];
  memcpy(sorted, values, n * sizeof *values);
  qsort(sorted, n, sizeof *sorted, by_value);
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

unsigned bench_cores(int *core, unsigned most)
{
  cpu_set_t set;
  unsigned n = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  for (int c = 0; c < CPU_SETSIZE && n < most; c++)
    if (CPU_ISSET(c, &set)) core[n++] = c;
  return n;
}

int bench_pin(const int *core, unsigned n)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  for (unsigned i = 0; i < n; i++) CPU_SET(core[i], &set);
  return sched_setaffinity(0, sizeof set, &set);
}

int bench_within(const struct bench_result *r)
{
  switch (r->row->kind) {
  case BENCH_RATE_AT_LEAST: return r->ratio >= r->row->bound;
  case BENCH_TIME_AT_MOST: return r->ratio <= r->row->bound;
  case BENCH_NO_BOUND: return 1;
  default: return r->ours <= r->row->bound;
  }
}

int bench_selected(const char *key, const char *patterns)
{
  char one[64];
  if (!patterns) return 1;
  while (*patterns) {
    const size_t n = strcspn(patterns, ",");
    if (n && n < sizeof one) {
      memcpy(one, patterns, n);
      one[n] = 0;
      if (fnmatch(one, key, 0) == 0) return 1;
    }
    patterns += n + (patterns[n] == ',');
  }
  return 0;
}

static const char *const unit_name[] = {"ns", "us", "GB/s", "M/s", "s", "kB"};

static double shown(const struct bench_row *row, double v)
{
  switch (row->unit) {
  case BENCH_US: return v / 1e3;
  case BENCH_GBS: return (double)row->bytes / v;
  case BENCH_MSGS: return 1e3 / v;
  case BENCH_KB: return v / 1e3;
  default: return v;
  }
}

static void format_bound(const struct bench_row *row, char text[24])
{
  if (row->kind == BENCH_NO_BOUND)
    snprintf(text, 24, "none");
  else if (row->kind == BENCH_VALUE_AT_MOST)
    snprintf(text, 24, "<= %g %s", shown(row, row->bound), unit_name[row->unit]);
  else
    snprintf(text, 24, "%s %g x", row->kind == BENCH_RATE_AT_LEAST ? ">=" : "<=", row->bound);
}

static void format_value(double v, char text[16])
{
  if (v > 0) snprintf(text, 16, "%.*f", v < 10 ? 3 : v < 100 ? 2 : 1, v);
  else snprintf(text, 16, "-");
}

void bench_print_head(void)
{
  printf("%-16s %-42s %10s %10s %-5s %7s %10s  %s\n", "row", "what", "bare", "ours", "unit", "ratio", "bound",
         "verdict");
}

void bench_print_row(const struct bench_result *r)
{
  char bound[24], bare[16], ours[16], ratio[16];
  if (r->missing) {
    printf("%-16s %-42s not measured: %s\n", r->row->key, r->row->what, r->missing);
    return;
  }
  format_bound(r->row, bound);
  format_value(r->bare > 0 ? shown(r->row, r->bare) : 0, bare);
  format_value(shown(r->row, r->ours), ours);
  format_value(r->ratio, ratio);
  printf("%-16s %-42s %10s %10s %-5s %7s %10s  %s\n", r->row->key, r->row->what, bare, ours, unit_name[r->row->unit],
         ratio, bound, r->row->kind == BENCH_NO_BOUND ? "-" : bench_within(r) ? "ok" : "over");
  fflush(stdout);
}

void bench_print_json(const struct bench_result *r, int first)
{
  const struct bench_row *row = r->row;
  printf("%s\n  {\"row\": \"%s\", \"what\": \"%s\", \"compared_with\": \"%s\"", first ? "[" : ",", row->key, row->what,
         row->bare);
  if (r->missing) {
    printf(", \"missing\": \"%s\"}", r->missing);
    return;
  }
  printf(", \"unit\": \"%s\", \"bare\": %.6g, \"ours\": %.6g, \"ratio\": %.4g, \"bound\": %g, \"bound_on\": \"%s\", \"ok\": %s}",
         unit_name[row->unit], r->bare > 0 ? shown(row, r->bare) : 0.0, shown(row, r->ours), r->ratio,
         row->kind == BENCH_VALUE_AT_MOST ? shown(row, row->bound) : row->bound,
         row->kind == BENCH_NO_BOUND ? "none" :
         row->kind == BENCH_VALUE_AT_MOST ? "at most, value" :
         row->kind == BENCH_RATE_AT_LEAST ? "at least, ratio" : "at most, ratio",
         bench_within(r) ? "true" : "false");
  fflush(stdout);
}
