/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetbench: measures this library in jobs that it starts, and shows what came out. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "bench/control/run.h"
#include "gasnet_config.h"
#include "launch/arguments.h"
#include "support/parse.h"

static double parse_number(const struct argument *a, const char *option, const char *text)
{
  uint64_t v;
  if (pst_parse_size(text, 1, &v) != 0)
    fail(EXIT_MISUSE, "%s: '%s' is no number; write 8, 64K, 1M or 8:1M:x4", option, text);
  if ((double)v < a->least || (double)v > a->most)
    fail(EXIT_MISUSE, "%s %s: %.0f to %.0f are possible", option, text, a->least, a->most);
  return (double)v;
}

/* "8,64K", "8:1M" by factors of 2, "8:1M:x4", "64:1K:+64". */
ARGUMENT_TAKE(numbers)
{
  struct numbers *n = (void *)((char *)settings + a->at);
  char *copy = memory_needed(strdup(value)), *rest = copy, *item;
  while ((item = strsep(&rest, ",")) != NULL) {
    const char *from = strsep(&item, ":"), *to = strsep(&item, ":"), *step = item ? item : "x2";
    const double last = parse_number(a, spelled, to ? to : from);
    const double by = *step == 'x' || *step == '+' ? parse_number(a, spelled, step + 1) : 0;
    double v = parse_number(a, spelled, from);
    if (v > last) fail(EXIT_MISUSE, "%s: %s is more than %s", spelled, from, to);
    if (by < 1 + (*step == 'x'))
      fail(EXIT_MISUSE, "%s: the step '%s' is neither like x4 nor like +64", spelled, step);
    for (; v <= last; v = *step == 'x' ? v * by : v + by)
      if (!numbers_add(n, v)) fail(EXIT_MISUSE, "%s: more than %d numbers", spelled, NUMBERS_MOST);
  }
  free(copy);
}

ARGUMENT_TAKE(conduits)
{
  static const char *const known[] = {"smp", "ofi", "ucx"};
  struct settings *s = settings;
  char *copy = memory_needed(strdup(value)), *rest = copy, *name;
  while ((name = strsep(&rest, ",")) != NULL) {
    unsigned k = 0;
    while (k < CONDUITS && strcmp(known[k], name) != 0) k++;
    if (k == CONDUITS) fail(EXIT_MISUSE, "%s %s: '%s' is none of smp, ofi, ucx", spelled, value, name);
    for (unsigned i = 0; i < s->conduits; i++)
      if (s->conduit[i] == known[k]) fail(EXIT_MISUSE, "%s %s: %s twice", spelled, value, name);
    s->conduit[s->conduits++] = known[k];
  }
  free(copy);
}

ARGUMENT_TAKE(transport)
{
  struct settings *s = settings;
  if (s->transports == TRANSPORTS_MOST)
    fail(EXIT_MISUSE, "%s %s: more than %d transports", spelled, value, TRANSPORTS_MOST);
  if (!*value || strlen(value) >= 96) fail(EXIT_MISUSE, "%s: a name has 1 to 95 characters", spelled);
  if (strcmp(text_plain(value), value) != 0 || strchr(value, ' '))
    fail(EXIT_MISUSE, "%s '%s': no name of a transport has such characters", spelled, value);
  s->transport[s->transports++] = value;
}

ARGUMENT_TAKE(hosts)
{
  struct settings *s = settings;
  if (s->hosts.count) fail(EXIT_MISUSE, "%s: one list of hosts is enough", spelled);
  if (strcmp(a->name[0], "--hostfile") == 0) hosts_take_file(&s->hosts, value);
  else hosts_take_list(&s->hosts, a->name[0], value);
  s->hosts_option = a->name[0];
  s->hosts_text = value;
}

/* ---- the options ---- */

ARGUMENT_TAKE(version)
{
  printf("gasnetbench (Penstock) %s\n", PENSTOCK_VERSION);
  argument_finish();
}
ARGUMENT_TAKE(help);

#define AT(member)               offsetof(struct settings, member)
#define FLAG(member)             .take = argument_flag, .at = AT(member)
#define TEXT(member)             .take = argument_text, .at = AT(member)
#define COUNT(member, from, to)  .take = argument_count, .at = AT(member), .least = from, .most = to
#define NUMBER(member, from, to) .take = argument_number, .at = AT(member), .least = from, .most = to
#define NUMBERS(member, to)      .take = take_numbers, .at = AT(member), .least = 1, .most = to

