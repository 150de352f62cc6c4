/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* jacobi3d from beginning to end. See jacobi3d.h for where the parts are, and the tutorial for how they came
 * about. */
#include "jacobi3d.h"

/* Anything that was printed may have met a full disk: the stream keeps that in mind. */
static void check_output(void)
{
  if (fflush(stdout) || ferror(stdout)) stop_here(EXIT_FILE, "cannot write to the standard output");
}

static void parse(struct job *job, int argc, char **argv)
{
  char why[512];
  if (options_parse(argc, argv, &job->opt, why, sizeof why)) stop_all(EXIT_USAGE, "%s (see --help)", why);
  if (!job->opt.help) return;
  must(gasnet_attach(NULL, 0, 0, 0), "gasnet_attach");
  if (gasnet_mynode() == 0) {
    options_help(stdout);
    check_output();
  }
  job_barrier();
  gasnet_exit(EXIT_CORRECT);
}

static void check_procs(const struct split *s, long nodes)
{
  const long *p = s->procs, *g = s->grid;
  if (p[X] * p[Y] * p[Z] != nodes)
    stop_all(EXIT_USAGE, "--procs %ldx%ldx%ld makes %ld processes, but the job has %ld", p[X], p[Y], p[Z],
        p[X] * p[Y] * p[Z], nodes);
  for (int d = 0; d < DIMS; d++)
    if (p[d] > g[d])
      stop_all(EXIT_USAGE,
          "--procs %ldx%ldx%ld is too many for %ldx%ldx%ld cells: each process needs one at least", p[X],
          p[Y], p[Z], g[X], g[Y], g[Z]);
}

static void divide(struct job *job)
{
  struct split *s = &job->split;
  long nodes = (long)gasnet_nodes(), fewer = nodes;
  memcpy(s->grid, job->opt.grid, sizeof s->grid);
  memcpy(s->procs, job->opt.procs, sizeof s->procs);
  if (s->procs[X]) {
    check_procs(s, nodes);
    return;
  }
  if (!split_choose(s, nodes)) return;
  while (split_choose(s, --fewer)) continue; /* one process always fits */
  stop_all(EXIT_USAGE, "%ldx%ldx%ld cells cannot be divided among %ld processes: use %ld, or a larger --grid",
      s->grid[X], s->grid[Y], s->grid[Z], nodes, fewer);
}

static void introduce(const struct job *job)
{
  const long *g = job->split.grid, *p = job->split.procs, *n = job->mine.n;
  printf("jacobi3d     %ldx%ldx%ld cells, %ld steps, overlap %s\n", g[X], g[Y], g[Z], job->opt.steps,
      job->opt.overlap ? "on" : "off");
  printf("processes    %d as %ldx%ldx%ld, the largest block %ldx%ldx%ld\n", (int)gasnet_nodes(), p[X], p[Y],
      p[Z], n[X], n[Y], n[Z]);
  fflush(stdout);
}

static void run(struct job *job)
{
  long steps = job->opt.steps, sample = verify_sample_steps(job);
  for (int which = 0; which < 2; which++)
    problem_fill(&job->problem, &job->mine, job_field(job, gasnet_mynode(), which));
  if (sample) {
    solve(job, 0, sample);
    verify_sample(job, sample);
  }
  if (steps > sample) solve(job, sample, steps);
  verify_deviation(job);
}

/* Node 0 decides and the others ask it, so that the whole job ends with one code. */
static int verdict(struct job *job)
{
  struct record *first = job_record(job, 0);
  if (gasnet_mynode() == 0) {
    first->verdict = report(job);
    if (job->picture) picture_write(job);
    check_output();
  }
  job_barrier();
  int code = (int)gasnet_get_val(0, &first->verdict, sizeof first->verdict);
  job_barrier();
  return code;
}

int main(int argc, char **argv)
{
  static struct job job;
  if (gasnet_init(&argc, &argv) != GASNET_OK) {
    fprintf(stderr, "jacobi3d: gasnet_init failed\n");
    return EXIT_COMM;
  }
  parse(&job, argc, argv);
  divide(&job);
  if (problem_open(&job.problem, job.opt.grid)) stop_here(EXIT_MEMORY, "no memory for the wave tables");
  job_attach(&job);
  if (gasnet_mynode() == 0) {
    if (job.opt.picture) job.picture = picture_open(job.opt.picture);
    introduce(&job);
  }
  job_barrier();
  run(&job);
  job_barrier();
  int code = verdict(&job);
  problem_close(&job.problem);
  free(job.segment);
  gasnet_exit(code);
}
