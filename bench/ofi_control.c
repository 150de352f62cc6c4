/* Starts the jobs of each provider, collects the results and shows them. */
#include "ofi.h"
#include "raw_ofi.h"
#include "smp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MAX = 32, NAME = 64, START_PROCESSES = 64, STARTS = 5, PAIRS = 15 /* jobs differ */ };
static const struct bench_options *options;
static char self[4096];

/* Of the provider that is measured. */
static struct {
  char name[NAME];
  char key[ROWS_MAX][NAME];
  struct bench_row row[ROWS_MAX];
  struct bench_result result[ROWS_MAX];
} now;

const char *const ofi_group_name[OFI_GROUPS] = {"main", "singly", "thread", "cost", "start"};

static int selected(unsigned i) { return bench_selected(ofi_rows[i].row.key, options->rows); }

static int group_selected(enum ofi_group g)
{
  for (unsigned i = 0; i < ofi_row_count; i++)
    if (ofi_rows[i].group == g && selected(i)) return 1;
  return 0;
}

static void take(const char *key, double bare, double ours, double ratio)
{
  for (unsigned i = 0; i < ofi_row_count; i++) {
    struct bench_result *r = &now.result[i];
    if (strcmp(ofi_rows[i].row.key, key) != 0) continue;
    r->bare = bare;
    r->ours = ours;
    r->ratio = r->row->kind == BENCH_RATE_AT_LEAST ? 1 / ratio : ratio;
    r->missing = NULL;
  }
}

/* ---- jobs ---- */

/* "row KEY BARE OURS RATIO", all of times; rates are the inverse. With `arg` the ratio goes there instead. */
static void take_line(const char *line, void *arg)
{
  char key[NAME];
  double bare, ours, ratio;
  if (sscanf(line, "row %63s %lf %lf %lf", key, &bare, &ours, &ratio) != 4) {
    fprintf(stderr, "%s\n", line);
    return;
  }
  if (arg) memcpy(arg, (double[]){bare, ours, ratio}, 3 * sizeof(double));
  else take(key, bare, ours, ratio);
}

static void set_environment(enum ofi_group g)
{
  setenv("GASNET_CONDUIT", "ofi", 1);
  setenv("GASNET_SUPERNODE_MAXSIZE", "1", 1);
  setenv("GASNET_OFI_PROVIDER", now.name, 1);
  if (g == OFI_SINGLY) setenv("GASNET_COALESCE", "0", 1);
  else unsetenv("GASNET_COALESCE");
  if (g == OFI_THREAD) setenv("GASNET_PROGRESS_THREAD", "1", 1);
  else unsetenv("GASNET_PROGRESS_THREAD");
}

static int run_job(enum ofi_group g, const char *rows, unsigned rounds, double *into)
{
  char count[16];
  struct smp_job job = {.program = self, .processes = g == OFI_START ? START_PROCESSES : 2, .launcher = options->launcher,
                        .limit_s = 300, .line = take_line, .arg = into,
                        .args = {"--worker", ofi_group_name[g], "--rounds", count, rows ? "--rows" : NULL, rows}};
  double seconds;
  snprintf(count, sizeof count, "%u", rounds);
  set_environment(g);
  const int code = smp_job_run(&job, &seconds);
  if (g == OFI_START && into) *into = seconds;
  return code;
}

/* Ours in jobs with an idle progress thread, and without: such a thread slows a bare program beside it, too. */
static void run_cost(void)
{
  double without[BENCH_ROUNDS_MAX], with[BENCH_ROUNDS_MAX], ratio[BENCH_ROUNDS_MAX];
  for (unsigned r = 0; r < PAIRS; r++) {
    double a[3] = {0}, b[3] = {0};
    const int first = run_job(r % 2 ? OFI_THREAD : OFI_MAIN, "get_8", options->rounds, r % 2 ? b : a);
    const int second = run_job(r % 2 ? OFI_MAIN : OFI_THREAD, "get_8", options->rounds, r % 2 ? a : b);
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
    if (run_job(OFI_START, NULL, 1, &ours[r]) != 0 || ofi_start_bare(self, START_PROCESSES, &bare[r]) != 0) return;
    ratio[r] = ours[r] / bare[r];
  }
  take("start_64", bench_median(bare, rounds), bench_median(ours, rounds), bench_median(ratio, rounds));
}

static void run_group(enum ofi_group g)
{
  switch (g) {
  case OFI_COST: run_cost(); break;
  case OFI_START: run_start(); break;
  default:
    if (run_job(g, options->rows, options->rounds, NULL) == 0) return;
    for (unsigned i = 0; i < ofi_row_count; i++)
      if (ofi_rows[i].group == g && now.result[i].missing) now.result[i].missing = "its job failed";
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

static void show_group(enum ofi_group g)
{
  for (unsigned i = 0; i < ofi_row_count; i++)
    if (ofi_rows[i].group == g) show(i);
}

/* ---- providers ---- */

/* What a row is called: "put_8/rxm" with tcp;ofi_rxm. */
static void name_rows(const char *reason)
{
  const char *layer = strrchr(now.name, '_'), *shown = layer ? layer + 1 : now.name;
  for (unsigned i = 0; i < ofi_row_count; i++) {
    snprintf(now.key[i], NAME, "%s/%.20s", ofi_rows[i].row.key, shown);
    now.row[i] = ofi_rows[i].row;
    now.row[i].key = now.key[i];
    now.result[i] = (struct bench_result){.row = &now.row[i], .missing = reason};
  }
}

static void run_provider(int wanted)
{
  const int here = raw_ofi_offers(now.name);
  if (!here && !wanted) {
    fprintf(stderr, "ofi: libfabric does not offer %s here\n", now.name);
    return;
  }
  name_rows(here ? "its job printed no result" : "libfabric does not offer this provider");
  for (enum ofi_group g = OFI_MAIN; g < OFI_GROUPS; g++) {
    if (!group_selected(g)) continue;
    if (here) run_group(g);
    show_group(g);
  }
}

static void run_all(const char *list, int wanted)
{
  while (*list) {
    const size_t n = strcspn(list, ",");
    if (n && n < NAME) {
      memcpy(now.name, list, n);
      now.name[n] = 0;
      run_provider(wanted);
    }
    list += n + (list[n] == ',');
  }
}

static void warn_of_load(void)
{
  double load;
  if (getloadavg(&load, 1) == 1 && load > 0.5)
    fprintf(stderr, "ofi: the load average is %.1f: other programs take part in these figures; more --rounds help little\n", load);
}

int ofi_control(const struct bench_options *o)
{
  int core[2];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  options = o;
  if (n <= 0 || ofi_row_count > ROWS_MAX) return 1;
  self[n] = 0;
  if (bench_cores(core, 2) < 2) {
    fprintf(stderr, "ofi: the rows compare processes on two cores; this process may use only one\n");
    return 1;
  }
  warn_of_load();
  run_all(o->own ? o->own : raw_ofi_offers("net") ? "net,tcp;ofi_rxm,shm" : "tcp,tcp;ofi_rxm,shm", o->own != NULL);
  if (o->json) printf("\n]\n");
  return missing ? 1 : over && o->strict ? 3 : 0;
}
