/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's templates of two dimensions, alignments and allocations (2.3.5 to 2.6). */
#include "check.h"

enum { N = 10, N1 = 6, N2 = 9 };
#pragma xmp nodes p[2][2]
#pragma xmp nodes line[4]
#pragma xmp template tbb[10][10]
#pragma xmp distribute tbb[block][block] onto p
#pragma xmp template tbc[10][10]
#pragma xmp distribute tbc[block][cyclic] onto p
#pragma xmp template tbs[10][10]
#pragma xmp distribute tbs[block][*] onto line
#pragma xmp template t8[8]
#pragma xmp distribute t8[block] onto line
#pragma xmp template t88[8][8]
#pragma xmp distribute t88[block][block] onto p
int a[8];
#pragma xmp align a[i] with t8[i]
int b[8][8];
#pragma xmp align b[i][j] with t88[i][j]
int c[8][8];
#pragma xmp align c[i][*] with t8[i]
int d[8];
#pragma xmp align d[i] with t88[i][*]

#pragma xmp template tn[N]
#pragma xmp distribute tn[block] onto line
float *e;
#pragma xmp align e[i] with tn[i]
#pragma xmp template tm[N1][N2]
#pragma xmp distribute tm[block][block] onto p
float (*f)[N2];
#pragma xmp align f[i][j] with tm[i][j]
#pragma xmp template tl[ : ]
#pragma xmp distribute tl[block] onto line
double *g;
#pragma xmp align g[i] with tl[i]
#pragma xmp template th[ : ]
#pragma xmp distribute th[gblock(*)] onto line
double *h;
#pragma xmp align h[i] with th[i]

static void distributions(int me)
{
  int i, j, ran[3][10][10] = {{{0}}};
#pragma xmp loop on tbb[i][j]
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++) ran[0][i][j]++;
#pragma xmp loop on tbc[i][j]
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++) ran[1][i][j]++;
#pragma xmp loop on tbs[i][j]
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++) ran[2][i][j]++;
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++) {
      CHECK_EQUAL(ran[0][i][j], me == i / 5 * 2 + j / 5);
      CHECK_EQUAL(ran[1][i][j], me == i / 5 * 2 + j % 2);
      CHECK_EQUAL(ran[2][i][j], me == i / 3);
    }
}

/* Where arrays lie, and how much of them. */
static void alignments(int me)
{
  int i, j, size;
  for (i = 2 * me; i < 2 * me + 2; i++) {
    a[i] = 10 + i;
    for (j = 0; j < 8; j++) c[i][j] = 10 * i + j;
  }
  for (i = me / 2 * 4; i < me / 2 * 4 + 4; i++) {
    d[i] = 100 + i;
    for (j = me % 2 * 4; j < me % 2 * 4 + 4; j++) b[i][j] = 10 * i + j;
  }
  xmp_array_lsize(xmp_desc_of(a), 1, &size);
  CHECK_EQUAL(size, 2);
  xmp_array_lsize(xmp_desc_of(c), 2, &size);
  CHECK_EQUAL(size, 8);
  xmp_array_lsize(xmp_desc_of(d), 1, &size);
  CHECK_EQUAL(size, 4);
  int la[8], lb[8][8], lc[8][8], ld[8];
#pragma xmp gmove
  la[:] = a[:];
#pragma xmp gmove
  lb[:][:] = b[:][:];
#pragma xmp gmove
  lc[:][:] = c[:][:];
#pragma xmp gmove
  ld[:] = d[:];
  for (i = 0; i < 8; i++) {
    CHECK_EQUAL(la[i], 10 + i);
    CHECK_EQUAL(ld[i], 100 + i);
    for (j = 0; j < 8; j++) CHECK_EQUAL(lb[i][j] + 1000 * lc[i][j], 1001 * (10 * i + j));
  }
}

static void allocations(int me)
{
  int i, j, n = 100, m[] = {40, 30, 20, 10}, ran = 0, size;
  e = xmp_malloc(xmp_desc_of(e), N);
  f = (float(*)[N2])xmp_malloc(xmp_desc_of(f), N1, N2);
#pragma xmp template_fix tl[n]
  g = xmp_malloc(xmp_desc_of(g), n);
#pragma xmp template_fix[gblock(m)] th[n]
  h = xmp_malloc(xmp_desc_of(h), n);
#pragma xmp loop on tn[i]
  for (i = 0; i < N; i++) e[i] = (float)i;
#pragma xmp loop on tm[i][j]
  for (i = 0; i < N1; i++)
    for (j = 0; j < N2; j++) f[i][j] = (float)(10 * i + j);
#pragma xmp loop on tl[i]
  for (i = 0; i < n; i++) g[i] = i;
#pragma xmp loop on th[i]
  for (i = 0; i < n; i++) h[i] = i, ran++;
  CHECK_EQUAL(ran, m[me]);
  xmp_array_lsize(xmp_desc_of(g), 1, &size);
  CHECK_EQUAL(size, 25);
  float le[N], lf[N1][N2];
  double lg[100], lh[100];
#pragma xmp gmove
  le[:] = e[:];
#pragma xmp gmove
  lf[:][:] = f[:][:];
#pragma xmp gmove
  lg[:] = g[:];
#pragma xmp gmove
  lh[:] = h[:];
  for (i = 0; i < N; i++) CHECK_EQUAL(le[i], i);
  for (i = 0; i < N1; i++)
    for (j = 0; j < N2; j++) CHECK_EQUAL(lf[i][j], 10 * i + j);
  for (i = 0; i < 100; i++) CHECK_EQUAL(lg[i] + 1000 * lh[i], 1001 * i);
}

int main(void)
{
  const int me = xmpc_node_num();
  distributions(me);
  alignments(me);
  allocations(me);
  return check_end();
}
