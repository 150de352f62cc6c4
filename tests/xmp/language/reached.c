/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Variables of a reduction clause that the nest changes, or looks at, otherwise than by their names. */
#include "check.h"

enum { N = 12 };
#pragma xmp nodes p[3]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p

int sum, most, where;
static int hidden, count;

static void add(int x) { sum += x; }
static void hidden_add(int x) { hidden += x; }
static void most_find(int i, int x)
{
  if (x <= most) return;
  most = x;
  where = i;
}
static void (*const adds[2])(int) = {add, hidden_add};
static void add_to(int *to, int x) { *to += x; }
static int sum_is(int x) { return sum == x; }

static void by_functions(void)
{
  int i;
  sum = 1000;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) add(i);
  CHECK_EQUAL(sum, 1066);
#pragma xmp loop on t[i] reduction(+ : hidden, sum)
  for (i = 0; i < N; i++) adds[i % 2](1);
  CHECK_EQUAL(hidden, 6);
  CHECK_EQUAL(sum, 1072);
  most = 3, where = -1;
#pragma xmp loop on t[i] reduction(firstmax : most / where /)
  for (i = 0; i < N; i++) most_find(i, 10 * (i % 5));
  CHECK_EQUAL(most, 40);
  CHECK_EQUAL(where, 4);
}

static void by_pointers(int *to)
{
  int i, k = 2, *q = &k, sums[2] = {0, 0};
  long bits = 1;
  struct {
    int *of;
  } s = {&k};
#pragma xmp loop on t[i] reduction(+ : k)
  for (i = 0; i < N; i++) *q += i;
  CHECK_EQUAL(k, 68);
#pragma xmp loop on t[i] reduction(+ : k)
  for (i = 0; i < N; i++) q[0] += i;
  CHECK_EQUAL(k, 134);
#pragma xmp loop on t[i] reduction(+ : k)
  for (i = 0; i < N; i++) s.of[0]++;
  CHECK_EQUAL(k, 146);
#pragma xmp loop on t[i] reduction(+ : k)
  for (i = 0; i < N; i++) add_to(&k, 1);
  CHECK_EQUAL(k, 158);
  sum = 7;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) {
    const int before = sum;
    *to += 2;
    sums[0] += sum - before;
  }
  CHECK_EQUAL(sum, 31);
  CHECK_EQUAL(sums[0], 8);
#pragma xmp loop on t[i] reduction(| : bits)
  for (i = 0; i < N; i++) bits |= (long)1 << i;
  CHECK_EQUAL(bits, 4095);
}

/* A function sees what has been added so far. */
static void looked_at(void)
{
  int i, seen = 0;
  sum = 5;
#pragma xmp loop on t[i] reduction(+ : sum, seen)
  for (i = 0; i < N; i++) {
    seen += sum_is(i % 4);
    sum++;
  }
  CHECK_EQUAL(seen, N);
  CHECK_EQUAL(sum, 5 + N);
}

/* An inner loop without calls within one that has some. */
static void nested(void)
{
  int i, j;
  hidden = 0, count = 0;
#pragma xmp loop on t[i] reduction(+ : hidden, count)
  for (i = 0; i < N; i++) {
    hidden_add(1);
    for (j = 0; j < 10; j++) hidden += j, count += 1;
  }
  CHECK_EQUAL(hidden, N * 46);
  CHECK_EQUAL(count, N * 10);
}

int main(void)
{
  by_functions();
  by_pointers(&sum);
  looked_at();
  nested();
  return check_end();
}
