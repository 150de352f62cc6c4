/* What the bench programs share: time, medians, placement on cores, the table of rows and the report. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity, memfd_create; for every file that includes this first */
#endif
#include <stddef.h>
#include <stdint.h>

#define BENCH_ROUNDS_MAX 101

/* In which unit a row's two values are shown. Values travel as nanoseconds an operation, seconds or bytes. */
enum bench_unit { BENCH_NS, BENCH_US, BENCH_GBS, BENCH_MSGS, BENCH_S, BENCH_KB };

/* TIME: ours/bare in time may be at most `bound`; RATE: bare/ours in time must be at least; VALUE: ours itself. */
enum bench_bound { BENCH_TIME_AT_MOST, BENCH_RATE_AT_LEAST, BENCH_VALUE_AT_MOST, BENCH_NO_BOUND };

struct bench_row {
  const char *key;
  const char *what;
  const char *bare;       /* what it is compared with */
  enum bench_unit unit;
  size_t bytes;           /* an operation, for BENCH_GBS */
  enum bench_bound kind;
  double bound;
};

struct bench_result {
  const struct bench_row *row;
  double bare, ours, ratio; /* medians over the rounds; the ratio is the median of the rounds' ratios */
  const char *missing;      /* why there is none, else NULL */
};

double bench_now_ns(void);
double bench_median(const double *values, unsigned n);

/* The first `most` of the cores that this process may use, in order; how many. */
unsigned bench_cores(int *core, unsigned most);
/* Restricts this process to them. 0, or -1 with errno. */
int bench_pin(const int *core, unsigned n);

int bench_within(const struct bench_result *r);
/* Does `key` match one of the comma-separated shell patterns? NULL matches all. */
int bench_selected(const char *key, const char *patterns);
void bench_print_head(void);
void bench_print_row(const struct bench_result *r);
void bench_print_json(const struct bench_result *r, int first);

static inline void bench_pause(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#endif
}

/* What keeps a loop as it is written: nothing is moved across it, hoisted or vectorised. */
static inline void bench_compiler_barrier(void) { __asm__ volatile("" ::: "memory"); }

#endif
