/* Starts a job for each group of rows, collects the results and shows them. */
#include "smp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROWS_MAX 64
static struct bench_result results[ROWS_MAX];
static const struct bench_options *options;
static char self[4096], par[4096];

static const char *const group_name[] = {"two", "barrier", "ring", "start", "memory", "par"};

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
  for (unsigned i = 0; i < smp_row_count; i++) {
    struct bench_result *r = &results[i];
    if (strcmp(r->row->key, key) != 0) continue;
    r->bare = bare;
    r->ours = ours;
    r->ratio = r->row->kind == BENCH_RATE_AT_LEAST ? 1 / ratio : ratio;
    r->missing = NULL;
  }
}

static struct smp_job job_of(enum smp_group group, unsigned processes, const char *rows, const char *rounds)
{
  struct smp_job job = {.program = self, .processes = processes, .launcher = options->launcher, .limit_s = 120,
                        .args = {"--worker", group_name[group], "--rounds", rounds}, .line = take_result};
  unsigned n = 4;
  if (rows) {
    job.args[n++] = "--rows";
    job.args[n++] = rows;
  }
  if (options->own) job.args[n++] = "--unpinned";
  return job;
}

static int same_job(unsigned i, unsigned k)
{
  return smp_rows[i].group == smp_rows[k].group && smp_rows[i].processes == smp_rows[k].processes;
}

static void run_group(unsigned i)
{
  char rounds[16];
  snprintf(rounds, sizeof rounds, "%u", options->rounds);
  const struct smp_job job = job_of(smp_rows[i].group, smp_rows[i].processes, options->rows, rounds);
  const int code = smp_job_run(&job, NULL);
  for (unsigned k = i; k < smp_row_count; k++)
    if (same_job(i, k) && results[k].missing && code != 0) results[k].missing = "its job failed";
}

/* ---- starting and ending jobs ---- */

static double fork_and_exit(unsigned n)
{
  const double start = bench_now_ns();
  unsigned made = 0;
  for (; made < n; made++) {
    const pid_t pid = fork();
    if (pid == 0) _exit(0);
    if (pid < 0) break;
  }
  for (unsigned i = 0; i < made; i++) wait(NULL);
  return (bench_now_ns() - start) / 1e9;
}

static void run_start(unsigned i)
{
  double bare[BENCH_ROUNDS_MAX], ours[BENCH_ROUNDS_MAX], ratio[BENCH_ROUNDS_MAX];
  const struct smp_job job = job_of(SMP_START, smp_rows[i].processes, NULL, "1");
  for (unsigned r = 0; r < options->rounds; r++) {
    bare[r] = fork_and_exit(smp_rows[i].processes);
    if (smp_job_run(&job, &ours[r]) != 0) {
      results[i].missing = "its job failed";
      return;
    }
    ratio[r] = ours[r] / bare[r];
  }
  results[i] = (struct bench_result){&smp_rows[i].row, bench_median(bare, options->rounds),
                                     bench_median(ours, options->rounds), bench_median(ratio, options->rounds), NULL};
}

/* ---- PAR against SEQ: two programs, so the jobs alternate ---- */

static double *par_into; /* by row: where this round's value goes */

static void take_par(const char *line, void *unused)
{
  char key[64];
  double bare, ours, ratio;
  (void)unused;
  if (sscanf(line, "row %63s %lf %lf %lf", key, &bare, &ours, &ratio) != 4) return;
  for (unsigned i = 0; i < smp_row_count; i++)
    if (smp_rows[i].of && strcmp(smp_rows[i].of, key) == 0) par_into[i] = ours;
}

static int run_one_mode(const char *program, const char *rows, double *into)
{
  struct smp_job job = job_of(SMP_TWO, 2, rows, "3");
  job.program = program;
  job.line = take_par;
  par_into = into;
  return smp_job_run(&job, NULL);
}

static void par_rows(char *rows, size_t size)
{
  size_t n = 0;
  rows[0] = 0;
  for (unsigned i = 0; i < smp_row_count; i++)
    if (smp_rows[i].of && bench_selected(smp_rows[i].row.key, options->rows))
      n += (size_t)snprintf(rows + n, size - n, "%s%s", n ? "," : "", smp_rows[i].of);
}