static const struct argument table[] = {
    {{"-n", "-np", "--nodes"}, "N",
        "nodes of a job, and the most of tests by node count (2; 8 or as many as processors)",
        COUNT(nodes, 1, PST_MAX_HOSTS *PST_MAX_LOCAL)},
    {{"-c", "--conduit"}, "NAME",
        "smp, ofi or ucx; several, with commas (smp; with hosts: the library's choice)",
        .take = take_conduits},
    {{"--transport"}, "NAME", "libfabric's provider or UCX's transports (as UCX_TLS); may be repeated",
        .take = take_transport},
    {{"-t", "--threads"}, "LIST", "threads a node, of tests that have them: 4, or 1,2,4 (1)",
        NUMBERS(threads, 256)},
    {{"--par"}, NULL, "all tests with the worker for GASNET_PAR, without other threads too", FLAG(par)},
    {{"-s", "--sizes"}, "LIST", "bytes: 8,64K,1M or 8:1M:x4 or 64:1K:+64, or a mixture",
        NUMBERS(sizes, (double)((size_t)1 << 36))},
    {{"--time"}, "SECONDS", "for the whole run: divided among the points (60, at most 1 for each)",
        NUMBER(time, 0.1, 1e6)},
    {{"--rounds"}, "N", "measure N rounds of each point, however long they take", COUNT(rounds, 1, 10001)},
    {{"-r", "--raw"}, NULL,
        "also the bare transport, in turn with ours: memory, libfabric or UCX; shows our efficiency",
        FLAG(raw)},
    {{"--unpinned"}, NULL, "leave placement to the kernel; else each node of a host has a processor",
        FLAG(unpinned)},
    {{"--vs"}, "FILE", "compare with an earlier run's --json", TEXT(vs)},
    {{"--noise"}, "PERCENT", "a change of less is none (5)", NUMBER(noise, 0, 1000)},
    {{"--check"}, NULL, "measure what has a bound, with --raw, and judge it", FLAG(check)},
    {{"--strict"}, NULL, "exit code 3 when --check finds one over its bound, or --vs finds one slower",
        FLAG(strict)},
    {{"--json"}, NULL, "write JSON instead of the table; --vs reads it", FLAG(json)},
    {{"-o", "--output"}, "FILE", "write that to FILE; with --json the table is printed all the same",
        TEXT(output)},
    {{"--plot"}, "DIR", "write a chart of each test as SVG, and report.html with all of them", TEXT(plot)},
    {{"-H", "--host"}, "LIST", "run on these hosts: host1:4,host2:4", .take = take_hosts},
    {{"--hostfile"}, "FILE", "the same, a line each", .take = take_hosts},
    {{"--worker-dir"}, "DIR", "where the programs lie that measure (where this was built or installed)",
        TEXT(workers)},
    {{"-v", "--verbose"}, NULL, "tell which jobs are started", FLAG(verbose)},
    {{"-h", "--help"}, NULL, "print this text", .take = take_help},
    {{"-V", "--version"}, NULL, "print the version", .take = take_version},
    {.help = NULL},
};

ARGUMENT_TAKE(help)
{
  printf("usage: gasnetbench [options] [TEST...]\n"
         "       gasnetbench [options] list [TEST...]\n"
         "Measures this GASNet library: by default the usual tests, in a minute, on this host. "
         "A TEST is a name, a group's name or a\n"
         "shell pattern such as 'put_*'; `list` shows all.\n\n");
  argument_print_help(table, 27);
  printf("\nFor each point are shown the median of its samples, the best and the 99th percentile. "
         "Times are of one operation; rates are\ntheir inverse.\n"
         "Exit code: 0 measured, 1 something could not be measured, 2 wrong command line, 3 see --strict, "
         "130 interrupted.\n"
         "See gasnetbench(1).\n");
  argument_finish();
}

/* A test's name, its group's, or a pattern. */
static void take_word(struct settings *s, const char *word)
{
  const struct bench_test *t;
  int any = 0;
  for (unsigned i = 0; (t = bench_test_at(i)) != NULL; i++) {
    const int named = strcmp(word, t->name) == 0;
    if (!named && strcmp(word, t->group) != 0 && fnmatch(word, t->name, 0) != 0) continue;
    if (!s->meant[i] || named) s->meant[i] = 1 + named;
    any = 1;
  }
  if (!any) fail(EXIT_MISUSE, "no test is called '%s'; gasnetbench list shows all", word);
  s->words = 1;
}

/* ---- the command line ---- */

