/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The problem: u = 0 outside the grid; inside, the initial temperatures are a sum of eigenmodes
 *
 *     sin(a pi i/(NX+1)) sin(b pi j/(NY+1)) sin(c pi k/(NZ+1))        i, j, k from 1
 *
 * of the discrete operator. A step multiplies each by exactly
 *
 *     (1 + cos(a pi/(NX+1)) + cos(b pi/(NY+1)) + cos(c pi/(NZ+1))) / 4
 *
 * so the right answer after any number of steps is known without computing any of them. Three waves along
 * each axis make 27 modes without symmetry: exchanged, mirrored or stale faces cannot look right. */
#include "jacobi3d.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

static const struct {
  long waves;
  double amplitude;
} mode[DIMS][MODES] = {
    {{1, 1.0}, {2, 0.5}, {5, 0.2}},
    {{1, 1.0}, {3, 0.4}, {4, -0.3}},
    {{1, 1.0}, {2, -0.3}, {3, 0.25}},
};

/* sin(pi * k * i / n), reduced in integers so that no digits are lost for many waves. */
static double sine(long k, long i, long n) { return sin(pi * (double)(k * i % (2 * n)) / (double)n); }

static void fill_axis(struct problem *p, int d)
{
  long n = p->grid[d] + 1;
  for (int m = 0; m < MODES; m++) {
    long k = mode[d][m].waves;
    double a = k < n ? mode[d][m].amplitude : 0; /* a grid of n-1 cells carries n-1 waves */
    p->cosine[d][m] = cos(pi * (double)k / (double)n);
    for (long i = 0; i < p->grid[d]; i++) p->wave[d][m][i] = a * sine(k, i + 1, n);
  }
  for (long i = 0; i < p->grid[d]; i++) {
    double sum = 0;
    for (int m = 0; m < MODES; m++) sum += p->wave[d][m][i];
    p->start[d][i] = sum;
  }
}

int problem_open(struct problem *p, const long grid[DIMS])
{
  memset(p, 0, sizeof *p);
  for (int d = 0; d < DIMS; d++) {
    size_t n = (size_t)grid[d];
    p->grid[d] = grid[d];
    if (!(p->start[d] = malloc((MODES + 1) * n * sizeof(double)))) goto nomem;
    for (int m = 0; m < MODES; m++) p->wave[d][m] = p->start[d] + (size_t)(m + 1) * n;
    fill_axis(p, d);
  }
  return 0;
nomem:
  problem_close(p);
  return -1;
}

void problem_close(struct problem *p)
{
  for (int d = 0; d < DIMS; d++) free(p->start[d]);
  memset(p, 0, sizeof *p);
}

/* A product and no sum: no compiler can contract it, so every decomposition and every build starts with the
 * same bits. */
void problem_fill(const struct problem *p, const struct block *b, double *field)
{
  memset(field, 0, b->total * sizeof *field);
  const double *x = p->start[X] + b->lo[X], *y = p->start[Y] + b->lo[Y], *z = p->start[Z] + b->lo[Z];
  for (long k = 0; k < b->n[Z]; k++) {
    for (long j = 0; j < b->n[Y]; j++) {
      double yz = y[j] * z[k], *row = field + cell(b, 0, j, k);
      for (long i = 0; i < b->n[X]; i++) row[i] = x[i] * yz;
    }
  }
}

static double factor(const struct problem *p, int a, int b, int c, long steps)
{
  return pow((1 + p->cosine[X][a] + p->cosine[Y][b] + p->cosine[Z][c]) / 4, (double)steps);
}

double problem_decay(const struct problem *p, long steps) { return factor(p, 0, 0, 0, steps); }

/* Along one row the exact solution is a sum of the x waves: their weights. */
static void row_weights(
    const struct problem *p, double power[MODES][MODES][MODES], long j, long k, double w[MODES])
{
  for (int a = 0; a < MODES; a++) {
    w[a] = 0;
    for (int b = 0; b < MODES; b++)
      for (int c = 0; c < MODES; c++) w[a] += power[a][b][c] * p->wave[Y][b][j] * p->wave[Z][c][k];
  }
}

static void compare_row(const struct problem *p, const struct block *b, const double *row,
    const double w[MODES], double scale, struct deviation *d)
{
  for (long i = 0; i < b->n[X]; i++) {
    double exact = 0;
    for (int a = 0; a < MODES; a++) exact += w[a] * p->wave[X][a][b->lo[X] + i];
    double off = fabs(row[i] - exact), relative = off / scale, size = exact / scale;
    d->error2 += relative * relative;
    d->exact2 += size * size;
    if (!(off <= d->worst)) d->worst = off; /* a NaN too */
  }
}

void problem_compare(const struct problem *p, const struct block *b, const double *field, long steps,
    double scale, struct deviation *d)
{
  double power[MODES][MODES][MODES], w[MODES];
  for (int a = 0; a < MODES; a++)
    for (int q = 0; q < MODES; q++)
      for (int c = 0; c < MODES; c++) power[a][q][c] = factor(p, a, q, c, steps);
  *d = (struct deviation){0, 0, 0};
  for (long k = 0; k < b->n[Z]; k++) {
    for (long j = 0; j < b->n[Y]; j++) {
      row_weights(p, power, b->lo[Y] + j, b->lo[Z] + k, w);
      compare_row(p, b, field + cell(b, 0, j, k), w, scale, d);
    }
  }
}
