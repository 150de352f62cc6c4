#include "launch/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bootstrap/jobstate.h"
#include "gasnet_config.h"
#include "launch/tools.h"
#include "support/env.h"
#include "support/parse.h"

enum id {
  NODES, HOSTS, HOST_LIST, HOST_FILE, RSH, TIMEOUT, INTERFACE, PREFIX, EXPORT, VERBOSE, TAG, ENV, WORKDIR, PROFILE, TIMELINE, OTF2, HELP, VERSION
};

static const struct option {
  const char *name[3];
  const char *argument; /* NULL: takes none */
  enum id id;
  const char *help;
} table[] = {
    {{"-n", "-np", "--nodes"}, "N", NODES, "start N processes (default: GASNET_PSHM_NODES)"},
    {{"-H", "--host", NULL}, "LIST", HOST_LIST, "start them on these hosts: host1:4,host2:4 (default: GASNET_HOSTS)"},
    {{"--hostfile", NULL, NULL}, "FILE", HOST_FILE, "the same, a line each"},
    {{"-N", NULL, NULL}, "H", HOSTS, "spread them evenly over the first H hosts"},
    {{"--rsh", NULL, NULL}, "COMMAND", RSH, "reach a host by COMMAND HOST ... (default: GASNET_RSH, or ssh)"},
    {{"--timeout", NULL, NULL}, "SECONDS", TIMEOUT, "how long the hosts may take to start (default: 30)"},
    {{"--interface", NULL, NULL}, "LIST", INTERFACE, "interfaces or addresses of this host for the others"},
    {{"--prefix", NULL, NULL}, "DIR", PREFIX, "gasnetrun is DIR/bin/gasnetrun on the hosts"},
    {{"--export", NULL, NULL}, "LIST", EXPORT, "which variables reach other hosts: all, or these names"},
    {{"-l", "--tag-output", NULL}, NULL, TAG, "put \"[node] \" before each line of output"},
    {{"-E", "--env", NULL}, "VAR=VALUE", ENV, "set a variable for the program; may be repeated"},
    {{"-wd", "--workdir", NULL}, "DIR", WORKDIR, "start the program in DIR"},
    {{"-v", "--verbose", NULL}, NULL, VERBOSE, "tell how each process is started, by what it talks and how it ended"},
    {{"--profile", NULL, NULL}, NULL, PROFILE, "UPC and OpenSHMEM programs: print where the time went at the end"},
    {{"--timeline", NULL, NULL}, "FILE", TIMELINE, "UPC and OpenSHMEM programs: write a trace for Perfetto or Chrome"},
    {{"--otf2", NULL, NULL}, "DIR", OTF2, "UPC and OpenSHMEM programs: write an archive in the Open Trace Format 2"},
    {{"-h", "--help", NULL}, NULL, HELP, "print this text"},
    {{"-V", "--version", NULL}, NULL, VERSION, "print the version"},
};
#define TABLE_SIZE (sizeof table / sizeof *table)

static const char *my_name = "gasnetrun";
void (*fail_report)(int code, const char *text);
static const char *nodes_option, *nodes_text; /* what is possible is known when the hosts are */
static unsigned use_hosts; /* -N */

void fail(int code, const char *fmt, ...)
{
  char text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  fflush(stdout);
  if (fail_report) fail_report(code, text);
  dprintf(STDERR_FILENO, "%s: %s\n", my_name, text);
  exit(code);
}

/* The same program, as users of OpenSHMEM expect to find it. */
static int is_oshrun(void) { return strcmp(my_name, "oshrun") == 0; }

static void print_help(void)
{
  printf("usage: %s %s N [options] program [arguments]\n"
         "Starts N processes of %s program as one job, on this host or on several.\n\n",
         my_name, is_oshrun() ? "-np" : "-n", is_oshrun() ? "an OpenSHMEM" : "a GASNet");
  for (unsigned i = 0; i < TABLE_SIZE; i++) {
    char left[64];
    int n = 0;
    for (unsigned k = 0; k < 3 && table[i].name[k]; k++)
      n += snprintf(left + n, sizeof left - (size_t)n, "%s%s", k ? ", " : "", table[i].name[k]);
    if (table[i].argument) snprintf(left + n, sizeof left - (size_t)n, " %s", table[i].argument);
    printf("  %-26s %s\n", left, table[i].help);
  }
  printf("\nThe first argument that is no option is the program. Standard input goes to node 0.\n"
         "The exit code is the job's: the first non-zero code of a process, 128 + the number of the\n"
         "signal that killed one, 2 for a wrong command line, 126 or 127 where the program cannot be\n"
         "executed or found. See %s(1).\n", is_oshrun() ? my_name : "gasnetrun");
}

