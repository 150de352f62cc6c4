#include "common_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const struct bench_program *program;

static void list_rows(void)
{
  const struct bench_row *r;
  for (unsigned i = 0; (r = program->row(i)) != NULL; i++) printf("%-16s %-46s against %s\n", r->key, r->what, r->bare);
}

static _Noreturn void usage_error(const char *what, const char *value)
{
  fprintf(stderr, "%s: %s %s; see %s --help\n", program->name, what, value, program->name);
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
  const struct bench_row *r;
  for (unsigned i = 0; (r = program->row(i)) != NULL; i++)
    if (bench_selected(r->key, rows)) return;
  usage_error("no row matches", rows);
}

void bench_parse(int argc, char **argv, const struct bench_program *p, struct bench_options *o)
{
  enum { ROWS = 256, ROUNDS, JSON, LIST, STRICT, LAUNCHER, WORKER, HELP, OWN };
  const struct option options[] = {
    {"rows", 1, 0, ROWS}, {"rounds", 1, 0, ROUNDS}, {"json", 0, 0, JSON}, {"list", 0, 0, LIST}, {"strict", 0, 0, STRICT},
    {"launcher", 1, 0, LAUNCHER}, {"worker", 1, 0, WORKER}, {"help", 0, 0, HELP}, {p->own, p->own_has_argument, 0, OWN}, {0, 0, 0, 0}};
  program = p;
  for (int c; (c = getopt_long(argc, argv, "", options, 0)) != -1;) switch (c) {
    case ROWS: o->rows = optarg; break;
    case ROUNDS: o->rounds = parse_rounds(optarg); break;
    case JSON: o->json = 1; break;
    case LIST: list_rows(); exit(0);
    case STRICT: o->strict = 1; break;
    case LAUNCHER: o->launcher = optarg; break;
    case WORKER: o->worker = optarg; break;
    case HELP: fputs(p->help, stdout); exit(0);
    case OWN: o->own = optarg ? optarg : ""; break;
    default: exit(2);
  }
  if (optind < argc) usage_error("there is no argument", argv[optind]);
  if (o->rows) check_patterns(o->rows);
}
