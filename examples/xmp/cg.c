/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Conjugate gradients for a sparse matrix: that of the five-point stencil on a square, stored as the column
 * and the value of each number that is not 0. The nodes have rows. A row's columns may be anywhere, so the
 * vector that is multiplied has a full shadow: reflect brings all of it to each node.
 *
 * Without the directives this is a program for one process. */
#include <math.h>
#include <stdio.h>

enum { SIDE = 64, N = SIDE * SIDE, WIDTH = 5, MOST = 500 };

#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p

static double value[N][WIDTH], x[N], r[N], d[N], q[N];
static int column[N][WIDTH];
#pragma xmp align [i][*] with t[i] :: value, column
#pragma xmp align [i] with t[i] :: x, r, d, q
#pragma xmp shadow d[*]

/* The solution. The right side is made from it. */
static double solution(int i) { return 1 + i % 7; }

static void row_make(int row, int columns[WIDTH], double values[WIDTH])
{
  const int y = row / SIDE, z = row % SIDE;
  const int neighbour[] = {row, y > 0 ? row - SIDE : -1, y < SIDE - 1 ? row + SIDE : -1, z > 0 ? row - 1 : -1,
      z < SIDE - 1 ? row + 1 : -1};
  for (int k = 0; k < WIDTH; k++) {
    columns[k] = neighbour[k] < 0 ? row : neighbour[k];
    values[k] = k == 0 ? 4 : neighbour[k] < 0 ? 0 : -1;
  }
}

/* q = A d */
static void multiply(void)
{
#pragma xmp reflect (d)
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int k = 0; k < WIDTH; k++) sum += value[i][k] * d[column[i][k]];
    q[i] = sum;
  }
}

/* x = 0, r = d = A times the solution; returns r r. */
static double begin(void)
{
  double rr = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) {
    row_make(i, column[i], value[i]);
    d[i] = solution(i);
    x[i] = 0;
  }
  multiply();
#pragma xmp loop on t[i] reduction(+ : rr)
  for (int i = 0; i < N; i++) {
    r[i] = d[i] = q[i];
    rr += r[i] * r[i];
  }
  return rr;
}

/* Returns the new r r. */
static double iterate(double rr)
{
  double dq = 0, next = 0;
  multiply();
#pragma xmp loop on t[i] reduction(+ : dq)
  for (int i = 0; i < N; i++) dq += d[i] * q[i];
  const double alpha = rr / dq;
#pragma xmp loop on t[i] reduction(+ : next)
  for (int i = 0; i < N; i++) {
    x[i] += alpha * d[i];
    r[i] -= alpha * q[i];
    next += r[i] * r[i];
  }
  const double beta = next / rr;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) d[i] = r[i] + beta * d[i];
  return next;
}

int main(void)
{
  int nodes = 1, steps = 0;
  double error = 0;
#pragma xmp reduction (+ : nodes)
  const double start = begin();
  for (double rr = start; rr > 1e-24 * start && steps < MOST; steps++) rr = iterate(rr);
#pragma xmp loop on t[i] reduction(max : error)
  for (int i = 0; i < N; i++) error = fmax(error, fabs(x[i] - solution(i)));
  const int right = error < 1e-8;
#pragma xmp task on p[0]
  printf("cg: %d unknowns, %d steps, %d nodes: %s, error %.1e\n", N, steps, nodes,
      right ? "right" : "WRONG", error);
  return !right;
}
