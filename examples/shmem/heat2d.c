/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The heat equation on a square plate whose border is kept at 0, explicit steps. Each PE has some rows, and
 * two more for its neighbours' rows, which the neighbours put there once computed; a counter says up to which
 * step. No barrier is needed: a PE is never more than one step ahead of its neighbour, and rows of odd and
 * even steps lie in different grids. */
#include <math.h>
#include <time.h>

#include "options.h"

static long size = 100, steps = 200;
static int me, pes;
static long first, rows, width; /* of my rows; of a row with its two borders */
static double *grid[2];         /* rows 0 and rows + 1 are the neighbours' */

/* How many steps the neighbour above, and below, has put here. */
static long from_above, from_below;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long first_row(int pe) { return size * pe / pes; }

static double sine(long i) { return sin(acos(-1.0) * (double)i / (double)(size + 1)); }

/* This shape keeps itself: each step multiplies it by one number. */
static void start_grid(double *g, long from, long count)
{
  for (long i = 0; i < count + 2; i++)
    for (long j = 0; j < width; j++)
      g[i * width + j] = i + from == 0 || i + from == size + 1 || j == 0 || j == size + 1
          ? 0
          : sine(i + from) * sine(j);
}

static void step(double *to, const double *g, long count)
{
  for (long i = 1; i <= count; i++)
    for (long j = 1; j <= size; j++) {
      const double *p = &g[i * width + j];
      to[i * width + j] = *p + 0.2 * (p[-1] + p[1] + p[-width] + p[width] - 4 * *p);
    }
}

/* The row above me is row rows + 1 of the PE above. PEs may have different numbers of rows, and their grids
 * lie at the same place. */
static void send_rows(double *g, long done)
{
  if (me > 0) {
    long there = first_row(me) - first_row(me - 1);
    shmem_double_put(&g[(there + 1) * width], &g[width], (size_t)width, me - 1);
    shmem_fence();
    shmem_long_p(&from_below, done, me - 1);
  }
  if (me < pes - 1) {
    shmem_double_put(g, &g[rows * width], (size_t)width, me + 1);
    shmem_fence();
    shmem_long_p(&from_above, done, me + 1);
  }
}

static void await_rows(long done)
{
  if (me > 0) shmem_long_wait_until(&from_above, SHMEM_CMP_GE, done);
  if (me < pes - 1) shmem_long_wait_until(&from_below, SHMEM_CMP_GE, done);
}

static double run(void)
{
  double start = now();
  for (long s = 1; s <= steps; s++) {
    double *to = grid[s & 1];
    step(to, grid[~s & 1], rows);
    send_rows(to, s);
    await_rows(s);
  }
  shmem_barrier_all();
  return now() - start;
}

static double difference_from_theory(void)
{
  double factor = pow(1 - 1.6 * pow(sin(acos(-1.0) / 2 / (double)(size + 1)), 2), (double)steps), worst = 0;
  for (long i = 1; i <= rows; i++)
    for (long j = 1; j <= size; j++)
      worst = fmax(worst, fabs(grid[steps & 1][i * width + j] - factor * sine(first + i) * sine(j)));
  return worst;
}

/* The same by one PE alone gives the same numbers, bit for bit. */
static int equals_alone(void)
{
  size_t bytes = (size_t)(size + 2) * (size_t)width * sizeof(double);
  double *alone[2] = {malloc(bytes), malloc(bytes)};
  int equal = 0;
  if (alone[0] && alone[1]) {
    start_grid(alone[0], 0, size);
    start_grid(alone[1], 0, size);
    for (long s = 1; s <= steps; s++) step(alone[s & 1], alone[~s & 1], size);
    equal = memcmp(&alone[steps & 1][(first + 1) * width], &grid[steps & 1][width],
                (size_t)(rows * width) * sizeof(double)) == 0;
  }
  free(alone[0]);
  free(alone[1]);
  return equal;
}

static void make_grids(const char *program)
{
  first = first_row(me), rows = first_row(me + 1) - first, width = size + 2;
  long most = (size + pes - 1) / pes + 2; /* the same number of bytes everywhere: symmetric */
  size_t bytes = (size_t)most * (size_t)width * sizeof(double);
  for (int k = 0; k < 2; k++) {
    grid[k] = shmalloc(bytes);
    if (!grid[k]) {
      if (me == 0)
        fprintf(stderr, "%s: no room for 2 x %zu bytes; SMA_SYMMETRIC_SIZE sets the size of the heap\n",
            program, bytes);
      leave(3);
    }
    start_grid(grid[k], first, rows);
  }
  shmem_barrier_all(); /* rows of step 1 come into grids that are there */
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"size", &size, 1, 20000, "rows and columns of the plate"},
      {"steps", &steps, 1, 1000000, "steps of time"}, {NULL, NULL, 0, 0, NULL}};
  start_pes(0);
  me = _my_pe(), pes = _num_pes();
  read_options(argc, argv,
      "Heat on a square plate, rows spread over the PEs; checked against theory and against one PE alone.",
      options);
  if (size < pes) {
    if (me == 0) fprintf(stderr, "%s: %ld rows cannot be divided among %d PEs\n", argv[0], size, pes);
    leave(2);
  }
  make_grids(argv[0]);
  double seconds = run();
  long near = count_pes(difference_from_theory() < 1e-9), equal = count_pes(equals_alone());
  if (me == 0) {
    printf("%ld x %ld plate on %d PEs, %ld steps: %s theory, %s one PE alone\n", size, size, pes, steps,
        near == pes ? "as in" : "NOT AS IN", equal == pes ? "equals" : "DIFFERS FROM");
    printf("%.3f us a step\n", seconds / (double)steps * 1e6);
  }
  shfree(grid[1]);
  shfree(grid[0]);
  return near != pes || equal != pes;
}
