/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a job is given: its programs, its environment and its command line. */
#include "bench/control/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/arguments.h"

/* ---- where programs lie ---- */

static int path_is_usable(const char *dir, const char *beside, const char *name, char path[PATH_MAX])
{
  return snprintf(path, PATH_MAX, "%s/%s%s", dir, beside, name) < PATH_MAX && access(path, R_OK) == 0;
}

/* The path of "gasnetbench-seq" and so on; 0: it is missing, and *reason says so. */
static int ask_worker(const struct settings *s, const char *name, char path[PATH_MAX], char reason[TEXT_MOST])
{
  static const char *const beside[] = {"../libexec/", "../lib/penstock/", "../lib64/penstock/"};
  const char *here = program_directory(), *installed = PST_LIBDIR;
  if (s->workers) {
    snprintf(reason, TEXT_MOST, "there is no %s in %.180s", name, s->workers);
    return path_is_usable(s->workers, "", name, path);
  }
  snprintf(
      reason, TEXT_MOST, "%s is neither in %.70s/../libexec nor in %.70s/penstock", name, here, installed);
  for (unsigned i = 0; i < sizeof beside / sizeof *beside; i++)
    if (path_is_usable(here, beside[i], name, path)) return 1;
  return path_is_usable(installed, "penstock/", name, path);
}

/* The same of the library that is the bare transport of that name: a conduit's, or Open MPI's. */
static int ask_worker_raw(
    const struct settings *s, const char *name, char path[PATH_MAX], char reason[TEXT_MOST])
{
  char file[64];
  snprintf(file, sizeof file, "gasnetbench-raw-%s.so", name);
  return ask_worker(s, file, path, reason);
}

const struct bench_test *worker_test(const struct result *r)
{
  return r->of->of ? bench_test_named(r->of->of) : r->of;
}

/* ---- the environment ---- */

int target_is_network(const struct target *t) { return t->conduit && strcmp(t->conduit, "smp") != 0; }

/* Nodes of one host that are to talk over a network share no memory. */
static void add_network(const struct run *run, const struct target *t, unsigned flags, struct job *job)
{
  const int ofi = strcmp(t->conduit, "ofi") == 0;
  if (t->transport) job_set(job, ofi ? "GASNET_OFI_PROVIDER" : "UCX_TLS", t->transport);
  if (!ofi) job_set_if_unset(job, "UCX_LOG_LEVEL", "error"); /* not what it has to say about versions */
  if (!run->s->hosts.count) job_set(job, "GASNET_SUPERNODE_MAXSIZE", "1");
  if (!(flags & BENCH_MPI)) return;
  job_set_if_unset(job, "OMPI_MCA_pml", "ob1");
  job_set_if_unset(job, "OMPI_MCA_btl", "tcp,self");
}

static void add_environment(
    const struct run *run, const struct result *result, unsigned flags, struct job *job)
{
  const struct target *t = &run->s->target[result->target];
  if (t->conduit) job_set(job, "GASNET_CONDUIT", t->conduit);
  if (target_is_network(t)) add_network(run, t, flags, job);
  if (flags & BENCH_AM_ONLY) job_set(job, "GASNET_AM_ONLY", "1");
  if (flags & BENCH_SINGLY) job_set(job, "GASNET_COALESCE", "0");
  if (flags & BENCH_PROGRESS_THREAD) job_set(job, "GASNET_PROGRESS_THREAD", "1");
  if (worker_test(result)->program == BENCH_OPENSHMEM) job_set_if_unset(job, "SMA_SYMMETRIC_SIZE", "64M");
}

static void note_once(struct report *r, const char *what, const char *reason)
{
  for (unsigned i = 0; i < r->notes; i++)
    if (strstr(r->note[i], what)) return;
  text_add(report_note(r), "", "%s was measured: %.200s", what, reason);
}

/* What --raw is for the result: "none", "smp" or the path of a library. */
static const char *ask_raw(struct run *run, const struct result *result, char path[PATH_MAX])
{
  const struct target *t = &run->s->target[result->target];
  const int network = run->s->raw && target_is_network(t);
  char reason[TEXT_MOST];
  if (network && ask_worker_raw(run->s, t->conduit, path, reason)) return path;
  if (network) note_once(run->r, "no bare transport", reason);
  return network || !run->s->raw || !t->conduit ? "none" : "smp";
}

