/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/settings.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/catalogue.h"
#include "gasnet_config.h"
#include "launch/arguments.h"
#include "support/parse.h"

/* Does this with each item of a list that commas separate. */
typedef void item_fn(struct settings *s, const char *option, const char *list, char *item);
static void each_item(struct settings *s, const char *option, const char *text, item_fn *take)
{
  char *copy = memory_needed(strdup(text)), *rest = copy;
  for (char *item; (item = strsep(&rest, ",")) != NULL;) take(s, option, text, item);
  free(copy);
}

/* ---- sizes ---- */

static const size_t largest = (size_t)1 << 36;

static size_t parse_size(const char *option, const char *text)
{
  uint64_t v;
  if (pst_parse_size(text, 1, &v) != 0)
    fail(EXIT_USAGE, "%s: '%s' is no size; write 8, 64K, 1M or 8:1M:x4", option, text);
  if (v < 1 || v > largest) fail(EXIT_USAGE, "%s: '%s': 1 byte to 64G are possible", option, text);
  return (size_t)v;
}

static void add_size(struct settings *s, const char *option, size_t size)
{
  unsigned at = 0;
  while (at < s->sizes && s->size[at] < size) at++;
  if (at < s->sizes && s->size[at] == size) return;
  if (s->sizes == SIZES_MOST) fail(EXIT_USAGE, "%s: more than %d sizes", option, SIZES_MOST);
  memmove(&s->size[at + 1], &s->size[at], (s->sizes - at) * sizeof *s->size);
  s->size[at] = size;
  s->sizes++;
}

/* "x4" or "+64": what comes after `size`. */
static size_t next_size(const char *option, const char *step, size_t size)
{
  const size_t by = *step == 'x' || *step == '+' ? parse_size(option, step + 1) : 0;
  if (*step == 'x' && by >= 2) return by > largest / size ? largest + 1 : size * by;
  if (*step == '+') return size + by;
  fail(EXIT_USAGE, "%s: the step '%s' is neither like x4 nor like +64", option, step);
}

/* "8", or "8:1M" and "8:1M:x4". */
static void add_sizes(
    struct settings *s, const char *option, __attribute__((unused)) const char *list, char *item)
{
  char *from = strsep(&item, ":"), *to = strsep(&item, ":"), *step = item;
  const size_t last = parse_size(option, to ? to : from);
  size_t size = parse_size(option, from);
  if (size > last) fail(EXIT_USAGE, "%s: %s is more than %s", option, from, to);
  for (; size <= last; size = next_size(option, step ? step : "x2", size)) add_size(s, option, size);
}

ARGUMENT_TAKE(sizes) { each_item(settings, spelled, value, add_sizes); }

/* ---- other lists ---- */

static void add_threads(struct settings *s, const char *option, const char *list, char *item)
{
  const unsigned n = argument_parse_count(option, item, 1, 256);
  if (s->threads == THREADS_MOST) fail(EXIT_USAGE, "%s %s: more than %d counts", option, list, THREADS_MOST);
  if (s->threads && n <= s->thread[s->threads - 1])
    fail(EXIT_USAGE, "%s %s: the counts must ascend", option, list);
  s->thread[s->threads++] = n;
}

ARGUMENT_TAKE(threads)
{
  ((struct settings *)settings)->threads = 0;
  each_item(settings, spelled, value, add_threads);
}

static void add_conduit(struct settings *s, const char *option, const char *list, char *item)
{
  static const char *const known[] = {"smp", "ofi", "ucx"};
  enum { KNOWN = sizeof known / sizeof *known };
  unsigned k = 0;
  while (k < KNOWN && strcmp(known[k], item) != 0) k++;
  if (k == KNOWN) fail(EXIT_USAGE, "%s %s: '%s' is none of smp, ofi, ucx", option, list, item);
  for (unsigned i = 0; i < s->conduits; i++)
    if (s->conduit[i] == known[k]) fail(EXIT_USAGE, "%s %s: %s twice", option, list, item);
  s->conduit[s->conduits++] = known[k];
}

ARGUMENT_TAKE(conduits) { each_item(settings, spelled, value, add_conduit); }