static void print_version(void)
{
  printf("%s (Penstock) %s\n", is_oshrun() ? my_name : "gasnetrun", PENSTOCK_VERSION);
}

/* Output that nobody received is no success: `gasnetrun --help > /dev/full`. */
static _Noreturn void finish(void)
{
  if (fflush(stdout) != 0 || ferror(stdout)) fail(1, "cannot write: %s", strerror(errno));
  exit(0);
}

/* "-n4" and "--nodes=4" beside "-n 4": returns the attached value, "" for an exact match, NULL for neither. */
static const char *match(const char *arg, const char *name)
{
  size_t n = strlen(name);
  if (strncmp(arg, name, n) != 0) return NULL;
  if (arg[n] == '\0') return "";
  if (name[1] == '-') return arg[n] == '=' ? arg + n + 1 : NULL;
  return n == 2 ? arg + n : NULL;
}

/* Exact names first: "-np" is not "-n" with the value "p". */
static const struct option *find(const char *arg, const char **attached)
{
  for (int exact = 1; exact >= 0; exact--)
    for (unsigned i = 0; i < TABLE_SIZE; i++)
      for (unsigned k = 0; k < 3 && table[i].name[k]; k++) {
        const char *value = match(arg, table[i].name[k]);
        if (!value || (exact && arg[strlen(table[i].name[k])])) continue;
        *attached = exact ? NULL : value;
        return &table[i];
      }
  return NULL;
}

static unsigned parse_count(const char *option, const char *text, unsigned most)
{
  char *end;
  errno = 0;
  unsigned long v = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end) fail(EXIT_MISUSE, "%s %s: not a number; 1 to %u are possible", option, text, most);
  if (errno || v < 1 || v > most) fail(EXIT_MISUSE, "%s %s: 1 to %u are possible", option, text, most);
  return (unsigned)v;
}

static int is_name(const char *s, size_t n)
{
  if (n == 0 || (s[0] >= '0' && s[0] <= '9')) return 0;
  return strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") >= n;
}

static void note_set(char *name, struct options *o)
{
  unsigned n = 0;
  while (o->set && o->set[n]) n++;
  char **grown = realloc(o->set, (n + 2) * sizeof *grown);
  if (!grown) fail(1, "out of memory");
  o->set = grown;
  o->set[n] = name;
  o->set[n + 1] = NULL;
}

/* Other launchers of GASNet programs take a list of names here, for variables to be carried to other hosts. Here
 * all are carried unless --export says otherwise, so such a list is checked and has no further effect. */
static void take_env(const char *option, const char *text, struct options *o)
{
  const char *eq = strchr(text, '=');
  if (eq) {
    char *copy = strdup(text);
    if (!copy) fail(1, "out of memory");
    copy[eq - text] = '\0';
    if (!is_name(text, (size_t)(eq - text))) fail(EXIT_MISUSE, "%s %s: '%s' is no name of a variable", option, text, copy);
    if (setenv(copy, eq + 1, 1) != 0) fail(1, "out of memory");
    note_set(copy, o);
    return;
  }
  for (const char *p = text;; p++) {
    size_t n = strcspn(p, ",");
    if (!is_name(p, n)) fail(EXIT_MISUSE, "%s %s: neither VAR=VALUE nor a list of names", option, text);
    p += n;
    if (!*p) return;
  }
}

static double parse_timeout(const char *option, const char *text)
{
  const double most = 86400;
  double v;
  if (pst_parse_seconds(text, &v) != 0 || v < 1 || v > most) fail(EXIT_MISUSE, "%s %s: 1 to %.0f seconds are possible", option, text, most);
  return v;
}

static const char *parse_names(const char *option, const char *text)
{
  for (const char *p = text;; p++) {
    size_t n = strcspn(p, ",");
    if (!is_name(p, n)) fail(EXIT_MISUSE, "%s %s: not a list of names of variables", option, text);
    p += n;
    if (!*p) return text;
  }
}

