/* Starts a job for each group of rows, collects the results and shows them. */
#include "shmem.h"
#include "smp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_MAX 128
static struct bench_result results[ROWS_MAX];
static const struct bench_options *options;

static const char *const group_name[] = {"two", "barrier", "ofi", "ucx"};

/* Where a network conduit was not built, there are no rows of it: its own bench program tells. */
static int there_is(enum osh_group g)
{
  char path[4096];
  return (g != OSH_OFI && g != OSH_UCX) || smp_beside(group_name[g], path, sizeof path);
}

static int selected(unsigned i) { return there_is(osh_rows[i].group) && bench_selected(osh_rows[i].row.key, options->rows); }

/* "row KEY BARE OURS RATIO", all of times; rates are the inverse. */
static void take_result(const char *line, void *unused)
{
  char key[64];
  double bare, ours, ratio;
  (void)unused;
  if (sscanf(line, "row %63s %lf %lf %lf", key, &bare, &ours, &ratio) != 4) {
    fprintf(stderr, "%s\n", line);
    return;
  }
  for (unsigned i = 0; i < osh_row_count; i++) {
    struct bench_result *r = &results[i];
    if (strcmp(r->row->key, key) != 0) continue;
    r->bare = bare;
    r->ours = ours;
    r->ratio = r->row->kind == BENCH_RATE_AT_LEAST ? 1 / ratio : ratio;
    r->missing = NULL;
  }
}

static void show(unsigned i)
{
  static int shown;
  if (!selected(i)) return;
  if (options->json) bench_print_json(&results[i], shown == 0);
  else if (shown == 0) bench_print_head();
  if (!options->json) bench_print_row(&results[i]);
  shown++;
}

static int same_job(unsigned a, unsigned b)
{
  return osh_rows[a].group == osh_rows[b].group && osh_rows[a].processes == osh_rows[b].processes;
}

static int first_of_its_job(unsigned i)
{
  for (unsigned k = 0; k < i; k++)
    if (same_job(k, i)) return 0;
  return 1;
}

static int job_selected(unsigned i)
{
  for (unsigned k = i; k < osh_row_count; k++)
    if (same_job(i, k) && selected(k)) return 1;
  return 0;
}

static void prepare_environment(enum osh_group g)
{
  setenv("SMA_SYMMETRIC_SIZE", "64M", 1);
  if (g == OSH_OFI || g == OSH_UCX) {
    setenv("GASNET_CONDUIT", group_name[g], 1);
    setenv("GASNET_SUPERNODE_MAXSIZE", "1", 1);
    return;
  }
  unsetenv("GASNET_CONDUIT");
  unsetenv("GASNET_SUPERNODE_MAXSIZE");
}

static void run_job(unsigned i)
{
  const enum osh_group g = osh_rows[i].group;
  char self[4096], rounds[16];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  snprintf(rounds, sizeof rounds, "%u", options->rounds);
  const struct smp_job job = {.program = self, .processes = osh_rows[i].processes, .launcher = options->launcher, .limit_s = 300,
    .line = take_result, .args = {"--worker", group_name[g], "--rounds", rounds, options->rows ? "--rows" : NULL, options->rows}};
  prepare_environment(g);
  const int code = smp_job_run(&job, NULL);
  for (unsigned k = i; k < osh_row_count; k++) {
    if (!same_job(i, k)) continue;
    if (results[k].missing && code != 0) results[k].missing = "its job failed";
    show(k);
  }
}

static void warn_when_busy(void)
{
  double load;
  if (getloadavg(&load, 1) == 1 && load > 0.5)
    fprintf(stderr, "shmem: the load average is %.1f; other programs spoil what is measured\n", load);
}

static int verdict(void)
{
  int over = 0;
  for (unsigned i = 0; i < osh_row_count; i++) {
    if (!selected(i)) continue;
    if (results[i].missing) return 1;
    over |= !bench_within(&results[i]);
  }
  return over && options->strict ? 3 : 0;
}

int osh_control(const struct bench_options *o)
{
  options = o;
  if (osh_row_count > ROWS_MAX) return 1;
  for (unsigned i = 0; i < osh_row_count; i++) results[i] = (struct bench_result){&osh_rows[i].row, 0, 0, 0, "no result"};
  warn_when_busy();
  for (unsigned i = 0; i < osh_row_count; i++)
    if (first_of_its_job(i) && job_selected(i)) run_job(i);
  if (o->json) printf("\n]\n");
  return verdict();
}
