/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetbench: measures this library in jobs that it starts, and shows what came out. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "bench/control/report.h"
#include "bench/control/run.h"
#include "gasnet_config.h"
#include "launch/arguments.h"

/* ---- this host, now ---- */

/* As /proc/cpuinfo calls it; its machine's kind where that says nothing. */
static const char *processor_name(const char *machine)
{
  char line[512], name[256] = "";
  FILE *f = fopen("/proc/cpuinfo", "re");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "model name : %255[^\n]", name) != 1) {}
  if (f) fclose(f);
  return text_plain(*name ? name : machine);
}

unsigned processors_here(void)
{
  int core[1024];
  const unsigned n = bench_cores(core, 1024);
  return n ? n : 1;
}

static void place_fill(const struct settings *s, struct place *p)
{
  struct utsname u = {.sysname = "?", .machine = "?"};
  const time_t now = time(NULL);
  struct tm utc;
  char date[32];
  uname(&u);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  *p = (struct place){.version = PENSTOCK_VERSION,
      .date = text_of("%s", date),
      .host = text_plain(u.nodename),
      .hosts = text_plain(s->hosts_text ? s->hosts_text : ""),
      .network = "",
      .processor = processor_name(u.machine),
      .system = text_plain(text_of("%.60s %.60s %.60s", u.sysname, u.release, u.machine)),
      .processors = processors_here()};
  if (getloadavg(&p->load, 1) != 1) p->load = -1;
}

/* What about this host spoils the figures. */
static void note_others(const struct settings *s, struct report *r)
{
  const struct place *p = &r->place;
  unsigned most = 0;
  EACH_RESULT (each, r)
    if (each->nodes * each->threads > most) most = each->nodes * each->threads;
  if (p->load > 0.5 && p->load > 0.05 * p->processors)
    report_note(r,
        text_of("the load average was %.1f before the run: "
                "other programs take part in these figures",
            p->load));
  if (!s->hosts.count && most > p->processors)
    report_note(r,
        text_of("jobs with more nodes or threads than the %u processors here share them: "
                "such times include waiting for a turn",
            p->processors));
}

/* ---- what comes out ---- */

static void check_written(FILE *out, const char *name)
{
  if (fflush(out) != 0 || ferror(out)) fail(out == stdout ? 1 : EXIT_MISUSE, "cannot write to %s: %m", name);
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

static int measure(struct settings *s)
{
  struct report now = {0}, then = {0};
  struct run run = {.s = s, .r = &now};
  plan_make(&run);
  if (s->vs) report_load(s->vs, &then);
  /* Opened before anything is measured: what cannot be written is known at once. */
  FILE *output = s->output ? fopen(s->output, "we") : NULL, *page = s->plot ? page_open(s->plot) : NULL;
  if (s->output && !output) fail(EXIT_MISUSE, "--output %s: %m", s->output);
  place_fill(s, &now.place);
  note_others(s, &now);
  run_all(&run);
  if (run_interrupted())
    report_note(&now,
        text_of("interrupted: %u of %u points were not measured", now.count - report_count(&now, MEASURED),
            now.count));
  if (s->check) check_all(&now);
  now.then_name = s->vs;
  if (s->vs) compare_all(&now, &then, s->noise);
  write_all(s, &now, output, page);
  const int measured = report_count(&now, MEASURED) == now.count,
            worse = now.over || now.changes[CHANGE_SLOWER];
  report_free(&now);
  report_free(&then);
  if (run_interrupted()) return 128 + run_interrupted();
  return !measured ? EXIT_UNMEASURED : s->strict && worse ? EXIT_OVER : 0;
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
