/* Speed of the smp conduit against bare loops over the same memory. docs/bench.md explains each row. */
#include "smp.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
  "usage: smp [options]                 all rows; starts the jobs it needs\n"
  "       gasnetrun -n 2 smp [options]  only the rows for that many processes\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put*', 'am_*,barrier_2'\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (7)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --unpinned            leave jobs of more than two processes to the kernel's placement on the two cores\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

static void list_rows(void)
{
  for (unsigned i = 0; i < smp_row_count; i++)
    printf("%-16s %-46s against %s\n", smp_rows[i].row.key, smp_rows[i].row.what, smp_rows[i].row.bare);
}

static void usage_error(const char *what, const char *value)
{
  fprintf(stderr, "smp: %s %s; see smp --help\n", what, value);
  exit(2);
}

static unsigned parse_rounds(const char *text)
{
  char *end;
  const long n = strtol(text, &end, 10);
  if (end == text || *end || n < 1 || n > BENCH_ROUNDS_MAX) usage_error("--rounds must be 1 to 101, not", text);
  return (unsigned)n;
}

static void check_patterns(const char *rows)
{
  for (unsigned i = 0; i < smp_row_count; i++)
    if (bench_selected(smp_rows[i].row.key, rows)) return;
  usage_error("no row matches", rows);
}

static void parse(int argc, char **argv, struct smp_options *o)
{
  enum { ROWS = 256, ROUNDS, JSON, LIST, STRICT, UNPINNED, LAUNCHER, WORKER, HELP };
  static const struct option options[] = {
    {"rows", 1, 0, ROWS}, {"rounds", 1, 0, ROUNDS}, {"json", 0, 0, JSON}, {"list", 0, 0, LIST}, {"strict", 0, 0, STRICT},
    {"unpinned", 0, 0, UNPINNED}, {"launcher", 1, 0, LAUNCHER}, {"worker", 1, 0, WORKER}, {"help", 0, 0, HELP}, {0, 0, 0, 0}};
  for (int c; (c = getopt_long(argc, argv, "", options, 0)) != -1;) switch (c) {
    case ROWS: o->rows = optarg; break;
    case ROUNDS: o->rounds = parse_rounds(optarg); break;
    case JSON: o->json = 1; break;
    case LIST: list_rows(); exit(0);
    case STRICT: o->strict = 1; break;
    case UNPINNED: o->unpinned = 1; break;
    case LAUNCHER: o->launcher = optarg; break;
    case WORKER: o->worker = optarg; break;
    case HELP: fputs(help, stdout); exit(0);
    default: exit(2);
  }
  if (optind < argc) usage_error("there is no argument", argv[optind]);
  if (o->rows) check_patterns(o->rows);
}

/* The two ways in which a process is given its place in a job. */
static int in_a_job(void) { return getenv("PENSTOCK_LAUNCH") || getenv("GASNET_PSHM_NODES"); }

int main(int argc, char **argv)
{
  struct smp_options o = {.rounds = 7};
  parse(argc, argv, &o);
  return in_a_job() ? smp_worker(argc, argv, &o) : smp_control(&o);
}
