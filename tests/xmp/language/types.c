/* nodes: 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sizes of global arrays within types, and types whose tags, members and parameters have an array's name. */
#include <stddef.h>
#include <stdlib.h>

#include "check.h"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-designator"
#endif

enum { N = 12 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
static int a[N], c[N], m[N][3];
#pragma xmp align a[i] with t[i]
#pragma xmp align c[i] with t[i]
#pragma xmp align m[i][*] with t[i]

/* ---- sizes ---- */

_Static_assert(sizeof(a) == N * sizeof(int), "");
enum { A_SIZE = sizeof(a), M_ROW = sizeof m[0] };
struct sized {
  char x[sizeof c];
  unsigned b : sizeof(a[0]);
  struct {
    char y[sizeof(m) / sizeof(m[0])];
  } inner;
#if __STDC_VERSION__ >= 201112L
  _Static_assert(sizeof(c) == A_SIZE, "");
#endif
};
typedef char line[sizeof(a)];
static int same[sizeof(a) / sizeof(a[0])];
#pragma xmp align same[i] with t[i]

static int by_rows(int (*q)[sizeof(a) / sizeof(a[0])], int n) { return (*q)[n]; }
static int by_element(__typeof__(a[0]) x) { return x; }
static int old(q, x) int (*q)[sizeof(a) / sizeof(a[0])];
__typeof__(a[0]) x;
{
  return (*q)[x];
}

static void sizes(void)
{
  int local[N] = {0, 10, 20}, i, sum = 0;
  enum { IN_BLOCK = sizeof(c) };
  _Static_assert(sizeof(m) == N * sizeof(int[3]), "");
  struct sized s;
  s.b = 9;
  CHECK_EQUAL(sizeof s.x, N * sizeof(int));
  CHECK_EQUAL(s.b, 9);
  CHECK_EQUAL(sizeof s.inner, N);
  CHECK_EQUAL(A_SIZE + IN_BLOCK + M_ROW, (2 * N + 3) * sizeof(int));
  CHECK_EQUAL(sizeof(line), sizeof a);
  CHECK_EQUAL(by_rows(&local, 1) + by_element(local[2]) + old(&local, 2), 50);
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) sum += same[i] = i;
  CHECK_EQUAL(sum, N * (N - 1) / 2);
}

/* ---- names ---- */

typedef int (*callback)(int a, int c);
static int difference(int x, int y) { return x - y; }
static int twice(int x) { return 2 * x; }
static int (*pointer)(int a) = twice;
static int (*const table[2])(int a) = {twice, twice};
static int (*chosen(int a))(int c) { return a ? pointer : table[1]; }
struct a {
  int q;
};
union m {
  int a, b;
};
enum c { RED, GREEN };
struct other {
  int m, a[4];
};

static void names(void)
{
  callback f = difference;
  int (*local)(int a) = chosen(1), v = 1;
  struct a *const made = (struct a *)malloc(sizeof(struct a));
  struct other w = {a : {3, 4}, m : v ? 2 : 1}, *const x = &(struct other){.m = 6, .a = {7}};
  made->q = 5;
  CHECK_EQUAL(f(7, 3) + local(5) + table[0](2), 18);
  CHECK_EQUAL(sizeof(int (*)(int a)) == sizeof(int (*)(int c, int m)), 1);
  CHECK_EQUAL(((int (*)(int a))local)(4), 8);
  CHECK_EQUAL(made->q + w.m + w.a[1] + x->m + x->a[0], 24);
  CHECK_EQUAL(((union m){.a = 5}).a, 5);
  CHECK_EQUAL((enum c)v, GREEN);
  CHECK_EQUAL(offsetof(struct other, a), sizeof(int));
  CHECK_EQUAL(offsetof(struct other, a[2]) + offsetof(struct other, m), 3 * sizeof(int));
  free(made);
}

/* ---- parameters with words in their brackets ---- */

static int total(int x[static N], int y[const N], int z[__restrict N])
{
#pragma xmp align x[i] with t[i]
#pragma xmp align y[i] with t[i]
#pragma xmp align z[i] with t[i]
  int i, sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) sum += x[i] + y[i] + z[i];
  return sum;
}

int main(void)
{
  int i;
  sizes();
  names();
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = c[i] = i;
  CHECK_EQUAL(total(a, c, same), 3 * N * (N - 1) / 2);
  return check_end();
}
