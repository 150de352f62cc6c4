/* Starts the jobs of each transport, collects the results and shows them. */
#include "net.h"
#include "raw.h"
#include "smp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MAX = 32, NAME = 128, START_PROCESSES = 64, STARTS = 5, PAIRS = 15 /* jobs differ */ };
static const struct bench_options *options;
static char self[4096];

/* Of the transport that is measured. */
static struct {
  char name[NAME];
  char key[ROWS_MAX][NAME];
  struct bench_row row[ROWS_MAX];
  struct bench_result result[ROWS_MAX];
} now;

const char *const net_group_name[NET_GROUPS] = {"main", "singly", "thread", "cost", "start"};

static int selected(unsigned i) { return bench_selected(net_program.rows[i].row.key, options->rows); }

static int group_selected(enum net_group g)
{
  for (unsigned i = 0; i < net_program.row_count; i++)
    if (net_program.rows[i].group == g && selected(i)) return 1;
  return 0;
}

static void take(const char *key, double bare, double ours, double ratio)
{
  for (unsigned i = 0; i < net_program.row_count; i++) {
    struct bench_result *r = &now.result[i];
    if (strcmp(net_program.rows[i].row.key, key) != 0) continue;
    r->bare = bare;
    r->ours = ours;
    r->ratio = net_program.rows[i].row.kind == BENCH_RATE_AT_LEAST ? 1 / ratio : ratio;
    r->missing = NULL;
  }
}

/* ---- jobs ---- */

/* "row KEY BARE OURS RATIO", all of times; rates are the inverse. With `arg` the ratio goes there instead. */
static void take_line(const char *line, void *arg)
{
  char key[NAME];
  double bare, ours, ratio;
  if (sscanf(line, "row %127s %lf %lf %lf", key, &bare, &ours, &ratio) != 4) {
    fprintf(stderr, "%s\n", line);
    return;
  }
  if (arg) memcpy(arg, (double[]){bare, ours, ratio}, 3 * sizeof(double));
  else take(key, bare, ours, ratio);
}

static void set_environment(enum net_group g)
{
  setenv("GASNET_CONDUIT", net_program.conduit, 1);
  setenv("GASNET_SUPERNODE_MAXSIZE", "1", 1);
  setenv(net_program.variable, now.name, 1);
  if (net_program.setting[0]) setenv(net_program.setting[0], net_program.setting[1], 0);
  if (g == NET_SINGLY) setenv("GASNET_COALESCE", "0", 1);
  else unsetenv("GASNET_COALESCE");
  if (g == NET_THREAD) setenv("GASNET_PROGRESS_THREAD", "1", 1);
  else unsetenv("GASNET_PROGRESS_THREAD");
}

static int run_job(enum net_group g, const char *rows, unsigned rounds, double *into)
{
  char count[16];
  struct smp_job job = {.program = self, .processes = g == NET_START ? START_PROCESSES : 2, .launcher = options->launcher,
                        .limit_s = 300, .line = take_line, .arg = into,
                        .args = {"--worker", net_group_name[g], "--rounds", count, rows ? "--rows" : NULL, rows}};
  double seconds;
  snprintf(count, sizeof count, "%u", rounds);
  set_environment(g);
  const int code = smp_job_run(&job, &seconds);
  if (g == NET_START && into) *into = seconds;
  return code;
}

/* Ours in jobs with an idle progress thread, and without: such a thread slows a bare program beside it, too. */
static void run_cost(void)
{
  double without[BENCH_ROUNDS_MAX], with[BENCH_ROUNDS_MAX], ratio[BENCH_ROUNDS_MAX];
  for (unsigned r = 0; r < PAIRS; r++) {
    double a[3] = {0}, b[3] = {0};
    const int first = run_job(r % 2 ? NET_THREAD : NET_MAIN, "get_8", options->rounds, r % 2 ? b : a);
    const int second = run_job(r % 2 ? NET_MAIN : NET_THREAD, "get_8", options->rounds, r % 2 ? a : b);
    if (first != 0 || second != 0 || a[2] == 0 || b[2] == 0) return;
    without[r] = a[1];
    with[r] = b[1];
    ratio[r] = b[1] / a[1];
  }
  take("progress_cost", bench_median(without, PAIRS), bench_median(with, PAIRS), bench_median(ratio, PAIRS));
}

