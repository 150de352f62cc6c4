/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Directives in the places of statements, members of structures, pointers to elements, arrays of variable
 * size. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define N 16
#pragma xmp nodes p[4]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
struct st {
  int m[N];
  double other;
};
#pragma xmp align st.m[i] with t[i]
static struct st v;
static int a[N], b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]
typedef int vec[N];
static vec g1, g2;
#pragma xmp align g1[i] with t[i]
#pragma xmp align g2[i] with t[i]
static double z[N][N];
#pragma xmp align z[*][j] with t[j]
static int n = 8;
static int f(int x) { return x; }

static void increase(double m[N][N])
{
#pragma xmp align m[*][j] with t[j]
  int i, j;
#pragma xmp loop on t[j]
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++) m[i][j] += 1;
}

static void places(int me)
{
  int i, r;
  if (me >= 0)
#pragma xmp loop on t[i]
    for (i = 0; i < N; i++) a[i]++;
  else a[0] = 5;
  CHECK_EQUAL(a[4 * me], 4 * me + 1);
  switch (n) {
  case 8:
#pragma xmp barrier
    n = 9;
    break;
  default: n = 10;
  }
  CHECK_EQUAL(n, 9);
  for (r = 0; r < 3; r++)
#pragma xmp loop on t[i]
    for (i = 0; i < N; i++) a[i] += r;
  CHECK_EQUAL(a[4 * me + 3], 4 * me + 7);
  do
#pragma xmp reflect(a)
    while (0)
      ;
  if (me > 0) CHECK_EQUAL(a[4 * me - 1], 4 * me + 3);
}

static void values(int me)
{
  int c = __extension__({
    int q = a[4 * me];
    q + 1;
  });
  int *const first = &a[4 * me];
  CHECK_EQUAL(c, 4 * me + 5);
  CHECK_EQUAL(a[4 * me] ? a[4 * me] : b[0], 4 * me + 4);
  CHECK_EQUAL(first[1], a[4 * me + 1]);
  CHECK_EQUAL(*(a + 4 * me), first[0]);
  memcpy(g2, g1, 4 * sizeof(int));
  CHECK_EQUAL(g2[4 * me + 2], 4 * me + 2);
  {
    int a = 3;
    struct {
      int a, b[3];
    } s = {.a = 1, .b = {[1] = 5}};
    CHECK_EQUAL(a + 10 * s.a + 100 * s.b[1], 513);
  }
}

static void sections(int me)
{
  int l[N], x[2][3], i;
#pragma xmp gmove
  l[:] = v.m[:];
  for (i = 0; i < N; i++) CHECK_EQUAL(l[i], i);
  x[:][:] = 4;
  x[1][:] = x[0][:] + f(3) * 2;
  CHECK_EQUAL(x[1][2], 10);
#pragma xmp gmove
  a [0:4] = b [N - 1:4:-1];
  for (i = 0; me == 0 && i < 4; i++) CHECK_EQUAL(a[i], 30 - 2 * i);
  i = 0;
#pragma xmp gmove
  (i) = ((b[5]));
  CHECK_EQUAL(i, 10);
}

/* The variables of an extent change behind the declaration. */
static void extents(int size)
{
  double l[size], y[size];
  int i;
#pragma xmp template d[size]
#pragma xmp distribute d[block] onto p
#pragma xmp align y[i] with d[i]
  const int declared = size;
  double sum = 0;
  size = 1000;
#pragma xmp loop on d[i]
  for (i = 0; i < declared; i++) y[i] = i;
#pragma xmp array on d[ : ]
  y[:] = y[:] * 2;
#pragma xmp gmove
  l[:] = y[:];
#pragma xmp loop on d[i] reduction(+ : sum)
  for (i = 0; i < declared; i++) sum += y[i];
  CHECK_EQUAL(sum, declared * (declared - 1));
  CHECK_EQUAL(sizeof y / sizeof *l, declared);
  for (i = 0; i < declared; i++) CHECK_EQUAL(l[i], 2 * i);
  l[:] = 7;
  CHECK_EQUAL(l[declared - 1], 7);
}

/* Static arrays are 0 at first, also where their memory had another use. */
static void used_memory(void)
{
  int u[N], k;
#pragma xmp align u[i] with t[i]
#pragma xmp loop on t[k]
  for (k = 0; k < N; k++) u[k] = 77;
}

static int kept(void)
{
  static int s[N];
#pragma xmp align s[i] with t[i]
  int sum = 0, k;
#pragma xmp loop on t[k] reduction(+ : sum)
  for (k = 0; k < N; k++) sum += s[k]++;
  return sum;
}

int main(void)
{
  const int me = xmpc_node_num();
  int i, j;
  long sum = 0;
  size_t k;
  enum { Q = 3 };
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    v.m[i] = a[i] = g1[i] = i;
    b[i] = 2 * i;
  }
  CHECK_EQUAL(v.m[me * 4], me * 4);
#pragma xmp loop on t[j]
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++) z[i][j] = 100 * i + j;
  increase(z);
  for (i = 0; i < N; i++) CHECK_EQUAL(z[i][4 * me + 1], 100 * i + 4 * me + 2);
  places(me);
  values(me);
  used_memory();
  CHECK_EQUAL(kept(), 0);
  CHECK_EQUAL(kept(), N);
  sections(me);
  extents(10);
  extents(13);
#pragma xmp loop(k) on t[k] reduction(+ : sum)
  for (k = 0; k < sizeof a / sizeof *a; ++k) sum += (long)k;
  CHECK_EQUAL(sum, 120);
#pragma xmp loop(i) on p[i]
  for (i = 0; i < 4; i++) CHECK_EQUAL(i, me);
#pragma xmp task on p[Q]
  CHECK_EQUAL(me, 3);
  return check_end();
}
