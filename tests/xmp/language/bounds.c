/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Bounds and steps of distributed loops in all types: the iterations are the serial ones. */
#include <stddef.h>

#include "check.h"

enum { N = 12 };
#pragma xmp nodes p[3]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template tc[N]
#pragma xmp distribute tc[cyclic] onto p

typedef int whole;
typedef whole count_of;
struct sizes {
  size_t n;
  int m;
};

/* How many iterations the loops have that begin there. */
static long from(int begin, const struct sizes *s, count_of n)
{
  int i;
  long all = 0;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = begin; i < s->m; i++) all++;
#pragma xmp loop on tc[i] reduction(+ : all)
  for (i = begin; i <= s->m - 1; i++) all += 100;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = begin; i < n; i++) all += 10000;
  return all;
}

/* Without sign -1 is above all. */
static long from_unsigned(int begin, const struct sizes *s, unsigned n)
{
  int i, w[N];
  const unsigned short small = N;
  long all = 0, j;
  (void)w;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = begin; i < sizeof w / sizeof *w; i++) all++;
#pragma xmp loop on tc[i] reduction(+ : all)
  for (i = begin; i <= s->n - 1; i++) all += 100;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = begin; n > i; i++) all += 10000;
#pragma xmp loop on t[j] reduction(+ : all)
  for (j = begin; j < n; j++) all += 1000000;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = begin; i < small; i++) all += 100000000;
  return all;
}

static int down(const struct sizes *s)
{
  int i, all = 0;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = N - 1; i > s->n - N; i--) all++;
  return all;
}

/* Steps that are variables, in both directions. */
static int stepped(int step)
{
  int i, all = 0;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = 1; i < N; i += step) all += i;
#pragma xmp loop on tc[i] reduction(+ : all)
  for (i = 1; i < N; i = i + step) all += 100 * i;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = N - 1; i > 0; i -= step) all += 10000 * i;
#pragma xmp loop on tc[i] reduction(+ : all)
  for (i = N - 1; i > 0; i += -step) all += 1000000 * i;
  return all;
}

/* Loops that end by != alone, and steps on the left of a sum. */
static int unequal(int begin, unsigned n, int step)
{
  int i, all = 0;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = begin; i != N; i++) all++;
#pragma xmp loop on tc[i] reduction(+ : all)
  for (i = N - 1; begin != i; --i) all += 100;
#pragma xmp loop on t[i] reduction(+ : all)
  for (i = begin; i != n; i += 1) all += 10000;
  CHECK_EQUAL(i, N);
#pragma xmp loop on tc[i] reduction(+ : all)
  for (i = begin; i < N; i = step + i) all += 1000000;
  return all;
}

/* The step of an inner loop follows from the outer one's variable. */
static int stepped_within(void)
{
  int i, j, all = 0;
#pragma xmp loop(j) on t[j] reduction(+ : all)
  for (i = 1; i < 4; i++)
    for (j = 0; j < N; j += i) all += i;
  return all;
}

/* Iterations beyond both ends. */
static int beyond(int below, int above)
{
  int i, all = 0, first = N;
#pragma xmp loop on t[i] expand(/ unbound / below : above) reduction(+ : all) reduction(min : first)
  for (i = 0; i < N; i++) {
    all++;
    if (i < first) first = i;
  }
  CHECK_EQUAL(first, -below);
  first = 0;
#pragma xmp loop on t[i] margin(/ unbound / below : above) reduction(+ : first)
  for (i = N - 1; i >= 0; i--) first++;
  CHECK_EQUAL(first, 3 * (below + above));
  return all;
}

int main(void)
{
  const struct sizes s = {N, N};
  CHECK_EQUAL(from(0, &s, N), 121212);
  CHECK_EQUAL(from(7, &s, N), 50505);
  CHECK_EQUAL(from(-1, &s, N), 121212);
  CHECK_EQUAL(from_unsigned(0, &s, N), 1212121212);
  CHECK_EQUAL(from_unsigned(7, &s, N), 505050505);
  CHECK_EQUAL(from_unsigned(-1, &s, N), 1212000000);
  CHECK_EQUAL(down(&s), N - 1);
  CHECK_EQUAL(stepped(5), 18181818);
  CHECK_EQUAL(unequal(0, N, 4), 3121112);
  CHECK_EQUAL(unequal(5, N, 4), 2070607);
  CHECK_EQUAL(stepped_within(), N + 2 * N / 2 + 3 * N / 3);
  CHECK_EQUAL(beyond(1, 1), N + 6);
  CHECK_EQUAL(beyond(0, 2), N + 6);
  return check_end();
}
