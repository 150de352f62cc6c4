/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What tests/check_xmp_gdb.sh looks at with gdb, on two nodes. It finds lines by their comments. */
#include <stdio.h>
#include <xmp.h>

#define N 24
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(2)] onto p
#pragma xmp template open[ : ]
#pragma xmp distribute open[block] onto p
static double block[N], rows[N][5], columns[N][N], cube[3][N][4];
static double dealt[N][3];
static int fixed[N];
#pragma xmp align block[i] with t[i]
#pragma xmp align rows[i][*] with t[i]
#pragma xmp align columns[*][i] with t[i]
#pragma xmp align cube[*][i][*] with t[i]
#pragma xmp align dealt[i][*] with c[i]
#pragma xmp align fixed[i] with open[i]
#pragma xmp shadow block[1]
static long (*given)[N];
#pragma xmp align given[*][i] with t[i]

static double fill(int scale)
{
  double sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    block[i] = scale * i; /* the first */
    rows[i][3] = 10 * i + 3;
    sum += block[i];
  }
#pragma xmp loop on t[j]
  for (int j = 0; j < N; j++) {
    for (int i = 0; i < N; i++) columns[i][j] = 100 * i + j;
    for (int i = 0; i < 3; i++) cube[i][j][2] = 1000 * i + j;
    given[1][j] = -j;
  }
#pragma xmp loop on c[i]
  for (int i = 0; i < N; i++) {
    double last = 2000 + i;
    dealt[i][1] = last; /* cyclic */
  }
#pragma xmp loop on open[i]
  for (int i = 0; i < N; i++) fixed[i] = 7 * i;
#pragma xmp reflect(block)
  return sum; /* filled */
}

static double look(double m[N][N])
{
#pragma xmp align m[*][i] with t[i]
  double own[N];
#pragma xmp align own[i] with t[i]
  double corner = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) {
    own[i] = m[2][i] + 1;
    if (i == 20) corner = own[i];
  }
#pragma xmp reduction(+ : corner)
  return corner; /* looked */
}

int main(void)
{
#pragma xmp template_fix open[N]
  given = (long(*)[N])xmp_malloc(xmp_desc_of(given), 2, N);
  const double sum = fill(2), corner = look(columns);
#pragma xmp task on p[0]
  printf("%g %g\n", sum, corner);
  return 0;
}