static void par_result(unsigned i, double (*seq)[ROWS_MAX], double (*parallel)[ROWS_MAX])
{
  double bare[BENCH_ROUNDS_MAX], ours[BENCH_ROUNDS_MAX], ratio[BENCH_ROUNDS_MAX];
  for (unsigned r = 0; r < options->rounds; r++) {
    bare[r] = seq[r][i];
    ours[r] = parallel[r][i];
    ratio[r] = ours[r] / bare[r];
  }
  results[i] = (struct bench_result){&smp_rows[i].row, bench_median(bare, options->rounds),
                                     bench_median(ours, options->rounds), bench_median(ratio, options->rounds), NULL};
}

static void run_par(const char *seq_program)
{
  static double seq[BENCH_ROUNDS_MAX][ROWS_MAX], parallel[BENCH_ROUNDS_MAX][ROWS_MAX];
  char rows[512];
  int failed = 0;
  par_rows(rows, sizeof rows);
  for (unsigned r = 0; r < options->rounds && !failed; r++) {
    const int first = r % 2 ? run_one_mode(par, rows, parallel[r]) : run_one_mode(seq_program, rows, seq[r]);
    const int second = r % 2 ? run_one_mode(seq_program, rows, seq[r]) : run_one_mode(par, rows, parallel[r]);
    failed = first != 0 || second != 0;
  }
  for (unsigned i = 0; i < smp_row_count; i++) {
    if (smp_rows[i].group != SMP_PAR || !bench_selected(smp_rows[i].row.key, options->rows)) continue;
    if (failed) results[i].missing = "its job failed";
    else par_result(i, seq, parallel);
  }
}

static void run_par_if_possible(unsigned i)
{
  char seq[4096];
  if (smp_beside("smp", seq, sizeof seq) && smp_beside("smp-par", par, sizeof par)) {
    run_par(seq);
    return;
  }
  for (; i < smp_row_count; i++)
    if (smp_rows[i].group == SMP_PAR) results[i].missing = "needs smp and smp-par beside each other";
}

/* ---- all ---- */

static void show(unsigned i)
{
  static int shown;
  if (!bench_selected(smp_rows[i].row.key, options->rows)) return;
  if (options->json) bench_print_json(&results[i], shown == 0);
  else if (shown == 0) bench_print_head();
  if (!options->json) bench_print_row(&results[i]);
  shown++;
}

static void show_group(unsigned i)
{
  for (unsigned k = i; k < smp_row_count; k++)
    if (same_job(i, k)) show(k);
}

static int first_of_its_job(unsigned i)
{
  for (unsigned k = 0; k < i; k++)
    if (same_job(k, i)) return 0;
  return 1;
}

static int job_selected(unsigned i)
{
  for (unsigned k = i; k < smp_row_count; k++)
    if (same_job(i, k) && bench_selected(smp_rows[k].row.key, options->rows)) return 1;
  return 0;
}

static void run_job(unsigned i)
{
  switch (smp_rows[i].group) {
  case SMP_START: run_start(i); break;
  case SMP_PAR: run_par_if_possible(i); break;
  default: run_group(i);
  }
}

static int exit_code(void)
{
  int over = 0, missing = 0;
  for (unsigned i = 0; i < smp_row_count; i++) {
    if (!bench_selected(smp_rows[i].row.key, options->rows)) continue;
    if (results[i].missing) missing++;
    else over += !bench_within(&results[i]);
  }
  return missing ? 1 : over && options->strict ? 3 : 0;
}

static void warn_of_load(void)
{
  double load;
  if (getloadavg(&load, 1) == 1 && load > 0.5)
    fprintf(stderr, "smp: the load average is %.1f: other programs take part in these figures; more --rounds help little\n",
            load);
}

int smp_control(const struct bench_options *o)
{
  int core[2];
  options = o;
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0 || smp_row_count > ROWS_MAX) return 1;
  self[n] = 0;
  if (bench_cores(core, 2) < 2) {
    fprintf(stderr, "smp: the rows compare processes on two cores; this process may use only one\n");
    return 1;
  }
  warn_of_load();
  bench_pin(core, 2); /* inherited: the library counts two cores, wherever this runs */
  for (unsigned i = 0; i < smp_row_count; i++)
    results[i] = (struct bench_result){.row = &smp_rows[i].row, .missing = "its job printed no result"};
  for (unsigned i = 0; i < smp_row_count; i++) {
    if (!first_of_its_job(i) || !job_selected(i)) continue;
    run_job(i);
    show_group(i);
  }
  if (o->json) printf("\n]\n");
  return exit_code();
}