/* Fills *s, which is in use until the process ends. --help, --version and every misuse end it. */
static void settings_parse(int argc, char **argv, struct settings *s)
{
  int words_only = 0;
  unsigned tests = 0;
  while (bench_test_at(tests)) tests++;
  *s = (struct settings){.noise = 5, .meant = memory_needed(calloc(tests, sizeof *s->meant))};
  for (int i = 1; i < argc; i++) {
    if (!words_only && strcmp(argv[i], "--") == 0) words_only = 1;
    else if (!words_only && argv[i][0] == '-' && argv[i][1]) i += argument_take(table, argv + i, s);
    else if (!s->words && !s->list && strcmp(argv[i], "list") == 0) s->list = 1;
    else take_word(s, argv[i]);
  }
  const char *named = getenv("GASNET_HOSTS"); /* gasnetrun heeds it where no option names hosts */
  if (!s->hosts.count && named && *named) hosts_take_list(&s->hosts, "GASNET_HOSTS", s->hosts_text = named);
  const unsigned hosts = s->hosts.count;
  if (hosts && !s->nodes) fail(EXIT_MISUSE, "how many nodes do the hosts have together? -n N");
  if (s->nodes == 1) fail(EXIT_MISUSE, "-n 1: tests have at least 2 nodes");
  if (s->raw && hosts && !s->conduits)
    fail(EXIT_MISUSE,
        "--raw: on several hosts say which bare transport is meant: --conduit ofi or --conduit ucx");
  if (s->check && hosts)
    fail(EXIT_MISUSE, "--check: the bounds are for nodes of one host; leave out the list of hosts");
  if (s->strict && !s->check && !s->vs) fail(EXIT_MISUSE, "--strict goes with --check or --vs");
  if (s->check) s->raw = 1;
  if (!s->conduits && !hosts) s->conduit[s->conduits++] = "smp";
  if (s->transports && (s->conduits != 1 || s->conduit[0][0] == 's'))
    fail(EXIT_MISUSE, "--transport goes with --conduit ofi or --conduit ucx, one of them");
  if (!s->threads.count) s->threads = (struct numbers){{1}, 1};
  for (unsigned c = 0; c == 0 || c < s->conduits; c++)
    for (unsigned t = 0; t == 0 || t < s->transports; t++)
      s->target[s->targets++] = (struct target){s->conduit[c], s->transport[t]};
}

/* ---- this host, now ---- */

unsigned processors_here(void)
{
  int core[1024];
  const unsigned n = bench_cores(core, 1024);
  return n ? n : 1;
}

/* Where and when, and what about this host spoils the figures. The processor is named as in /proc/cpuinfo; by
 * its machine's kind where that says nothing. */
static void place_fill(const struct settings *s, struct report *r)
{
  struct utsname u = {.sysname = "?", .machine = "?"};
  const time_t now = time(NULL);
  struct tm utc;
  double load;
  char date[32], line[512], name[256] = "";
  unsigned most = 0;
  const unsigned here = processors_here();
  uname(&u);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  FILE *f = fopen("/proc/cpuinfo", "re");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "model name : %255[^\n]", name) != 1) {}
  if (f) fclose(f);
  if (getloadavg(&load, 1) != 1) load = -1;
  r->place = (struct place){.version = PENSTOCK_VERSION,
      .date = text_of("%s", date),
      .host = text_plain(u.nodename),
      .hosts = text_plain(s->hosts_text ? s->hosts_text : ""),
      .network = "",
      .processor = text_plain(*name ? name : u.machine),
      .system = text_plain(text_of("%.60s %.60s %.60s", u.sysname, u.release, u.machine)),
      .processors = here,
      .load = load};
  EACH_RESULT (each, r)
    if (each->nodes * each->threads > most) most = each->nodes * each->threads;
  if (load > 0.5 && load > 0.05 * here)
    report_note(r,
        text_of("the load average was %.1f before the run: "
                "other programs take part in these figures",
            load));
  if (!s->hosts.count && most > here)
    report_note(r,
        text_of("jobs with more nodes or threads than the %u processors here share them: "
                "such times include waiting for a turn",
            here));
}

static void check_written(FILE *out, const char *name)
{
  if (fflush(out) != 0 || ferror(out)) fail(out == stdout ? 1 : EXIT_MISUSE, "cannot write to %s: %m", name);
}

static int measure(struct settings *s)
{
  static struct report now, then;
  struct run run = {.s = s, .r = &now};
  plan_make(&run);
  if (s->vs) report_load(s->vs, &then);
  /* Opened before anything is measured: what cannot be written is known at once. */
  FILE *output = s->output ? fopen(s->output, "we") : NULL, *page = s->plot ? page_open(s->plot) : NULL;
  if (s->output && !output) fail(EXIT_MISUSE, "--output %s: %m", s->output);
  place_fill(s, &now);
  run_all(&run);
  const unsigned missing = now.count - report_count(&now, MEASURED);
  if (run_interrupted())
    report_note(&now, text_of("interrupted: %u of %u points were not measured", missing, now.count));
  if (s->check) check_all(&now);
  now.then_name = s->vs;
  if (s->vs) compare_all(&now, &then, s->noise);
  /* The table is for people: it is shown unless it goes elsewhere, or JSON takes its place. */
  if (!s->json || output) table_write(s->json || !output ? stdout : output, &now);
  if (s->json) json_write(output ? output : stdout, &now);
  check_written(stdout, "standard output");
  if (output) check_written(output, s->output);
  if (page) {
    const unsigned charts = page_write(page, s->plot, &now);
    fprintf(stderr, "gasnetbench: %u charts and report.html are in %s\n", charts, s->plot);
  }
  const int unmeasured = report_count(&now, MEASURED) != now.count;
  const int worse = s->strict && (now.over || now.changes[CHANGE_SLOWER]);
  if (run_interrupted()) return 128 + run_interrupted();
  return unmeasured ? EXIT_UNMEASURED : worse ? EXIT_OVER : 0;
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
