/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Array assignments: scalars are computed once, and before anything is stored; members on both sides. */
#include <math.h>

#include "check.h"

enum { N = 12 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
#pragma xmp template rows[N][4]
#pragma xmp distribute rows[block][*] onto p
static int a[N], b[N], m[N][4];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
#pragma xmp align m[i][j] with rows[i][j]
static int w[N], v[10] : [*], calls;
struct thing {
  int k, y[4], *pointer;
  struct {
    int u[3];
  } in;
  unsigned bits : 5;
};
static struct thing z, some[6];

static int next(void) { return ++calls; }
static int first(void) { return w[0]; }

static void count(void)
{
  int i;
  for (i = 0; i < N; i++) w[i] = i;
}

static void reads(void)
{
  int i, *q = &w[2];
  w[2] = 5;
  w[:] = *q + 1;
  for (i = 0; i < N; i++) CHECK_EQUAL(w[i], 6);
  w[:] = first() + 1;
  for (i = 0; i < N; i++) CHECK_EQUAL(w[i], 7);
  count();
  w[:] = w[3] + w[:];
  for (i = 0; i < N; i++) CHECK_EQUAL(w[i], 3 + i);
  count();
  w[:] = i ? *q + w[:] : 0;
  for (i = 0; i < N; i++) CHECK_EQUAL(w[i], 2 + i);
  count();
  w[3] = 3;
  w [w[3]:4] = 8;
  for (i = 0; i < N; i++) CHECK_EQUAL(w[i], i < 3 || i > 6 ? i : 8);
}

static void once(void)
{
  int i, k = 0;
  w[:] = next();
  CHECK_EQUAL(calls, 1);
  CHECK_EQUAL(w[0] + w[N - 1], 2);
  w [0:4] = k++;
  w [k ++:4] = 3;
  CHECK_EQUAL(k, 2);
  for (i = 0; i < 6; i++) CHECK_EQUAL(w[i], i == 0 ? 0 : i < 5 ? 3 : 1);
  v[:] = 7;
  xmp_sync_all(NULL);
  w [0:3] = v[k++] : [0] + w [0:3];
  CHECK_EQUAL(k, 3);
  CHECK_EQUAL(w[0] * 100 + w[2], 710);
  count();
  w [0:4] = w [1:4] * next() + (k = 4);
  for (i = 0; i < 4; i++) CHECK_EQUAL(w[i], 2 * i + 6);
  CHECK_EQUAL(calls + k, 6);
}

static void distributed(void)
{
  int i, k = 0;
  double d[4] = {1, 4, 9, 16};
  calls = 0;
#pragma xmp array on t[ : ]
  a[:] = next();
#pragma xmp array on c[ : ]
  b[:] = 3 + k++;
  CHECK_EQUAL(calls + k, 2);
#pragma xmp array on t[2 : 9]
  a [2:9] = a [2:9] * next() + k++;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK_EQUAL(a[i], i < 2 || i > 10 ? 1 : 3);
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) CHECK_EQUAL(b[i], 3);
#pragma xmp loop on rows[i][*]
  for (i = 0; i < N; i++) {
    m[i][:] = i;
    m[i] [1:2] = m[i][0] + m[i] [2:2];
    CHECK_EQUAL(m[i][0] + m[i][1] + m[i][2] + m[i][3], 6 * i);
  }
  d[:] = fabs(d[:]) * fabs(-2.0);
  CHECK_EQUAL(d[3], 32);
}

static void scale(int *q, int n, int factor)
{
  q [0:n] = q [0:n] * factor;
  q [0:n] = q[n - 1] + q [0:n];
}

static void bases(void)
{
  int i, *q = w;
  int(*const row)[N] = &w;
  count();
  scale(w, 4, 10);
  for (i = 0; i < 4; i++) CHECK_EQUAL(w[i], 30 + 10 * i);
  (q + 1)[0:3] = 4;
  (w)[4:2] = (q + 6)[0:2];
  (*row)[0:1] = 9;
  CHECK_EQUAL(w[0] + 10 * w[1] + 10 * w[3], 89);
  CHECK_EQUAL(w[4] + 10 * w[5], 76);
  (q++)[6:2] = 1;
  CHECK_EQUAL(w[6] + w[7], 2);
  CHECK_EQUAL(q == w + 1, 1);
}

static void members(void)
{
  int i;
  struct thing *const to = &z;
  z.pointer = w;
  z.y[:] = 3;
  to->y [1:] = 4;
  (*to).y [2:2] = 5;
  z.in.u[:] = z.y [1:3];
  CHECK_EQUAL(z.in.u[0] * 100 + z.in.u[1] * 10 + z.in.u[2], 455);
  some [0:4].k = 5;
  some [1:].y[2] = 6;
  w [0:6] = some[:].k + 10 * some [0:6].y[2];
  for (i = 0; i < 6; i++) CHECK_EQUAL(w[i], (i < 4 ? 5 : 0) + (i > 0 ? 60 : 0));
  w [0:4] = (some + 1)[0:4].k;
  CHECK_EQUAL(w[2] * 10 + w[3], 50);
  z.pointer [8:2] = z.y [0:2];
  CHECK_EQUAL(w[8] * 10 + w[9], 34);
  z.bits = 31;
  z.pointer [8:2] = to->bits + 1;
  some[:].k = some[0].k + z.bits;
  CHECK_EQUAL(w[9] * 100 + some[5].k, 3236);
}

int main(void)
{
  reads();
  once();
  distributed();
  bases();
  members();
  return check_end();
}