ARGUMENT_TAKE(transport)
{
  struct settings *s = settings;
  if (s->transports == TARGETS_MOST)
    fail(EXIT_USAGE, "%s %s: more than %d transports", spelled, value, TARGETS_MOST);
  if (!*value || strlen(value) >= 96) fail(EXIT_USAGE, "%s: a name has 1 to 95 characters", spelled);
  for (const char *p = value; *p; p++)
    if ((unsigned char)*p <= ' ' || (unsigned char)*p > 126)
      fail(EXIT_USAGE, "%s '%s': no name of a transport has such characters", spelled, value);
  s->transport[s->transports++] = value;
}

ARGUMENT_TAKE(hosts)
{
  struct settings *s = settings;
  if (s->hosts.count) fail(EXIT_USAGE, "%s: one list of hosts is enough", spelled);
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
        .take = take_threads},
    {{"--par"}, NULL, "all tests with the worker for GASNET_PAR, without other threads too", FLAG(par)},
    {{"-s", "--sizes"}, "LIST", "bytes: 8,64K,1M or 8:1M:x4 or 64:1K:+64, or a mixture", .take = take_sizes},
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

/* ---- tests ---- */

/* 1: as its group or by a pattern; 2: by its very name. */
static int pattern_matches(const char *pattern, const struct bench_test *t)
{
  if (strcmp(pattern, t->name) == 0) return 2;
  return strcmp(pattern, t->group) == 0 || fnmatch(pattern, t->name, 0) == 0;
}

static void take_word(struct settings *s, char *word)
{
  const struct bench_test *t;
  if (s->pattern_count == 0 && !s->list && strcmp(word, "list") == 0) {
    s->list = 1;
    return;
  }
  for (unsigned i = 0; (t = bench_test_at(i)) != NULL && !pattern_matches(word, t);) i++;
  if (!t) fail(EXIT_USAGE, "no test is called '%s'; gasnetbench list shows all", word);
  s->patterns[s->pattern_count++] = word;
}

int settings_mean(const struct settings *s, const char *name)
{
  int meant = 0;
  for (unsigned i = 0; i < s->pattern_count && meant < 2; i++) {
    const int this = pattern_matches(s->patterns[i], bench_test_named(name));
    if (this > meant) meant = this;
  }
  return meant;
}

/* ---- the whole ---- */

/* gasnetrun heeds it where no option names hosts. */
static void take_environment(struct settings *s)
{
  const char *hosts = getenv("GASNET_HOSTS");
  if (s->hosts.count || !hosts || !*hosts) return;
  hosts_take_list(&s->hosts, "GASNET_HOSTS", hosts);
  s->hosts_text = hosts;
}

static void make_targets(struct settings *s)
{
  if (!s->conduits && !s->hosts.count) s->conduit[s->conduits++] = "smp";
  if (s->transports && (s->conduits != 1 || strcmp(s->conduit[0], "smp") == 0))
    fail(EXIT_USAGE, "--transport goes with --conduit ofi or --conduit ucx, one of them");
  for (unsigned c = 0; c < (s->conduits ? s->conduits : 1); c++)
    for (unsigned t = 0; t < (s->transports ? s->transports : 1); t++)
      s->target[s->targets++] = (struct target){s->conduit[c], s->transport[t]};
}

static void options_check(const struct settings *s)
{
  const unsigned hosts = s->hosts.count;
  if (hosts && !s->nodes) fail(EXIT_USAGE, "how many nodes do the hosts have together? -n N");
  if (s->nodes == 1) fail(EXIT_USAGE, "-n 1: tests have at least 2 nodes");
  if (s->raw && !s->conduits)
    fail(EXIT_USAGE,
        "--raw: on several hosts say which bare transport is meant: "
        "--conduit ofi or --conduit ucx");
  if (s->check && hosts)
    fail(EXIT_USAGE, "--check: the bounds are for nodes of one host; leave out the list of hosts");
  if (s->strict && !s->check && !s->vs) fail(EXIT_USAGE, "--strict goes with --check or --vs");
}

void settings_parse(int argc, char **argv, struct settings *s)
{
  int words_only = 0;
  *s = (struct settings){.noise = 5, .thread = {1}, .threads = 1};
  s->patterns = memory_needed(calloc((size_t)argc + 1, sizeof *s->patterns));
  for (int i = 1; i < argc; i++) {
    if (!words_only && strcmp(argv[i], "--") == 0) words_only = 1;
    else if (!words_only && argv[i][0] == '-' && argv[i][1]) i += argument_take(table, argv + i, s);
    else take_word(s, argv[i]);
  }
  if (s->check) s->raw = 1;
  take_environment(s);
  make_targets(s);
  options_check(s);
}
