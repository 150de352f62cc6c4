/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Node 0's summary of the run. */
#include "jacobi3d.h"
#include <float.h>
#include <math.h>
#include <unistd.h>

/* Times become means over the processes, the rest sums. */
static void collect(const struct job *job, struct record *sum)
{
  long nodes = (long)gasnet_nodes();
  memset(sum, 0, sizeof *sum);
  for (long node = 0; node < nodes; node++) {
    struct record r;
    gasnet_get(&r, (gasnet_node_t)node, job_record(job, node), sizeof r);
    sum->solve += r.solve / (double)nodes;
    sum->put += r.put / (double)nodes;
    sum->wait += r.wait / (double)nodes;
    sum->face_bytes += r.face_bytes;
    sum->checked += r.checked;
    sum->wrong += r.wrong;
    sum->deviation.error2 += r.deviation.error2;
    sum->deviation.exact2 += r.deviation.exact2;
    if (!(r.deviation.worst <= sum->deviation.worst)) sum->deviation.worst = r.deviation.worst;
  }
}

/* Processes of node 0's host for each of its cores: above 1 they take turns, and wait for each other. */
static void warn_if_crowded(void)
{
  gasnet_node_t nodes = gasnet_nodes();
  long here = 0, cores = sysconf(_SC_NPROCESSORS_ONLN);
  gasnet_nodeinfo_t *info = malloc(nodes * sizeof *info);
  if (!info) return;
  must(gasnet_getNodeInfo(info, (int)nodes), "gasnet_getNodeInfo");
  for (gasnet_node_t i = 0; i < nodes; i++) here += info[i].host == info[0].host;
  free(info);
  if (here > cores)
    printf("             (%ld processes take turns on %ld cores: waiting includes that)\n", here, cores);
}

static void speed(const struct job *job, const struct record *sum)
{
  double steps = (double)job->opt.steps;
  printf("time         %.3g ms a step, %.3f s in all, %.0f million cells a second\n",
      1e3 * sum->solve / steps, sum->solve, 1e-6 * options_cells(&job->opt) * steps / sum->solve);
  printf("exchange     %.1f %% of the time: %.1f %% in puts, %.1f %% waiting for the others\n",
      100 * (sum->put + sum->wait) / sum->solve, 100 * sum->put / sum->solve, 100 * sum->wait / sum->solve);
  warn_if_crowded();
  if (sum->face_bytes > 0) {
    printf("puts         %s, %s, told by %s: %.3g us a step%s\n", job->opt.packed ? "packed" : "strided",
        job->opt.plan ? "one plan" : "a call a face", job->opt.notify ? "notification" : "barrier",
        1e6 * sum->put / steps, job->opt.packed ? " with packing and unpacking" : "");
    printf("face data    %.3f MB a step over all processes, put at %.2f GB/s\n",
        1e-6 * sum->face_bytes / steps, 1e-9 * sum->face_bytes / sum->put);
  } else {
    printf("face data    none: one process has no neighbours\n");
  }
}

/* The operator never lengthens a vector by more than the slowest mode's factor (in the 2-norm), and one step
 * rounds three times, each by at most half an epsilon of what the sums hold. So the relative error grows by
 * at most about 2 epsilon a step, that of the computed exact solution by one more; sines and products at the
 * start are within 30. */
static bool analytic(const struct job *job, const struct record *sum)
{
  double tolerance = DBL_EPSILON * (4 * (double)job->opt.steps + 32);
  double error = sqrt(sum->deviation.error2 / sum->deviation.exact2);
  if (problem_decay(&job->problem, job->opt.steps) < DBL_MIN) {
    printf(
        "analytic     NOT CHECKED: the solution has decayed below the smallest number; use fewer --steps\n");
    return true;
  }
  bool right = error <= tolerance; /* false for a NaN */
  printf("analytic     relative error %.2g, at most %.2g allowed; largest %.2g in a cell: %s\n", error,
      tolerance, sum->deviation.worst, right ? "right" : "WRONG");
  return right;
}

static bool bitwise(const struct job *job, const struct record *sum)
{
  const struct options *o = &job->opt;
  if (o->verify == VERIFY_OFF) {
    printf("one process  NOT COMPARED (--verify off)\n");
    return true;
  }
  bool full = verify_is_full(o);
  uint64_t wrong = full ? verify_full(job) : sum->wrong;
  uint64_t checked = full ? (uint64_t)options_cells(o) : sum->checked;
  if (wrong)
    printf("one process  %llu of %llu cells differ", (unsigned long long)wrong, (unsigned long long)checked);
  else printf("one process  %llu cells equal bit for bit", (unsigned long long)checked);
  if (!full) printf(" in a sample after step %ld (all: --verify full)", verify_sample_steps(job));
  printf(": %s\n", wrong ? "WRONG" : "right");
  return !wrong;
}

int report(const struct job *job)
{
  struct record sum;
  collect(job, &sum);
  speed(job, &sum);
  bool right = analytic(job, &sum);
  fflush(stdout);
  right &= bitwise(job, &sum);
  printf("result       %s\n", right ? "right" : "WRONG");
  fflush(stdout);
  return right ? EXIT_CORRECT : EXIT_WRONG;
}
