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

/* Programs are to be started, libraries to be read. */
static int path_is_usable(const char *dir, const char *beside, const char *name, char path[PATH_MAX])
{
  const char *end = strrchr(name, '.');
  const int mode = end && strcmp(end, ".so") == 0 ? R_OK : X_OK;
  return snprintf(path, PATH_MAX, "%s/%s%s", dir, beside, name) < PATH_MAX && access(path, mode) == 0;
}

const char *ask_launcher(const struct settings *s)
{
  static char path[PATH_MAX];
  if (s->launcher && access(s->launcher, X_OK) != 0) fail(EXIT_USAGE, "--launcher %s: %m", s->launcher);
  if (s->launcher) return s->launcher;
  if (!path_is_usable(program_directory(), "", "gasnetrun", path))
    fail(1, "there is no gasnetrun beside this program, in %s; say where: --launcher PATH",
        program_directory());
  return path;
}

int ask_worker(const struct settings *s, const char *name, char path[PATH_MAX], char reason[TEXT_MOST])
{
  static const char *const beside[] = {"../libexec/", "../lib/penstock/", "../lib64/penstock/"};
  if (s->workers) {
    if (path_is_usable(s->workers, "", name, path)) return 1;
    snprintf(reason, TEXT_MOST, "there is no %s in %.180s", name, s->workers);
    return 0;
  }
  for (unsigned i = 0; i < sizeof beside / sizeof *beside; i++)
    if (path_is_usable(program_directory(), beside[i], name, path)) return 1;
  if (path_is_usable(PST_LIBDIR, "penstock/", name, path)) return 1;
  snprintf(reason, TEXT_MOST, "%s is neither in %.70s/../libexec nor in %.70s/penstock", name,
      program_directory(), PST_LIBDIR);
  return 0;
}

int ask_worker_raw(const struct settings *s, const char *name, char path[PATH_MAX], char reason[TEXT_MOST])
{
  char file[64];
  snprintf(file, sizeof file, "gasnetbench-raw-%s.so", name);
  return ask_worker(s, file, path, reason);
}

/* ---- the environment ---- */

int target_is_network(const struct target *t) { return t->conduit && strcmp(t->conduit, "smp") != 0; }

/* Nodes of one host that are to talk over a network share no memory. */
static void environment_of_network(
    const struct run *run, const struct target *t, unsigned flags, struct job *job)
{
  const int ofi = strcmp(t->conduit, "ofi") == 0;
  if (t->transport) job_set(job, ofi ? "GASNET_OFI_PROVIDER" : "UCX_TLS", t->transport);
  if (!ofi) job_set_if_unset(job, "UCX_LOG_LEVEL", "error"); /* not what it has to say about versions */
  if (!run->s->hosts.count) job_set(job, "GASNET_SUPERNODE_MAXSIZE", "1");
  if (!(flags & BENCH_MPI)) return;
  job_set_if_unset(job, "OMPI_MCA_pml", "ob1");
  job_set_if_unset(job, "OMPI_MCA_btl", "tcp,self");
}

void ask_environment(const struct run *run, const struct result *result, unsigned flags, struct job *job)
{
  const struct target *t = &run->s->target[result->target];
  if (t->conduit) job_set(job, "GASNET_CONDUIT", t->conduit);
  if (target_is_network(t)) environment_of_network(run, t, flags, job);
  if (flags & BENCH_AM_ONLY) job_set(job, "GASNET_AM_ONLY", "1");
  if (flags & BENCH_SINGLY) job_set(job, "GASNET_COALESCE", "0");
  if (flags & BENCH_PROGRESS_THREAD) job_set(job, "GASNET_PROGRESS_THREAD", "1");
  if (result->of->program == BENCH_OPENSHMEM) job_set_if_unset(job, "SMA_SYMMETRIC_SIZE", "64M");
}

/* A library that was not found is noted once. */
static void note_missing_raw(struct report *r, const char *reason)
{
  for (unsigned i = 0; i < r->notes; i++)
    if (strncmp(r->note[i], "no bare", 7) == 0) return;
  text_add(report_note(r), "", "no bare transport was measured: %.200s", reason);
}

const char *ask_raw(struct run *run, const struct result *result, char path[PATH_MAX])
{
  const struct target *t = &run->s->target[result->target];
  const int network = run->s->raw && target_is_network(t);
  char reason[TEXT_MOST];
  if (network && ask_worker_raw(run->s, t->conduit, path, reason)) return path;
  if (network) note_missing_raw(run->r, reason);
  return network || !run->s->raw || !t->conduit ? "none" : "smp";
}

/* ---- what is here, and Open MPI ---- */

static void add_mpirun(struct job *job, const char *mpirun, unsigned nodes)
{
  job_add(job, "%s", mpirun);
  job_add(job, "--oversubscribe");      /* more nodes than processors, as gasnetrun does */
  job_option(job, "--bind-to", "none"); /* the workers do that */
  job_option(job, "-n", "%u", nodes);
}

/* mpirun's messages are between lines of dashes. */
static void first_complaint(void *reason, int complaint, const char *line)
{
  char *to = reason;
  if (complaint && !*to && strpbrk(line, "abcdefghijklmnopqrstuvwxyz"))
    snprintf(to, TEXT_MOST, "%.200s", line);
}

