#include "bench/control/settings.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/catalogue.h"
#include "bench/control/settings_table.h"
#include "gasnet_config.h"
#include "launch/options.h"
#include "support/parse.h"

/* Output that nobody received is no success. */
static _Noreturn void finish(void)
{
  if (fflush(stdout) != 0 || ferror(stdout)) fail(1, "cannot write: %s", strerror(errno));
  exit(0);
}

/* ---- values ---- */

static unsigned parse_count(const char *option, const char *text, unsigned least, unsigned most)
{
  int64_t v;
  if (pst_parse_int(text, &v) != 0 || v < least || v > most) fail(EXIT_USAGE, "%s %s: %u to %u are possible", option, text, least, most);
  return (unsigned)v;
}

static double parse_number(const char *option, const char *text, double least, double most)
{
  double v;
  if (pst_parse_double(text, &v) != 0 || !(v >= least && v <= most)) fail(EXIT_USAGE, "%s %s: %g to %g are possible", option, text, least, most);
  return v;
}

static void take_threads(struct settings *s, const char *option, const char *text)
{
  char *copy = strdup(text), *rest = copy;
  if (!copy) fail(1, "out of memory");
  s->threads = 0;
  for (char *item; (item = strsep(&rest, ",")) != NULL;) {
    const unsigned n = parse_count(option, item, 1, 256);
    if (s->threads == THREADS_MOST) fail(EXIT_USAGE, "%s %s: more than %d counts", option, text, THREADS_MOST);
    if (s->threads && n <= s->thread[s->threads - 1]) fail(EXIT_USAGE, "%s %s: the counts must ascend", option, text);
    s->thread[s->threads++] = n;
  }
  free(copy);
}

static const char *conduits[8];
static unsigned conduit_count;
static const char *transports[TARGETS_MOST];
static unsigned transport_count;

static void take_conduits(const char *option, const char *text)
{
  static const char *const known[] = {"smp", "ofi", "ucx"};
  for (const char *p = text;; p++) {
    const size_t n = strcspn(p, ",");
    unsigned k = 0;
    while (k < 3 && (strlen(known[k]) != n || memcmp(known[k], p, n) != 0)) k++;
    if (k == 3) fail(EXIT_USAGE, "%s %s: '%.*s' is none of smp, ofi, ucx", option, text, (int)n, p);
    for (unsigned i = 0; i < conduit_count; i++)
      if (conduits[i] == known[k]) fail(EXIT_USAGE, "%s %s: %s twice", option, text, known[k]);
    conduits[conduit_count++] = known[k];
    p += n;
    if (!*p) return;
  }
}

static void take_transport(const char *option, const char *text)
{
  if (transport_count == TARGETS_MOST) fail(EXIT_USAGE, "%s %s: more than %d transports", option, text, TARGETS_MOST);
  if (!*text || strlen(text) >= 96) fail(EXIT_USAGE, "%s: a name has 1 to 95 characters", option);
  for (const char *p = text; *p; p++)
    if ((unsigned char)*p <= ' ' || (unsigned char)*p > 126) fail(EXIT_USAGE, "%s '%s': no name of a transport has such characters", option, text);
  transports[transport_count++] = text;
}

static void launch_option(struct settings *s, const char *name, const char *value)
{
  if (s->launch_count + 2 > LAUNCH_MOST) fail(EXIT_USAGE, "too many options for gasnetrun; %d are possible", LAUNCH_MOST / 2);
  s->launch[s->launch_count++] = name;
  s->launch[s->launch_count++] = value;
}

static void take_hosts(struct settings *s, const struct entry *e, const char *value)
{
  if (e->id == HOST_FILE) hosts_take_file(&s->hosts, value);
  else hosts_take_list(&s->hosts, e->name[0], value);
  s->hosts_text = value;
  launch_option(s, e->name[0], value);
}

static void take_format(struct settings *s, enum format format)
{
  if (s->format != FORMAT_TABLE && s->format != format) fail(EXIT_USAGE, "--csv and --json: one of them at a time");
  s->format = format;
}

static void take(struct settings *s, const struct entry *e, const char *spelled, const char *value)
{
  switch (e->id) {
    case NODES: s->nodes = parse_count(spelled, value, 1, PST_MAX_HOSTS * PST_MAX_LOCAL); return;
    case HOST_LIST:
    case HOST_FILE: take_hosts(s, e, value); return;
    case HOSTS: s->use_hosts = parse_count(spelled, value, 1, PST_MAX_HOSTS); return;
    case LAUNCH: launch_option(s, e->name[0], value); return;
    case CONDUIT: take_conduits(spelled, value); return;
    case TRANSPORT: take_transport(spelled, value); return;
    case THREADS: take_threads(s, spelled, value); return;
    case PAR: s->par = 1; return;
    case SIZES: sizes_take(s, spelled, value); return;
    case TIME: s->time = parse_number(spelled, value, 0.1, 1e6); s->time_said = 1; return;
    case ROUNDS: s->rounds = parse_count(spelled, value, 1, 10001); return;
    case RAW: s->raw = 1; return;
    case UNPINNED: s->unpinned = 1; return;
    case VS: s->vs = value; return;
    case NOISE: s->noise = parse_number(spelled, value, 0, 1000); return;
    case CHECK: s->check = 1; return;
    case STRICT: s->strict = 1; return;
    case CSV: take_format(s, FORMAT_CSV); return;
    case JSON: take_format(s, FORMAT_JSON); return;
    case OUTPUT: s->output = value; return;
    case PLOT: s->plot = value; return;
    case LAUNCHER: s->launcher = value; return;
    case WORKERS: s->workers = value; return;
    case VERBOSE: s->verbose = 1; return;
    case HELP: print_help(); finish();
    case VERSION: printf("gasnetbench (Penstock) %s\n", PENSTOCK_VERSION); finish();
  }
}

