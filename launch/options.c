#include "launch/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bootstrap/jobstate.h"
#include "gasnet_config.h"
#include "support/env.h"

enum id { NODES, HOSTS, VERBOSE, TAG, ENV, WORKDIR, HELP, VERSION };

static const struct option {
  const char *name[3];
  const char *argument; /* NULL: takes none */
  enum id id;
  const char *help;
} table[] = {
    {{"-n", "-np", "--nodes"}, "N", NODES, "start N processes (default: GASNET_PSHM_NODES)"},
    {{"-N", NULL, NULL}, "H", HOSTS, "use H hosts; only 1, this one, is possible"},
    {{"-l", "--tag-output", NULL}, NULL, TAG, "put \"[node] \" before each line of output"},
    {{"-E", "--env", NULL}, "VAR=VALUE", ENV, "set a variable for the program; may be repeated"},
    {{"-wd", "--workdir", NULL}, "DIR", WORKDIR, "start the program in DIR"},
    {{"-v", "--verbose", NULL}, NULL, VERBOSE, "tell how each process is started and how it ended"},
    {{"-h", "--help", NULL}, NULL, HELP, "print this text"},
    {{"-V", "--version", NULL}, NULL, VERSION, "print the version"},
};
#define TABLE_SIZE (sizeof table / sizeof *table)

static const char *my_name = "gasnetrun";

void fail(int code, const char *fmt, ...)
{
  char text[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  fflush(stdout);
  dprintf(STDERR_FILENO, "%s: %s\n", my_name, text);
  exit(code);
}

static void print_help(void)
{
  printf("usage: %s -n N [options] program [arguments]\n"
         "Starts N processes of a GASNet program on this host as one job.\n\n",
         my_name);
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
         "executed or found. See gasnetrun(1).\n");
}

static void print_version(void)
{
  printf("gasnetrun (Penstock) %s\n", PENSTOCK_VERSION);
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

/* Other launchers of GASNet programs take a list of names here, for variables to be carried to other hosts. On
 * one host the whole environment is there already, so such a list is checked and has no further effect. */
static void take_env(const char *option, const char *text)
{
  const char *eq = strchr(text, '=');
  if (eq) {
    char *copy = strdup(text);
    if (!copy) fail(1, "out of memory");
    copy[eq - text] = '\0';
    if (!is_name(text, (size_t)(eq - text))) fail(EXIT_MISUSE, "%s %s: '%s' is no name of a variable", option, text, copy);
    if (setenv(copy, eq + 1, 1) != 0) fail(1, "out of memory");
    free(copy);
    return;
  }
  for (const char *p = text;; p++) {
    size_t n = strcspn(p, ",");
    if (!is_name(p, n)) fail(EXIT_MISUSE, "%s %s: neither VAR=VALUE nor a list of names", option, text);
    p += n;
    if (!*p) return;
  }
}

static void take(const struct option *opt, const char *spelled, const char *value, struct options *o)
{
  switch (opt->id) {
    case NODES: o->nodes = parse_count(spelled, value, PST_MAX_LOCAL); return;
    case HOSTS:
      if (strcmp(value, "1") != 0) fail(EXIT_MISUSE, "%s %s: only one host is possible", spelled, value);
      return;
    case VERBOSE: o->verbose = 1; return;
    case TAG: o->tag_output = 1; return;
    case ENV: take_env(spelled, value); return;
    case WORKDIR: o->workdir = value; return;
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

void options_parse(int argc, char **argv, struct options *o)
{
  if (argc > 0 && argv[0]) {
    const char *slash = strrchr(argv[0], '/');
    my_name = slash ? slash + 1 : argv[0];
  }
  memset(o, 0, sizeof *o);
  int first = parse_options(argc, argv, o);
  if (first >= argc) fail(EXIT_MISUSE, "no program; see %s --help", my_name);
  if (!o->nodes && pst_env_is_set(PST_ENV_PSHM_NODES))
    o->nodes = parse_count("GASNET_PSHM_NODES", getenv("GASNET_PSHM_NODES"), PST_MAX_LOCAL);
  if (!o->nodes) fail(EXIT_MISUSE, "how many processes? -n N, or GASNET_PSHM_NODES in the environment");
  if (pst_env_bool(PST_ENV_SPAWN_VERBOSE)) o->verbose = 1;
  o->program = argv + first;
}
