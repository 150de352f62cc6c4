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

/* The path of a program, or library, that measures; NULL: there is none, as *missing says. */
static const char *find(const struct settings *s, const char *name, const char **missing)
{
  const char *here = program_directory(), *installed = PST_LIBDIR;
  const char *path[] = {text_of("%s/../libexec/%s", here, name), text_of("%s/../lib/penstock/%s", here, name),
      text_of("%s/../lib64/penstock/%s", here, name), text_of("%s/penstock/%s", installed, name)};
  *missing = text_of("%s is neither in %.70s/../libexec nor in %.70s/penstock", name, here, installed);
  for (unsigned i = 0; !s->workers && i < sizeof path / sizeof *path; i++)
    if (access(path[i], R_OK) == 0) return path[i];
  if (!s->workers) return NULL;
  *missing = text_of("there is no %s in %.180s", name, s->workers);
  *path = text_of("%s/%s", s->workers, name);
  return access(*path, R_OK) == 0 ? *path : NULL;
}

/* The library that is the bare transport of that name: a conduit's, or Open MPI's. */
static const char *find_raw(const struct settings *s, const char *name, const char **missing)
{
  return find(s, text_of("gasnetbench-raw-%s.so", name), missing);
}

const struct bench_test *worker_test(const struct result *r)
{
  return r->of->of ? bench_test_named(r->of->of) : r->of;
}

/* ---- the environment ---- */

int target_is_network(const struct target *t) { return strcmp(t->conduit, "smp") != 0; }

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
  job_set(job, "GASNET_CONDUIT", t->conduit);
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
  report_note(r, text_of("%s was measured: %.200s", what, reason));
}

/* What --raw is for the result: "none", "smp" or the path of a library. */
static const char *ask_raw(struct run *run, const struct result *result)
{
  const struct target *t = &run->s->target[result->target];
  const char *missing;
  if (!run->s->raw) return "none";
  if (!target_is_network(t)) return "smp";
  const char *path = find_raw(run->s, t->conduit, &missing);
  if (!path) note_once(run->r, "no bare transport", missing);
  return path ? path : "none";
}

/* The library that measures Open MPI in a job that mpirun starts, or NULL. */
static const char *ask_mpi(struct run *run)
{
  const char *missing = "it is on this host alone, and mpirun has other options than gasnetrun";
  const char *path = run->s->hosts.count ? NULL : find_raw(run->s, "mpi", &missing);
  if (!path) note_once(run->r, "no Open MPI", missing);
  return path;
}

/* ---- the command line ---- */

/* "TEST:P,P;TEST:P" of those that wait. */
static const char *points_list(const struct report *r, unsigned number)
{
  size_t size = 0;
  static char *text;
  const char *last = "";
  free(text);
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
  job_add(job, "sh", "-c", "exec $(command -v mpirun.openmpi || echo mpirun) \"$@\"", "mpirun",
      "--oversubscribe", "--bind-to", "none", "-n", text_of("%u", nodes));
}

/* A job of fewer nodes than the run has is spread over as many hosts as it can be. */
static void add_launcher(const struct settings *s, unsigned nodes, struct job *job)
{
  const unsigned hosts = s->hosts.count, spread = hosts < nodes ? hosts : nodes;
  job_add(job, text_of("%s/gasnetrun", program_directory()));
  if (s->hosts_option) job_add(job, s->hosts_option, s->hosts_text);
  if (hosts && nodes < s->nodes) job_add(job, "-N", text_of("%u", spread));
  job_add(job, "-n", text_of("%u", nodes));
}

static const char *worker_name(const struct result *result, unsigned flags)
{
  if (result->of->program == BENCH_OPENCOARRAYS) return "gasnetbench-opencoarrays";
  if (worker_test(result)->program == BENCH_OPENSHMEM) return "gasnetbench-shmem";
  if (worker_test(result)->program == BENCH_XCALABLEMP) return "gasnetbench-xmp";
  if (worker_test(result)->program == BENCH_COARRAYS) return "gasnetbench-caf";
  return result->threads > 1 || (flags & BENCH_PAR) ? "gasnetbench-par" : "gasnetbench-seq";
}

static void add_measuring_options(
    const struct run *run, const struct result *first, const char *raw, double seconds, struct job *job)
{
  job_add(job, "--worker", points_list(run->r, first->job), "--raw", raw);
  job_add(job, "--seconds", text_of("%.4f", seconds), "--rounds", text_of("%u", run->s->rounds));
  job_add(job, "--threads", text_of("%u", first->threads), run->s->unpinned ? "--unpinned" : NULL);
}

const char *ask(struct run *run, const struct result *first, unsigned flags, double seconds, struct job *job)
{
  const int others = first->of->program == BENCH_OPENCOARRAYS;
  const char *missing, *worker = find(run->s, worker_name(first, flags), &missing);
  if (!worker) return missing;
  if (others && run->s->hosts.count) return "mpirun has other options than gasnetrun for hosts";
  const char *mpi = seconds > 0 && run->s->raw && flags & BENCH_MPI ? ask_mpi(run) : NULL;
  if (mpi || others) add_mpirun(first->nodes, job);
  else add_launcher(run->s, first->nodes, job);
  job_add(job, worker);
  const char *raw = others ? "none" : mpi ? mpi : ask_raw(run, first);
  if (seconds > 0) add_measuring_options(run, first, raw, seconds, job);
  else job_add(job, "--start");
  add_environment(run, first, flags, job);
  job->two_processors = run->s->check && !run->s->unpinned;
  return NULL;
}

int ask_bare(struct run *run, const struct result *result, struct job *job)
{
  const char *missing, *raw = ask_raw(run, result), *worker = find(run->s, "gasnetbench-seq", &missing);
  if (strcmp(raw, "none") == 0 || run->s->hosts.count) return -1;
  job_add(job, "sh", "-c",
      "n=$1; shift; while [ $((n -= 1)) -ge 0 ]; do \"$@\" & all=\"$all $!\"; done; "
      "for one in $all; do wait $one || exit; done",
      "sh", text_of("%u", result->nodes));
  if (strcmp(raw, "smp") == 0 || !worker) job_add(job, ":");
  else job_add(job, worker, "--bare-start", raw);
  add_environment(run, result, 0, job);
  return 0;
}
