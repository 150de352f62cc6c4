/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Laplace's equation in two dimensions by Jacobi's method: each cell becomes the average of its neighbours.
 * The grid is cut in both directions. It begins with half a wave of a sine in each, which stays that and gets
 * lower by a known factor in each step, so the result of every cell is known.
 *
 * Without the directives this is a program for one process. */
#include <math.h>
#include <stdio.h>

#ifndef COLUMNS /* of nodes; the number of nodes is a multiple of it */
#define COLUMNS 2
#endif
enum { N = 512, STEPS = 100 };

#pragma xmp nodes p[*][COLUMNS]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto p

static double u[N][N], v[N][N];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp shadow u[1][1]
#pragma xmp shadow v[1][1]

static const double pi = 3.14159265358979323846;

static double wave(int i) { return sin(pi * i / (N - 1)); }

static void begin(void)
{
#pragma xmp loop on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      u[i][j] = wave(i) * wave(j);
      v[i][j] = 0;
    }
}

/* The cells of the edge stay as they are. A cell's neighbours have no corners: orthogonal. */
static void two_steps(void)
{
#pragma xmp reflect (u) orthogonal
#pragma xmp loop on t[i][j]
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;

#pragma xmp reflect (v) orthogonal
#pragma xmp loop on t[i][j]
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) u[i][j] = (v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1]) / 4;
}

static double largest_error(void)
{
  const double height = pow(cos(pi / (N - 1)), STEPS);
  double error = 0;
#pragma xmp loop on t[i][j] reduction(max : error)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) error = fmax(error, fabs(u[i][j] - height * wave(i) * wave(j)));
  return error;
}

int main(void)
{
  int nodes = 1;
#pragma xmp reduction (+ : nodes)
  begin();
  for (int step = 0; step < STEPS; step += 2) two_steps();
  const double error = largest_error();
  const int right = error < 1e-12;
#pragma xmp task on p[0][0]
  printf("laplace: %d x %d cells, %d steps, %d nodes: %s, error %.1e\n", N, N, STEPS, nodes,
      right ? "right" : "WRONG", error);
  return !right;
}
