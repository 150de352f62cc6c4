/* Speed of the ofi conduit against a bare libfabric program on the same provider. docs/bench.md explains each row. */
#include "ofi.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
  "usage: ofi [options]    starts the jobs of two processes that it needs, over the network conduit\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put_*', 'am_*,start_64'\n"
  "  --provider NAME[,...] libfabric's providers (net, tcp;ofi_rxm and shm, those of them that are here)\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (11)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

static void list_rows(void)
{
  for (unsigned i = 0; i < ofi_row_count; i++)
    printf("%-16s %-46s against %s\n", ofi_rows[i].row.key, ofi_rows[i].row.what, ofi_rows[i].row.bare);
}

static void usage_error(const char *what, const char *value)
{
  fprintf(stderr, "ofi: %s %s; see ofi --help\n", what, value);
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
  for (unsigned i = 0; i < ofi_row_count; i++)
    if (bench_selected(ofi_rows[i].row.key, rows)) return;
  usage_error("no row matches", rows);
}

static void parse(int argc, char **argv, struct ofi_options *o)
{
  enum { ROWS = 256, ROUNDS, JSON, LIST, STRICT, LAUNCHER, PROVIDER, WORKER, HELP };
  static const struct option options[] = {
    {"rows", 1, 0, ROWS}, {"rounds", 1, 0, ROUNDS}, {"json", 0, 0, JSON}, {"list", 0, 0, LIST}, {"strict", 0, 0, STRICT},
    {"launcher", 1, 0, LAUNCHER}, {"provider", 1, 0, PROVIDER}, {"worker", 1, 0, WORKER}, {"help", 0, 0, HELP}, {0, 0, 0, 0}};
  for (int c; (c = getopt_long(argc, argv, "", options, 0)) != -1;) switch (c) {
    case ROWS: o->rows = optarg; break;
    case ROUNDS: o->rounds = parse_rounds(optarg); break;
    case JSON: o->json = 1; break;
    case LIST: list_rows(); exit(0);
    case STRICT: o->strict = 1; break;
    case LAUNCHER: o->launcher = optarg; break;
    case PROVIDER: o->providers = optarg; break;
    case WORKER: o->worker = optarg; break;
    case HELP: fputs(help, stdout); exit(0);
    default: exit(2);
  }
  if (optind < argc) usage_error("there is no argument", argv[optind]);
  if (o->rows) check_patterns(o->rows);
}

int main(int argc, char **argv)
{
  struct ofi_options o = {.rounds = 11};
  parse(argc, argv, &o);
  if (o.worker && !strcmp(o.worker, OFI_BARE_START)) return ofi_start_one();
  return o.worker ? ofi_worker(argc, argv, &o) : ofi_control(&o);
}
