/* What a job is given: its environment and its command line. */
#include "bench/control/ask.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/workers.h"
#include "launch/options.h"

static void set(struct job *job, const char *name, const char *value)
{
  unsigned i = 0;
  while (job->variable[i][0]) i++;
  if (i + 1 < JOB_SETTINGS) job->variable[i][0] = name, job->variable[i][1] = value;
}

static void set_if_unset(struct job *job, const char *name, const char *value)
{
  if (!getenv(name)) set(job, name, value);
}

/* Nodes of one host that are to talk over a network share no memory. */
static void set_network(const struct run *run, const struct target *t, struct job *job)
{
  const int ofi = strcmp(t->conduit, "ofi") == 0;
  if (t->transport) set(job, ofi ? "GASNET_OFI_PROVIDER" : "UCX_TLS", t->transport);
  if (!ofi) set_if_unset(job, "UCX_LOG_LEVEL", "error"); /* not what it has to say about versions */
  if (!run->s->hosts.count) set(job, "GASNET_SUPERNODE_MAXSIZE", "1");
}

void ask_environment(const struct run *run, const struct result *result, unsigned flags, struct job *job)
{
  const struct target *t = &run->s->target[result->target];
  if (t->conduit) set(job, "GASNET_CONDUIT", t->conduit);
  if (t->conduit && strcmp(t->conduit, "smp") != 0) set_network(run, t, job);
  if (flags & BENCH_AM_ONLY) set(job, "GASNET_AM_ONLY", "1");
  if (flags & BENCH_SINGLY) set(job, "GASNET_COALESCE", "0");
  if (flags & BENCH_PROGRESS_THREAD) set(job, "GASNET_PROGRESS_THREAD", "1");
  if (result->of->program == BENCH_OPENSHMEM) set_if_unset(job, "SMA_SYMMETRIC_SIZE", "64M");
}

/* What was not found is told once. */
static void tell_of_raw(struct report *r, const char *reason)
{
  for (unsigned i = 0; i < r->notes; i++)
    if (strncmp(r->note[i], "no bare", 7) == 0) return;
  report_note(r, "no bare transport was measured: %.200s", reason);
}

static char *copy(const char *text)
{
  char *made = strdup(text);
  if (!made) fail(1, "out of memory");
  return made;
}

char *ask_raw(struct run *run, const struct result *result)
{
  const char *conduit = run->s->target[result->target].conduit;
  char name[64], reason[256];
  if (!run->s->raw || !conduit) return copy("none");
  if (strcmp(conduit, "smp") == 0) return copy("smp");
  snprintf(name, sizeof name, "gasnetbench-raw-%s.so", conduit);
  char *path = worker_path(run->s, name, reason);
  if (path) return path;
  tell_of_raw(run->r, reason);
  return copy("none");
}

/* "TEST:P,P;TEST:P" of those that wait. */
static char *list_of(const struct report *r, unsigned number)
{
  size_t size = 0;
  char *text = NULL;
  const char *last = "";
  FILE *f = open_memstream(&text, &size);
  if (!f) fail(1, "out of memory");
  for (unsigned i = 0; i < r->count; i++) {
    const struct result *each = &r->result[i];
    if (each->job != number || each->state != WAITING) continue;
    if (strcmp(last, each->test) == 0) fprintf(f, ",%s", each->point);
    else fprintf(f, "%s%s:%s", *last ? ";" : "", each->test, each->point);
    last = each->test;
  }
  if (fclose(f) != 0) fail(1, "out of memory");
  return text;
}

static void add(struct job *job, const char *argument)
{
  unsigned n = 0;
  while (job->argument[n]) n++;
  if (n + 1 < JOB_ARGUMENTS) job->argument[n] = argument;
}

/* A job of fewer nodes than the run has is spread over as many hosts as it can be. */
static void add_launcher(const struct settings *s, unsigned nodes, struct job *job)
{
  static char count[16], hosts[16];
  add(job, launcher_path(s));
  for (unsigned i = 0; i < s->launch_count; i++) add(job, s->launch[i]);
  const unsigned most = s->use_hosts ? s->use_hosts : nodes < s->nodes ? s->hosts.count : 0;
  snprintf(hosts, sizeof hosts, "%u", most < nodes ? most : nodes);
  snprintf(count, sizeof count, "%u", nodes);
  if (s->hosts.count && most) add(job, "-N"), add(job, hosts);
  add(job, "-n");
  add(job, count);
}

static const char *worker_of(const struct result *result, unsigned flags)
{
  if (result->of->program == BENCH_OPENSHMEM) return "gasnetbench-shmem";
  return result->threads > 1 || (flags & BENCH_PAR) ? "gasnetbench-par" : "gasnetbench-seq";
}

static void add_measuring(struct run *run, const struct result *result, double seconds, struct job *job)
{
  static char per_point[32], rounds[16], threads[16];
  snprintf(per_point, sizeof per_point, "%.4f", seconds);
  snprintf(rounds, sizeof rounds, "%u", run->s->rounds);
  snprintf(threads, sizeof threads, "%u", result->threads);
  const char *const rest[] = {"--seconds", per_point, "--rounds", rounds, "--threads", threads};
  for (unsigned i = 0; i < sizeof rest / sizeof *rest; i++) add(job, rest[i]);
  if (run->s->unpinned) add(job, "--unpinned");
}

/* The bounds of --check are for two processors, whatever the machine has. */
static void restrict_job(const struct settings *s, struct job *job)
{
  static int two[2];
  cpu_set_t set;
  unsigned n = 0;
  if (!s->check || s->unpinned || sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int c = 0; c < CPU_SETSIZE && n < 2; c++)
    if (CPU_ISSET(c, &set)) two[n++] = c;
  job->processors = two;
  job->processor_count = n;
}

int ask(struct run *run, const struct report *r, const struct result *first, unsigned flags, double seconds, struct job *job, struct asked *asked)
{
  *asked = (struct asked){0};
  asked->worker = worker_path(run->s, worker_of(first, flags), asked->reason);
  if (!asked->worker) return -1;
  add_launcher(run->s, first->nodes, job);
  add(job, asked->worker);
  if (r) {
    asked->list = list_of(r, first->job);
    asked->raw = ask_raw(run, first);
    add(job, "--worker");
    add(job, asked->list);
    add(job, "--raw");
    add(job, asked->raw);
    add_measuring(run, first, seconds, job);
  } else {
    add(job, "--start");
  }
  ask_environment(run, first, flags, job);
  restrict_job(run->s, job);
  return 0;
}

void ask_free(struct asked *asked)
{
  free(asked->worker);
  free(asked->list);
  free(asked->raw);
}
