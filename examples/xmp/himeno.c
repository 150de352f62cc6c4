/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The stencil of Himeno's benchmark: pressure in three dimensions, 19 cells for each. While the faces travel
 * the cells are computed that need none of them: reflect is asynchronous, and the loop's clause peel_and_wait
 * computes the inner cells, waits, and computes the rest. Each node compares its cells with those of a
 * process that computes all of them.
 *
 * Without the directives this is a program for one process. */
#include <math.h>
#include <stdio.h>

enum { I = 64, J = 48, K = 80, STEPS = 12, FACES = 1 /* the id of what is under way */ };

#pragma xmp nodes p[*]
#pragma xmp template t[I]
#pragma xmp distribute t[block] onto p

static float u[I][J][K], v[I][J][K];
#pragma xmp align u[i][*][*] with t[i]
#pragma xmp align v[i][*][*] with t[i]
#pragma xmp shadow u[1][0][0]

static float alone[2][I][J][K];

static const float omega = 0.8f, across = 0.05f;

/* What the stencil makes of the cell. */
#define AROUND(g, i, j, k) \
  ((g)[(i) + 1][j][k] + (g)[(i) - 1][j][k] + (g)[i][(j) + 1][k] + (g)[i][(j) - 1][k] + (g)[i][j][(k) + 1] + \
      (g)[i][j][(k) - 1])
#define CROSS(g, i, j, k) \
  ((g)[(i) + 1][(j) + 1][k] - (g)[(i) + 1][(j) - 1][k] - (g)[(i) - 1][(j) + 1][k] + \
      (g)[(i) - 1][(j) - 1][k] + (g)[i][(j) + 1][(k) + 1] - (g)[i][(j) - 1][(k) + 1] - \
      (g)[i][(j) + 1][(k) - 1] + (g)[i][(j) - 1][(k) - 1] + (g)[(i) + 1][j][(k) + 1] - \
      (g)[(i) - 1][j][(k) + 1] - (g)[(i) + 1][j][(k) - 1] + (g)[(i) - 1][j][(k) - 1])
#define CHANGE(g, i, j, k) ((AROUND(g, i, j, k) + across * CROSS(g, i, j, k)) / 6 - (g)[i][j][k])

static float first(int i, int j, int k) { return (float)(i * i) / (I * I) + (float)((j * k) % 7) / 50; }

static void begin(void)
{
#pragma xmp loop on t[i]
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++)
      for (int k = 0; k < K; k++) u[i][j][k] = first(i, j, k);
}

/* Returns how much has changed, as the benchmark does. */
static double step(void)
{
  double change = 0;
#pragma xmp reflect (u) async(FACES)
#pragma xmp loop on t[i] reduction(+ : change) peel_and_wait(FACES, -1)
  for (int i = 1; i < I - 1; i++)
    for (int j = 1; j < J - 1; j++)
      for (int k = 1; k < K - 1; k++) {
        const float s = CHANGE(u, i, j, k);
        change += s * s;
        v[i][j][k] = u[i][j][k] + omega * s;
      }

#pragma xmp loop on t[i]
  for (int i = 1; i < I - 1; i++)
    for (int j = 1; j < J - 1; j++)
      for (int k = 1; k < K - 1; k++) u[i][j][k] = v[i][j][k];
  return change;
}

static double step_alone(float (*from)[J][K], float (*to)[J][K])
{
  double change = 0;
  for (int i = 1; i < I - 1; i++)
    for (int j = 1; j < J - 1; j++)
      for (int k = 1; k < K - 1; k++) {
        const float s = CHANGE(from, i, j, k);
        change += s * s;
        to[i][j][k] = from[i][j][k] + omega * s;
      }
  return change;
}

static double run_alone(void)
{
  double change = 0;
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++)
      for (int k = 0; k < K; k++) alone[0][i][j][k] = alone[1][i][j][k] = first(i, j, k);
  for (int s = 0; s < STEPS; s++) change = step_alone(alone[s % 2], alone[(s + 1) % 2]);
  return change;
}

static float largest_error(void)
{
  float error = 0;
#pragma xmp loop on t[i] reduction(max : error)
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++)
      for (int k = 0; k < K; k++) error = fmaxf(error, fabsf(u[i][j][k] - alone[STEPS % 2][i][j][k]));
  return error;
}

int main(void)
{
  int nodes = 1;
  double change = 0;
#pragma xmp reduction (+ : nodes)
  begin();
  for (int s = 0; s < STEPS; s++) change = step();
  const double expected = run_alone();
  const int right = largest_error() < 1e-6f && fabs(change - expected) < 1e-6 * expected;
#pragma xmp task on p[0]
  printf("himeno: %d x %d x %d cells, %d steps, %d nodes: %s, the last step has changed %.6f\n", I, J, K,
      STEPS, nodes, right ? "right" : "WRONG", change);
  return !right;
}