/* Is there a library that measures Open MPI in a job that mpirun starts? */
static int ask_mpi(struct run *run, char path[PATH_MAX])
{
  char reason[TEXT_MOST] = "it is on this host alone, and mpirun has other options than gasnetrun";
  if (!run->s->hosts.count && ask_worker_raw(run->s, "mpi", path, reason)) return 1;
  note_once(run->r, "no Open MPI", reason);
  return 0;
}

/* ---- the command line ---- */

/* "TEST:P,P;TEST:P" of those that wait. */
static char *points_list(const struct report *r, unsigned number)
{
  size_t size = 0;
  char *text = NULL;
  const char *last = "";
  FILE *f = memory_needed(open_memstream(&text, &size));
  EACH_RESULT (each, r) {
    if (each->job != number || each->state != WAITING) continue;
    if (strcmp(last, each->test) == 0) fprintf(f, ",%s", each->point);
    else fprintf(f, "%s%s:%s", *last ? ";" : "", worker_test(each)->name, each->point);
    last = each->test;
  }
  if (fclose(f) != 0) fail(1, "out of memory");
  return text;
}

/* Debian's name comes first: mpirun may be another MPI's. More nodes than processors are allowed, as by
 * gasnetrun, and the workers bind themselves. mpirun says what is wrong first, then much advice. */
static void add_mpirun(unsigned nodes, struct job *job)
{
  job->first_complaint = 1;
  job_add(job, "sh");
  job_option(job, "-c", "exec $(command -v mpirun.openmpi || echo mpirun) \"$@\"");
  job_option(job, "mpirun", "--oversubscribe");
  job_option(job, "--bind-to", "none");
  job_option(job, "-n", "%u", nodes);
}

/* A job of fewer nodes than the run has is spread over as many hosts as it can be. */
static void add_launcher(const struct settings *s, unsigned nodes, struct job *job)
{
  const unsigned hosts = s->hosts.count;
  job_add(job, "%s/gasnetrun", program_directory());
  if (s->hosts_option) {
    job_add(job, "%s", s->hosts_option);
    job_add(job, "%s", s->hosts_text);
  }
  if (hosts && nodes < s->nodes) job_option(job, "-N", "%u", hosts < nodes ? hosts : nodes);
  job_option(job, "-n", "%u", nodes);
}

static const char *worker_name(const struct result *result, unsigned flags)
{
  if (worker_test(result)->program == BENCH_OPENSHMEM) return "gasnetbench-shmem";
  return result->threads > 1 || (flags & BENCH_PAR) ? "gasnetbench-par" : "gasnetbench-seq";
}

static void add_measuring_options(
    const struct run *run, const struct result *first, const char *raw, double seconds, struct job *job)
{
  char *list = points_list(run->r, first->job);
  job_option(job, "--worker", "%s", list);
  job_option(job, "--raw", "%s", raw);
  job_option(job, "--seconds", "%.4f", seconds);
  job_option(job, "--rounds", "%u", run->s->rounds);
  job_option(job, "--threads", "%u", first->threads);
  if (run->s->unpinned) job_add(job, "--unpinned");
  free(list);
}

int ask(struct run *run, const struct result *first, unsigned flags, double seconds, struct job *job,
    char reason[TEXT_MOST])
{
  char worker[PATH_MAX], raw[PATH_MAX];
  if (!ask_worker(run->s, worker_name(first, flags), worker, reason)) return -1;
  const int mpi = seconds > 0 && run->s->raw && flags & BENCH_MPI && ask_mpi(run, raw);
  if (mpi) add_mpirun(first->nodes, job);
  else add_launcher(run->s, first->nodes, job);
  job_add(job, "%s", worker);
  if (seconds > 0) add_measuring_options(run, first, mpi ? raw : ask_raw(run, first, raw), seconds, job);
  else job_add(job, "--start");
  add_environment(run, first, flags, job);
  job->two_processors = run->s->check && !run->s->unpinned;
  return 0;
}

int ask_bare(struct run *run, const struct result *result, struct job *job)
{
  char reason[TEXT_MOST], worker[PATH_MAX], path[PATH_MAX];
  const char *raw = ask_raw(run, result, path);
  if (strcmp(raw, "none") == 0 || run->s->hosts.count) return -1;
  if (strcmp(raw, "smp") == 0 || !ask_worker(run->s, "gasnetbench-seq", worker, reason)) return 0;
  job_add(job, "%s", worker);
  job_option(job, "--bare-start", "%s", raw);
  add_environment(run, result, 0, job);
  return 0;
}