int ask_offers(
    const char *mpirun, const char *worker, const char *raw, const char *transport, char reason[TEXT_MOST])
{
  struct job job = {.patience = 60, .line = first_complaint, .arg = reason};
  struct job_end end;
  reason[0] = '\0';
  if (mpirun) add_mpirun(&job, mpirun, 2);
  job_add(&job, "%s", worker);
  job_option(&job, "--offers", "%s", raw);
  job_add(&job, "%s", transport);
  if (!mpirun) job_set(&job, "UCX_LOG_LEVEL", "error");
  job_run(&job, &end);
  job_free(&job);
  return end.code == 0;
}

/* Debian's name first: mpirun may be another MPI's. */
static const char *find_mpirun(const struct settings *s, const char *program, char reason[TEXT_MOST])
{
  static const char *const names[] = {"mpirun.openmpi", "mpirun"};
  char worker[PATH_MAX];
  if (!ask_worker(s, "gasnetbench-seq", worker, reason)) return NULL;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    if (ask_offers(names[i], worker, program, "mpi", reason)) return names[i];
    if (!*reason) snprintf(reason, TEXT_MOST, "%s starts no jobs of Open MPI", names[i]);
  }
  return NULL;
}

/* Looked for once; NULL: there is none here, which is noted. */
static const struct mpi {
  const char *mpirun; /* starts a job that measures Open MPI too */
  char program[PATH_MAX];
} * ask_mpi(struct run *run)
{
  static struct mpi mpi;
  static int asked;
  char reason[TEXT_MOST];
  if (!asked++) {
    if (run->s->hosts.count || run->s->launch_count)
      strcpy(reason, "it is on this host alone, and mpirun has other options than gasnetrun");
    else if (ask_worker_raw(run->s, "mpi", mpi.program, reason))
      mpi.mpirun = find_mpirun(run->s, mpi.program, reason);
    if (!mpi.mpirun) text_add(report_note(run->r), "", "no Open MPI was measured: %.200s", reason);
  }
  return mpi.mpirun ? &mpi : NULL;
}

/* ---- the command line ---- */

/* "TEST:P,P;TEST:P" of those that wait. */
static char *points_list(const struct report *r, unsigned number)
{
  size_t size = 0;
  char *text = NULL;
  const char *last = "";
  FILE *f = memory_needed(open_memstream(&text, &size));
  for (const struct result *each = NULL; (each = report_next(r, each)) != NULL;) {
    if (each->job != number || each->state != WAITING) continue;
    if (strcmp(last, each->test) == 0) fprintf(f, ",%s", each->point);
    else fprintf(f, "%s%s:%s", *last ? ";" : "", each->test, each->point);
    last = each->test;
  }
  if (fclose(f) != 0) fail(1, "out of memory");
  return text;
}

/* A job of fewer nodes than the run has is spread over as many hosts as it can be. */
static void add_launcher(const struct settings *s, unsigned nodes, struct job *job)
{
  const unsigned most = s->use_hosts ? s->use_hosts : nodes < s->nodes ? s->hosts.count : 0;
  job_add(job, "%s", ask_launcher(s));
  for (unsigned i = 0; i < s->launch_count; i++) job_add(job, "%s", s->launch[i]);
  if (s->hosts.count && most) job_option(job, "-N", "%u", most < nodes ? most : nodes);
  job_option(job, "-n", "%u", nodes);
}

static const char *worker_name(const struct result *result, unsigned flags)
{
  if (result->of->program == BENCH_OPENSHMEM) return "gasnetbench-shmem";
  return result->threads > 1 || (flags & BENCH_PAR) ? "gasnetbench-par" : "gasnetbench-seq";
}

static void add_measuring_options(struct run *run, const struct report *r, const struct result *first,
    const struct mpi *mpi, double seconds, struct job *job)
{
  char path[PATH_MAX], *list = points_list(r, first->job);
  job_option(job, "--worker", "%s", list);
  job_option(job, "--raw", "%s", mpi ? mpi->program : ask_raw(run, first, path));
  job_option(job, "--seconds", "%.4f", seconds);
  job_option(job, "--rounds", "%u", run->s->rounds);
  job_option(job, "--threads", "%u", first->threads);
  if (run->s->unpinned) job_add(job, "--unpinned");
  free(list);
}

int ask(struct run *run, const struct report *r, const struct result *first, unsigned flags, double seconds,
    struct job *job, char reason[TEXT_MOST])
{
  char worker[PATH_MAX];
  if (!ask_worker(run->s, worker_name(first, flags), worker, reason)) return -1;
  const struct mpi *mpi = r && run->s->raw && flags & BENCH_MPI ? ask_mpi(run) : NULL;
  if (mpi) add_mpirun(job, mpi->mpirun, first->nodes);
  else add_launcher(run->s, first->nodes, job);
  job_add(job, "%s", worker);
  if (r) add_measuring_options(run, r, first, mpi, seconds, job);
  else job_add(job, "--start");
  ask_environment(run, first, flags, job);
  job->two_processors = run->s->check && !run->s->unpinned;
  return 0;
}
