/* Starts a job for each group of rows, collects the results and shows them. */
#include "smp.h"
#include "vis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_MAX 128
static struct bench_result results[ROWS_MAX];
static const struct bench_options *options;

static const char *const group_name[] = {"mapped", "packed"};

static int selected(unsigned i) { return bench_selected(vis_rows[i].row.key, options->rows); }

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
  for (unsigned i = 0; i < vis_row_count; i++) {
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

static int group_selected(enum vis_group g)
{
  for (unsigned i = 0; i < vis_row_count; i++)
    if (vis_rows[i].group == g && selected(i)) return 1;
  return 0;
}

static void run_group(enum vis_group g)
{
  char self[4096], rounds[16];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  snprintf(rounds, sizeof rounds, "%u", options->rounds);
  const struct smp_job job = {.program = self, .processes = 2, .launcher = options->launcher, .limit_s = 300, .line = take_result,
    .args = {"--worker", group_name[g], "--rounds", rounds, options->rows ? "--rows" : NULL, options->rows}};
  if (g == VIS_PACKED) setenv("GASNET_AM_ONLY", "1", 1);
  else unsetenv("GASNET_AM_ONLY");
  const int code = smp_job_run(&job, NULL);
  for (unsigned i = 0; i < vis_row_count; i++) {
    if (vis_rows[i].group != g) continue;
    if (results[i].missing && code != 0) results[i].missing = "its job failed";
    show(i);
  }
}

static void warn_when_busy(void)
{
  double load;
  if (getloadavg(&load, 1) == 1 && load > 0.5)
    fprintf(stderr, "vis: the load average is %.1f; other programs spoil what is measured\n", load);
}

static int verdict(void)
{
  int over = 0;
  for (unsigned i = 0; i < vis_row_count; i++) {
    if (!selected(i)) continue;
    if (results[i].missing) return 1;
    over |= !bench_within(&results[i]);
  }
  return over && options->strict ? 3 : 0;
}

int vis_control(const struct bench_options *o)
{
  options = o;
  for (unsigned i = 0; i < vis_row_count; i++) results[i] = (struct bench_result){&vis_rows[i].row, 0, 0, 0, "no result"};
  warn_when_busy();
  for (enum vis_group g = VIS_MAPPED; g <= VIS_PACKED; g++)
    if (group_selected(g)) run_group(g);
  if (o->json) printf("\n]\n");
  return verdict();
}
