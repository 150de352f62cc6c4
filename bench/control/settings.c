/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/run.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gasnet_config.h"
#include "launch/arguments.h"
#include "support/parse.h"

/* ---- lists ---- */

static size_t parse_number(const struct argument *a, const char *option, const char *text)
{
  uint64_t v;
  if (pst_parse_size(text, 1, &v) != 0)
    fail(EXIT_MISUSE, "%s: '%s' is no number; write 8, 64K, 1M or 8:1M:x4", option, text);
  if ((double)v < a->least || (double)v > a->most)
    fail(EXIT_MISUSE, "%s %s: %.0f to %.0f are possible", option, text, a->least, a->most);
  return (size_t)v;
}

static void add_number(struct numbers *n, const char *option, size_t v)
{
  unsigned at = n->count;
  while (at > 0 && n->value[at - 1] >= v) at--;
  if (at < n->count && n->value[at] == v) return;
  if (n->count == NUMBERS_MOST) fail(EXIT_MISUSE, "%s: more than %d numbers", option, NUMBERS_MOST);
  memmove(&n->value[at + 1], &n->value[at], (n->count++ - at) * sizeof *n->value);
  n->value[at] = v;
}

/* "8,64K", "8:1M" by factors of 2, "8:1M:x4", "64:1K:+64". */
ARGUMENT_TAKE(numbers)
{
  struct numbers *n = (void *)((char *)settings + a->at);
  char *copy = memory_needed(strdup(value)), *rest = copy, *item;
  while ((item = strsep(&rest, ",")) != NULL) {
    const char *from = strsep(&item, ":"), *to = strsep(&item, ":"), *step = item ? item : "x2";
    const size_t last = parse_number(a, spelled, to ? to : from);
    const size_t by = *step == 'x' || *step == '+' ? parse_number(a, spelled, step + 1) : 0;
    double v = (double)parse_number(a, spelled, from);
    if (v > (double)last) fail(EXIT_MISUSE, "%s: %s is more than %s", spelled, from, to);
    if (!by || (*step == 'x' && by == 1))
      fail(EXIT_MISUSE, "%s: the step '%s' is neither like x4 nor like +64", spelled, step);
    for (; v <= (double)last; v = *step == 'x' ? v * (double)by : v + (double)by)
      add_number(n, spelled, (size_t)v);
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

/* ---- tests ---- */

/* By its name: 2; by its group's, or a pattern: 1. */
static int pattern_matches(const char *pattern, const struct bench_test *t)
{
  if (strcmp(pattern, t->name) == 0) return 2;
  return strcmp(pattern, t->group) == 0 || fnmatch(pattern, t->name, 0) == 0;
}

static void take_word(struct settings *s, char *word)
{
  const struct bench_test *t;
  for (unsigned i = 0; (t = bench_test_at(i)) != NULL && !pattern_matches(word, t);) i++;
  if (!t) fail(EXIT_MISUSE, "no test is called '%s'; gasnetbench list shows all", word);
  s->patterns[s->pattern_count++] = word;
}

int settings_mean(const struct settings *s, const struct bench_test *t)
{
  int most = 0;
  for (unsigned i = 0; i < s->pattern_count; i++) {
    const int meant = pattern_matches(s->patterns[i], t);
    if (meant > most) most = meant;
  }
  return most;
}

/* ---- the whole ---- */

static void settings_finish(struct settings *s)
{
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

void settings_parse(int argc, char **argv, struct settings *s)
{
  int words_only = 0;
  *s = (struct settings){.noise = 5};
  s->patterns = memory_needed(calloc((size_t)argc + 1, sizeof *s->patterns));
  for (int i = 1; i < argc; i++) {
    if (!words_only && strcmp(argv[i], "--") == 0) words_only = 1;
    else if (!words_only && argv[i][0] == '-' && argv[i][1]) i += argument_take(table, argv + i, s);
    else if (!s->pattern_count && !s->list && strcmp(argv[i], "list") == 0) s->list = 1;
    else take_word(s, argv[i]);
  }
  settings_finish(s);
}
