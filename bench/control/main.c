/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetbench: measures this library in jobs that it starts, and shows what came out. */
#include <stdio.h>

#include "bench/control/forms.h"
#include "bench/control/run.h"
#include "launch/arguments.h"

static void check_written(FILE *out, const char *name)
{
  if (fflush(out) != 0 || ferror(out)) fail(out == stdout ? 1 : EXIT_USAGE, "cannot write to %s: %m", name);
}

/* Opened before anything is measured: what cannot be written is known at once. */
static FILE *open_output(const struct settings *s)
{
  FILE *out = s->output ? fopen(s->output, "we") : NULL;
  if (s->output && !out) fail(EXIT_USAGE, "--output %s: %m", s->output);
  return out;
}

/* The table is for people: it is shown unless it goes elsewhere, or JSON takes its place. */
static void write_all(const struct settings *s, const struct report *r, FILE *output, FILE *page)
{
  if (!s->json || output) table_write(s->json || !output ? stdout : output, r);
  if (s->json) json_write(output ? output : stdout, r);
  check_written(stdout, "standard output");
  if (output) check_written(output, s->output);
  if (page)
    fprintf(
        stderr, "gasnetbench: %u charts and report.html are in %s\n", page_write(page, s->plot, r), s->plot);
}

static int exit_code(const struct settings *s, const struct report *r)
{
  if (job_interrupted()) return 128 + job_interrupted();
  if (report_count(r, MEASURED) < r->count) return EXIT_UNMEASURED;
  return s->strict && (r->over || compare_count(r, CHANGE_SLOWER)) ? EXIT_OVER : 0;
}

static int measure(struct settings *s)
{
  struct report now = {0}, then = {0};
  struct run run = {.s = s, .r = &now};
  job_catch_signals();
  plan_make(&run);
  if (s->vs) report_load(s->vs, &then);
  FILE *output = open_output(s);
  FILE *page = s->plot ? page_open(s->plot) : NULL;
  place_fill(s, &now);
  run_all(&run);
  if (job_interrupted())
    report_note(&now,
        text_of("interrupted: %u of %u points were not measured", now.count - report_count(&now, MEASURED),
            now.count));
  if (s->check) check_all(&now);
  if (s->vs) {
    compare_all(&now, &then, s->noise);
    now.then_name = s->vs;
  }
  write_all(s, &now, output, page);
  const int code = exit_code(s, &now);
  report_free(&now);
  report_free(&then);
  return code;
}

int main(int argc, char **argv)
{
  static struct settings s;
  program_name = "gasnetbench";
  settings_parse(argc, argv, &s);
  if (!s.list) return measure(&s);
  list_tests(&s);
  check_written(stdout, "standard output");
  return 0;
}