static void run_start(void)
{
  double bare[BENCH_ROUNDS_MAX], ours[BENCH_ROUNDS_MAX], ratio[BENCH_ROUNDS_MAX];
  const unsigned rounds = options->rounds < STARTS ? options->rounds : STARTS;
  for (unsigned r = 0; r < rounds; r++) {
    if (run_job(NET_START, NULL, 1, &ours[r]) != 0 || net_start_bare(self, START_PROCESSES, &bare[r]) != 0) return;
    ratio[r] = ours[r] / bare[r];
  }
  take("start_64", bench_median(bare, rounds), bench_median(ours, rounds), bench_median(ratio, rounds));
}

static void run_group(enum net_group g)
{
  switch (g) {
  case NET_COST: run_cost(); break;
  case NET_START: run_start(); break;
  default:
    if (run_job(g, options->rows, options->rounds, NULL) == 0) return;
    for (unsigned i = 0; i < net_program.row_count; i++)
      if (net_program.rows[i].group == g && now.result[i].missing) now.result[i].missing = "its job failed";
  }
}

/* ---- showing ---- */

static int missing, over;

static void show(unsigned i)
{
  static int shown;
  if (!selected(i)) return;
  if (options->json) bench_print_json(&now.result[i], shown == 0);
  else if (shown == 0) bench_print_head();
  if (!options->json) bench_print_row(&now.result[i]);
  shown++;
  if (now.result[i].missing) missing = 1;
  else over |= !bench_within(&now.result[i]);
}

static void show_group(enum net_group g)
{
  for (unsigned i = 0; i < net_program.row_count; i++)
    if (net_program.rows[i].group == g) show(i);
}

/* ---- transports ---- */

/* Rows are called "put_8/rxm", with the label of the transport. */
static void name_rows(const char *reason)
{
  char label[NET_LABEL];
  net_program.label(now.name, label);
  for (unsigned i = 0; i < net_program.row_count; i++) {
    const struct net_row *row = &net_program.rows[i];
    snprintf(now.key[i], NAME, "%s/%.20s", row->row.key, label);
    now.row[i] = row->row;
    now.row[i].key = now.key[i];
    if (row->bound_on && strcmp(row->bound_on, label) != 0) now.row[i].kind = BENCH_NO_BOUND;
    now.result[i] = (struct bench_result){.row = &now.row[i], .missing = reason};
  }
}

static void run_transport(int wanted)
{
  const int here = raw_offers(now.name);
  if (!here && !wanted) {
    fprintf(stderr, "%s: %s does not offer %s here\n", net_program.conduit, net_program.library, now.name);
    return;
  }
  name_rows(here ? "its job printed no result" : net_program.missing);
  for (enum net_group g = NET_MAIN; g < NET_GROUPS; g++) {
    if (!group_selected(g)) continue;
    if (here) run_group(g);
    show_group(g);
  }
}

static void run_named(const char *name, size_t n, int wanted)
{
  if (n >= NAME) {
    fprintf(stderr, "%s: no name is as long as %.*s\n", net_program.conduit, (int)n, name);
    missing = 1;
    return;
  }
  memcpy(now.name, name, n);
  now.name[n] = 0;
  run_transport(wanted);
}

static void run_all(const char *list, int wanted)
{
  while (*list) {
    const size_t n = strcspn(list, net_program.separators);
    if (n) run_named(list, n, wanted);
    list += n + (list[n] != 0);
  }
}

static void warn_of_load(void)
{
  double load;
  if (getloadavg(&load, 1) == 1 && load > 0.5)
    fprintf(stderr, "%s: the load average is %.1f: other programs take part in these figures; more --rounds help little\n",
            net_program.conduit, load);
}

int net_control(const struct bench_options *o)
{
  int core[2];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  options = o;
  if (n <= 0 || net_program.row_count > ROWS_MAX) return 1;
  self[n] = 0;
  if (bench_cores(core, 2) < 2) {
    fprintf(stderr, "%s: the rows compare processes on two cores; this process may use only one\n", net_program.conduit);
    return 1;
  }
  warn_of_load();
  run_all(o->own ? o->own : net_program.usual(), o->own != NULL);
  if (o->json) printf("\n]\n");
  return missing ? 1 : over && o->strict ? 3 : 0;
}
