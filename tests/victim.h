/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What programs share of which one node dies in the middle of its work: a seed decides which node and when,
 * and the victim writes "victim N at SECONDS" just before. tests/death.sh runs them. */
#ifndef TESTS_VICTIM_H
#define TESTS_VICTIM_H
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static uint64_t victim_state;

static inline unsigned random_below(unsigned n)
{
  victim_state ^= victim_state << 13;
  victim_state ^= victim_state >> 7;
  victim_state ^= victim_state << 17;
  return (unsigned)((victim_state * 0x2545f4914f6cdd1du >> 33) % n);
}

static inline void random_seed(const char *seed)
{
  victim_state = strtoull(seed, NULL, 0) * 0x9e3779b97f4a7c15u | 1;
  for (int i = 0; i < 8; i++) random_below(2);
}

static inline void victim_says(unsigned me)
{
  char text[96];
  struct timeval t;
  gettimeofday(&t, NULL);
  const int n = snprintf(text, sizeof text, "victim %u at %ld.%06ld\n", me, (long)t.tv_sec, (long)t.tv_usec);
  if (write(STDERR_FILENO, text, (size_t)n) < 0) _exit(98);
}

/* on_timer runs in some microseconds. */
static inline void victim_timer(unsigned us, void (*on_timer)(int))
{
  const struct itimerval in = {{0, 0}, {0, 1 + (long)us}};
  signal(SIGALRM, on_timer);
  if (setitimer(ITIMER_REAL, &in, NULL) != 0) _exit(97);
}

#endif