/* ---- the whole ---- */

/* An option and its value; how many further arguments it has taken. */
static int take_option(struct settings *s, char **argv)
{
  const char *value;
  const struct entry *e = entry_find(argv[0], &value);
  if (!e) fail(EXIT_USAGE, "unknown option '%s'; see gasnetbench --help", argv[0]);
  const char *spelled = value ? e->name[0] : argv[0];
  if (value && !e->argument) fail(EXIT_USAGE, "option '%s' takes no value", argv[0]);
  const int further = e->argument && !value;
  if (further) value = argv[1];
  if (e->argument && !value) fail(EXIT_USAGE, "option '%s' needs a value: %s", spelled, e->argument);
  take(s, e, spelled, value);
  return further;
}

static void check_pattern(const char *pattern)
{
  const struct bench_test *t;
  for (unsigned i = 0; (t = bench_test_at(i)) != NULL; i++)
    if (strcmp(pattern, t->group) == 0 || fnmatch(pattern, t->name, 0) == 0) return;
  fail(EXIT_USAGE, "no test is called '%s'; gasnetbench list shows all", pattern);
}

static void take_word(struct settings *s, char *word)
{
  if (s->pattern_count == 0 && !s->list && strcmp(word, "list") == 0) {
    s->list = 1;
    return;
  }
  check_pattern(word);
  s->patterns[s->pattern_count++] = word;
}

int settings_mean(const struct settings *s, const char *name)
{
  const struct bench_test *t = bench_test_named(name);
  int meant = 0;
  for (unsigned i = 0; i < s->pattern_count && meant < 2; i++) {
    if (strcmp(s->patterns[i], name) == 0) meant = 2;
    else if (strcmp(s->patterns[i], t->group) == 0 || fnmatch(s->patterns[i], name, 0) == 0) meant = 1;
  }
  return meant;
}

/* Options for every run, before those of the command line; separated by blanks, so that no value has one. */
static void take_preset(struct settings *s)
{
  enum { WORDS_MOST = 64 };
  const char *text = getenv("GASNETBENCH_OPTIONS");
  char *word[WORDS_MOST + 1], *rest;
  unsigned n = 0;
  if (!text) return;
  if (!(rest = s->preset = strdup(text))) fail(1, "out of memory");
  for (char *w; (w = strsep(&rest, " \t\n")) != NULL;) {
    if (!*w) continue;
    if (n == WORDS_MOST) fail(EXIT_USAGE, "GASNETBENCH_OPTIONS: more than %d words", WORDS_MOST);
    word[n++] = w;
  }
  word[n] = NULL;
  for (unsigned i = 0; i < n; i++) {
    if (word[i][0] != '-') fail(EXIT_USAGE, "GASNETBENCH_OPTIONS: '%s' is no option", word[i]);
    i += (unsigned)take_option(s, word + i);
  }
}

/* gasnetrun heeds it where no option names hosts. */
static void take_environment(struct settings *s)
{
  const char *hosts = getenv("GASNET_HOSTS");
  if (s->hosts.count || !hosts || !*hosts) return;
  hosts_take_list(&s->hosts, "GASNET_HOSTS", hosts);
  s->hosts_text = hosts;
}

/* Each conduit with each transport that is named; a transport belongs to one conduit. */
static void make_targets(struct settings *s)
{
  if (!conduit_count && !s->hosts.count) conduits[conduit_count++] = "smp";
  if (transport_count && (conduit_count != 1 || strcmp(conduits[0], "smp") == 0))
    fail(EXIT_USAGE, "--transport goes with --conduit ofi or --conduit ucx, one of them");
  for (unsigned c = 0; c < (conduit_count ? conduit_count : 1); c++)
    for (unsigned t = 0; t < (transport_count ? transport_count : 1); t++)
      s->target[s->targets++] = (struct target){conduits[c], transports[t]};
}

static void check_together(const struct settings *s)
{
  if (s->use_hosts > s->hosts.count) fail(EXIT_USAGE, "-N %u: only %u hosts are named", s->use_hosts, s->hosts.count);
  if (s->hosts.count && !s->nodes) fail(EXIT_USAGE, "how many nodes do the hosts have together? -n N");
  if (s->nodes == 1) fail(EXIT_USAGE, "-n 1: tests have at least 2 nodes");
  if (s->raw && !s->target[0].conduit) fail(EXIT_USAGE, "--raw: on several hosts say which bare transport is meant: --conduit ofi or --conduit ucx");
  if (s->check && s->hosts.count) fail(EXIT_USAGE, "--check: the bounds are for nodes of one host; leave out the list of hosts");
  if (s->strict && !s->check && !s->vs) fail(EXIT_USAGE, "--strict goes with --check or --vs");
}

void settings_parse(int argc, char **argv, struct settings *s)
{
  int words_only = 0;
  *s = (struct settings){.time = 60, .noise = 5, .thread = {1}, .threads = 1};
  s->patterns = calloc((size_t)argc + 1, sizeof *s->patterns);
  if (!s->patterns) fail(1, "out of memory");
  take_preset(s);
  for (int i = 1; i < argc; i++) {
    if (!words_only && strcmp(argv[i], "--") == 0) words_only = 1;
    else if (!words_only && argv[i][0] == '-' && argv[i][1]) i += take_option(s, argv + i);
    else take_word(s, argv[i]);
  }
  if (s->check) s->raw = 1;
  take_environment(s);
  make_targets(s);
  check_together(s);
}

void settings_free(struct settings *s)
{
  hosts_free(&s->hosts);
  free(s->patterns);
  free(s->preset);
}
