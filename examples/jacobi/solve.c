/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The steps. Each process holds two fields and computes one from the other in turn:
 *
 *     start the six puts of the old field's faces into the neighbours' ghost layers
 *     compute half of the interior                  while they travel
 *     wait for the puts, announce it to the barrier
 *     compute the other half of the interior        while the others arrive
 *     wait for the barrier: now all ghost layers of the old field here are filled
 *     compute the cells next to ghosts
 *
 * One barrier a step is enough. The next step's puts go into the ghosts of the other field, which nobody
 * reads or writes now; those of the step after it come back to these ghosts, behind a barrier that every
 * reader of them has to enter first. The barrier bears the step's number, so processes that get out of step
 * are an error and not a wrong result.
 *
 * With --notify there is no barrier: each face tells its target, which waits for the faces of its neighbours
 * alone. That is enough, too. A neighbour that puts into these ghosts again, two steps on, has waited before
 * for my faces of the step between, and I started those after I had read the ghosts. What holds for ghosts
 * holds for the buffers of --exchange packed: there are two for each face, one for each field. */
#include "jacobi3d.h"
#include <limits.h>

struct solver {
  const struct job *job;
  struct exchange exchange;
  long lo[DIMS], hi[DIMS]; /* the interior: cells that need no ghosts of a neighbour */
  double *field[2];
  double put, wait;
};

static void interior(struct solver *s)
{
  for (int d = 0; d < DIMS; d++) {
    s->lo[d] = s->exchange.neighbour[d][0];
    s->hi[d] = s->job->mine.n[d] - s->exchange.neighbour[d][1];
    if (s->hi[d] < s->lo[d]) s->hi[d] = s->lo[d];
  }
}

/* One half of the interior: planes below or above its middle. */
static void sweep_half(const struct solver *s, const double *from, double *to, bool upper)
{
  long middle = s->lo[Z] + (s->hi[Z] - s->lo[Z]) / 2;
  const long lo[DIMS] = {s->lo[X], s->lo[Y], upper ? middle : s->lo[Z]};
  const long hi[DIMS] = {s->hi[X], s->hi[Y], upper ? s->hi[Z] : middle};
  sweep(&s->job->mine, from, to, lo, hi);
}

static void sweep_all(const struct solver *s, const double *from, double *to)
{
  const long lo[DIMS] = {0, 0, 0};
  sweep(&s->job->mine, from, to, lo, s->job->mine.n);
}

/* The block without its interior: whole planes first, then rows of what is left, then single columns. */
static void sweep_rim(const struct solver *s, const double *from, double *to)
{
  const struct block *b = &s->job->mine;
  long lo[DIMS] = {0, 0, 0}, hi[DIMS] = {b->n[X], b->n[Y], b->n[Z]};
  for (int d = Z; d >= X; d--) {
    long end = hi[d];
    hi[d] = s->lo[d];
    sweep(b, from, to, lo, hi);
    lo[d] = s->hi[d];
    hi[d] = end;
    sweep(b, from, to, lo, hi);
    lo[d] = s->lo[d];
    hi[d] = s->hi[d];
  }
}

static void step(struct solver *s, long number)
{
  const bool overlap = s->job->opt.overlap, notify = s->job->opt.notify;
  const int id = (int)(number % INT_MAX), old = (int)((number - 1) % 2);
  const double *from = s->field[old];
  double *to = s->field[!old];

  double t0 = now();
  exchange_start(&s->exchange, old);
  double t1 = now();
  if (overlap) sweep_half(s, from, to, false);
  double t2 = now();
  exchange_finish(&s->exchange);
  double t3 = now();
  if (!notify) gasnet_barrier_notify(id, 0);
  if (overlap) sweep_half(s, from, to, true);
  double t4 = now();
  if (notify) exchange_await(&s->exchange, number);
  else must(gasnet_barrier_wait(id, 0), "gasnet_barrier_wait");
  double t5 = now();
  exchange_unpack(&s->exchange, old);
  double t6 = now();
  if (overlap) sweep_rim(s, from, to);
  else sweep_all(s, from, to);
  s->put += (t1 - t0) + (t3 - t2) + (t6 - t5);
  s->wait += t5 - t4;
}

/* On request: the last node's first cell is off by a thousandth of what the hottest cells began with. */
static void spoil(const struct solver *s, long number)
{
  if (gasnet_mynode() == gasnet_nodes() - 1) s->field[number % 2][cell(&s->job->mine, 0, 0, 0)] += 0.001;
}

void solve(const struct job *job, long first, long last)
{
  struct solver s = {.job = job};
  struct progress bar;
  struct record *record = job_record(job, gasnet_mynode());
  exchange_open(job, &s.exchange);
  interior(&s);
  for (int which = 0; which < 2; which++) s.field[which] = job_field(job, gasnet_mynode(), which);
  progress_begin(&bar, "solving", first, job->opt.steps, job->opt.progress);
  job_barrier();
  double begin = now();
  for (long number = first + 1; number <= last; number++) {
    step(&s, number);
    if (number == job->opt.spoil) spoil(&s, number);
    progress_show(&bar, number);
  }
  record->solve += now() - begin;
  record->put += s.put;
  record->wait += s.wait;
  record->face_bytes += s.exchange.bytes * (double)(last - first);
  exchange_close(&s.exchange);
  progress_end(&bar);
}
