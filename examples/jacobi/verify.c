/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Three ways of finding out whether the result is right. */
#include "jacobi3d.h"
#include <float.h>

enum { CORNER = 3, SAMPLE_STEPS = 10 };

/* "auto": a one-process run of a few seconds and at most 1 GiB. */
bool verify_is_full(const struct options *o)
{
  if (o->verify != VERIFY_AUTO) return o->verify == VERIFY_FULL;
  return options_cells(o) * (double)o->steps <= 2e9 && options_cells(o) * 2 * sizeof(double) <= 1 << 30;
}

/* Against the analytic solution: each process looks at its own block. */
void verify_deviation(struct job *job)
{
  double scale = problem_decay(&job->problem, job->opt.steps);
  const double *field = job_field(job, gasnet_mynode(), (int)(job->opt.steps % 2));
  if (scale < DBL_MIN) scale = DBL_MIN; /* decayed to nothing; report() says so */
  problem_compare(
      &job->problem, &job->mine, field, job->opt.steps, scale, &job_record(job, gasnet_mynode())->deviation);
}

/* Bits, not values: 0 and -0 differ, and a NaN equals itself. */
static uint64_t differing(const double *a, const double *b, long n)
{
  uint64_t count = 0;
  if (!memcmp(a, b, (size_t)n * sizeof *a)) return 0;
  for (long i = 0; i < n; i++) count += memcmp(a + i, b + i, sizeof *a) != 0;
  return count;
}

/* A small run of its own: the cells within `steps` of the wanted ones. What lies further away cannot reach
 * them, so it does not matter that the cut faces of this box see zeros. */
static void surroundings(
    const struct job *job, const long lo[DIMS], const long hi[DIMS], long steps, struct block *box)
{
  for (int d = 0; d < DIMS; d++) {
    long first = lo[d] - steps, last = hi[d] + steps, grid = job->opt.grid[d];
    box->lo[d] = first < 0 ? 0 : first;
    box->n[d] = (last > grid ? grid : last) - box->lo[d];
  }
  block_shape(box);
}

/* Runs `steps` in a and b in turn, beginning with a; returns the one with the result. */
static double *run_alone(const struct problem *p, const struct block *b, double *from, double *to, long steps,
    struct progress *bar)
{
  const long lo[DIMS] = {0, 0, 0};
  problem_fill(p, b, from);
  memset(to, 0, b->total * sizeof *to);
  for (long n = 1; n <= steps; n++) {
    sweep(b, from, to, lo, b->n);
    double *swap = from;
    from = to;
    to = swap;
    if (bar) progress_show(bar, n);
  }
  return from;
}

static uint64_t compare_corner(const struct job *job, const struct block *box, const double *right,
    const double *field, const long lo[DIMS], const long hi[DIMS])
{
  const struct block *mine = &job->mine;
  uint64_t wrong = 0;
  for (long k = lo[Z]; k < hi[Z]; k++) {
    for (long j = lo[Y]; j < hi[Y]; j++) {
      size_t here = cell(mine, lo[X] - mine->lo[X], j - mine->lo[Y], k - mine->lo[Z]);
      size_t there = cell(box, lo[X] - box->lo[X], j - box->lo[Y], k - box->lo[Z]);
      wrong += differing(field + here, right + there, hi[X] - lo[X]);
    }
  }
  return wrong;
}

static void check_corner(struct job *job, int corner, long steps, struct record *record)
{
  long lo[DIMS], hi[DIMS];
  struct block box;
  for (int d = 0; d < DIMS; d++) {
    long first = job->mine.lo[d], end = first + job->mine.n[d];
    lo[d] = corner >> d & 1 && job->mine.n[d] > CORNER ? end - CORNER : first;
    hi[d] = lo[d] + CORNER < end ? lo[d] + CORNER : end;
  }
  surroundings(job, lo, hi, steps, &box);
  double *a = malloc(2 * box.total * sizeof *a);
  if (!a) stop_here(EXIT_MEMORY, "node %d: no memory for the sampled check", (int)gasnet_mynode());
  const double *right = run_alone(&job->problem, &box, a, a + box.total, steps, NULL);
  const double *field = job_field(job, gasnet_mynode(), (int)(steps % 2));
  record->wrong += compare_corner(job, &box, right, field, lo, hi);
  record->checked += (uint64_t)((hi[X] - lo[X]) * (hi[Y] - lo[Y]) * (hi[Z] - lo[Z]));
  free(a);
}

long verify_sample_steps(const struct job *job)
{
  if (job->opt.verify == VERIFY_OFF || verify_is_full(&job->opt)) return 0;
  return job->opt.steps < SAMPLE_STEPS ? job->opt.steps : SAMPLE_STEPS;
}

/* The corners of a block are where the data of most neighbours meet. */
void verify_sample(struct job *job, long steps)
{
  for (int corner = 0; corner < 8; corner++)
    check_corner(job, corner, steps, job_record(job, gasnet_mynode()));
}

/* A plane at a time from its owner, ghosts and all. */
static uint64_t compare_block(
    const struct job *job, long node, const struct block *all, const double *right, double *plane)
{
  struct block b;
  uint64_t wrong = 0;
  double *field = job_field(job, node, (int)(job->opt.steps % 2));
  block_of(&job->split, node, &b);
  for (long k = 0; k < b.n[Z]; k++) {
    gasnet_get_bulk(plane, (gasnet_node_t)node, field + (k + 1) * b.plane, (size_t)b.plane * sizeof *plane);
    for (long j = 0; j < b.n[Y]; j++)
      wrong += differing(
          plane + cell(&b, 0, j, -1), right + cell(all, b.lo[X], b.lo[Y] + j, b.lo[Z] + k), b.n[X]);
  }
  return wrong;
}

uint64_t verify_full(const struct job *job)
{
  struct split one = {.procs = {1, 1, 1}};
  struct block all, largest;
  struct progress bar;
  uint64_t wrong = 0;
  memcpy(one.grid, job->opt.grid, sizeof one.grid);
  block_of(&one, 0, &all);
  block_of(&job->split, 0, &largest);
  double *a = malloc(2 * all.total * sizeof *a), *plane = malloc((size_t)largest.plane * sizeof *plane);
  if (!a || !plane)
    stop_here(EXIT_MEMORY, "no memory to repeat the run in one process (%.1f MiB): use --verify sample",
        2.0 * (double)all.total * sizeof *a / (1024 * 1024));
  progress_begin(&bar, "checking", 0, job->opt.steps, job->opt.progress);
  const double *right = run_alone(&job->problem, &all, a, a + all.total, job->opt.steps, &bar);
  progress_end(&bar);
  for (long node = 0; node < (long)gasnet_nodes(); node++)
    wrong += compare_block(job, node, &all, right, plane);
  free(plane);
  free(a);
  return wrong;
}
