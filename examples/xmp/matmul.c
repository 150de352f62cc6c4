/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The product of two matrices that lie in rows on the nodes. Each node computes its rows of the product, and
 * needs all rows of the right matrix for that: it gets a few of them at a time, by a gmove from the global
 * matrix to an array that each node has.
 *
 * Sections are no C: without XcalableMP memcpy takes the place of the gmove. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 384, ROWS = 32 /* of the right matrix, at a time; divides N */ };

#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p

static double a[N][N], b[N][N], c[N][N];
#pragma xmp align a[i][*] with t[i]
#pragma xmp align b[i][*] with t[i]
#pragma xmp align c[i][*] with t[i]

static double rows[ROWS][N];

static void begin(void)
{
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i - j;
      b[i][j] = i + j;
      c[i][j] = 0;
    }
}

static void multiply(void)
{
  for (int first = 0; first < N; first += ROWS) {
#ifdef _XCALABLEMP
#pragma xmp gmove
    rows[:][:] = b[first:ROWS][:];
#else
    memcpy(rows, b[first], sizeof rows);
#endif
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
      for (int k = 0; k < ROWS; k++)
        for (int j = 0; j < N; j++) c[i][j] += a[i][first + k] * rows[k][j];
  }
}

/* The sum of (i - k) (k + j) over all k; whole numbers, which a double has exactly. */
static double product(double i, double j)
{
  const double n = N, sum = n * (n - 1) / 2, squares = (n - 1) * n * (2 * n - 1) / 6;
  return i * sum + n * i * j - squares - j * sum;
}

int main(void)
{
  int nodes = 1, wrong = 0;
#pragma xmp reduction (+ : nodes)
  begin();
  multiply();
#pragma xmp loop on t[i] reduction(+ : wrong)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) wrong += c[i][j] != product(i, j);
#pragma xmp task on p[0]
  printf("matmul: %d x %d numbers, %d nodes: %s\n", N, N, nodes, wrong ? "WRONG" : "right");
  return wrong != 0;
}