static void take(const struct option *opt, const char *spelled, const char *value, struct options *o)
{
  switch (opt->id) {
    case NODES:
      nodes_option = spelled;
      nodes_text = value;
      return;
    case HOSTS: use_hosts = parse_count(spelled, value, PST_MAX_HOSTS); return;
    case HOST_LIST: hosts_take_list(&o->hosts, spelled, value); return;
    case HOST_FILE: hosts_take_file(&o->hosts, value); return;
    case RSH: o->rsh = value; return;
    case TIMEOUT: o->timeout = parse_timeout(spelled, value); return;
    case INTERFACE: o->interface = value; return;
    case PREFIX: o->prefix = value; return;
    case EXPORT: o->export = parse_names(spelled, value); return;
    case VERBOSE: o->verbose = 1; return;
    case TAG: o->tag_output = 1; return;
    case ENV: take_env(spelled, value, o); return;
    case WORKDIR: o->workdir = value; return;
    case PROFILE: tools_take("profile", NULL); return;
    case TIMELINE: tools_take("timeline", value); return;
    case OTF2: tools_take("otf2", value); return;
    case HELP: print_help(); finish();
    case VERSION: print_version(); finish();
  }
}

/* Returns the index of the first argument that is no option. */
static int parse_options(int argc, char **argv, struct options *o)
{
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
    const char *value, *spelled;
    if (strcmp(argv[i], "--") == 0) return i + 1;
    const struct option *opt = find(argv[i], &value);
    if (!opt) fail(EXIT_MISUSE, "unknown option '%s'; see %s --help", argv[i], my_name);
    spelled = value ? opt->name[0] : argv[i];
    if (value && !opt->argument) fail(EXIT_MISUSE, "option '%s' takes no value", argv[i]);
    if (opt->argument && !value && !(value = argv[++i]))
      fail(EXIT_MISUSE, "option '%s' needs a value: %s", spelled, opt->argument);
    take(opt, spelled, value, o);
  }
  return i;
}

/* The environment's part, where the command line says nothing. */
static void take_environment(struct options *o)
{
  if (!o->hosts.count && pst_env_is_set(PST_ENV_HOSTS)) hosts_take_list(&o->hosts, "GASNET_HOSTS", pst_env_string(PST_ENV_HOSTS));
  if (!o->rsh && pst_env_is_set(PST_ENV_RSH)) o->rsh = pst_env_string(PST_ENV_RSH);
  if (!o->interface && pst_env_is_set(PST_ENV_SPAWN_INTERFACE)) o->interface = pst_env_string(PST_ENV_SPAWN_INTERFACE);
  if (!nodes_text && pst_env_is_set(PST_ENV_PSHM_NODES)) {
    nodes_option = "GASNET_PSHM_NODES";
    nodes_text = getenv(nodes_option);
  }
}

static void count_nodes(struct options *o)
{
  const unsigned hosts = o->hosts.count;
  if (use_hosts > 1 && !hosts) fail(EXIT_MISUSE, "-N %u: only one host without -H, --hostfile or GASNET_HOSTS", use_hosts);
  if (nodes_text) o->nodes = parse_count(nodes_option, nodes_text, hosts ? hosts * PST_MAX_LOCAL : PST_MAX_LOCAL);
  if (hosts) o->nodes = hosts_share(&o->hosts, o->nodes, use_hosts);
  if (!o->nodes) fail(EXIT_MISUSE, "how many processes? %s N, or GASNET_PSHM_NODES in the environment", is_oshrun() ? "-np" : "-n");
}

/* As gasnetrun_CONDUIT it asks for that conduit, as clients of GASNet expect. */
static void take_name(void)
{
  static const char prefix[] = "gasnetrun_";
  if (strncmp(my_name, prefix, sizeof prefix - 1) == 0) setenv("GASNET_CONDUIT", my_name + sizeof prefix - 1, 0);
}

void options_parse(int argc, char **argv, struct options *o)
{
  if (argc > 0 && argv[0]) {
    const char *slash = strrchr(argv[0], '/');
    my_name = slash ? slash + 1 : argv[0];
  }
  memset(o, 0, sizeof *o);
  o->export = "all";
  int first = parse_options(argc, argv, o);
  if (first >= argc) fail(EXIT_MISUSE, "no program; see %s --help", my_name);
  take_name();
  take_environment(o);
  count_nodes(o);
  if (o->verbose) setenv("GASNET_SPAWN_VERBOSE", "1", 1);
  else o->verbose = pst_env_bool(PST_ENV_SPAWN_VERBOSE);
  if (o->timeout == 0) o->timeout = pst_env_double(PST_ENV_SPAWN_TIMEOUT);
  tools_prepare();
  o->program = argv + first;
}
