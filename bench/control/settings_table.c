#include "bench/control/settings_table.h"

#include <stdio.h>
#include <string.h>

static const struct entry table[] = {
  {{"-n", "-np", "--nodes"}, "N", NODES, "nodes of a job, and the most of tests by node count (2; 8 or as many as processors)"},
  {{"-c", "--conduit"}, "NAME", CONDUIT, "smp, ofi or ucx; several, with commas (smp; with hosts: the library's choice)"},
  {{"--transport"}, "NAME", TRANSPORT, "libfabric's provider or UCX's transports (as UCX_TLS); may be repeated"},
  {{"-t", "--threads"}, "LIST", THREADS, "threads a node, of tests that have them: 4, or 1,2,4 (1)"},
  {{"--par"}, NULL, PAR, "all tests with the worker for GASNET_PAR, without other threads too"},
  {{"-s", "--sizes"}, "LIST", SIZES, "bytes: 8,64K,1M or 8:1M:x4 or 64:1K:+64, or a mixture"},
  {{"--time"}, "SECONDS", TIME, "for the whole run: divided among the points (60, at most 1 for each)"},
  {{"--rounds"}, "N", ROUNDS, "measure N rounds of each point, however long they take"},
  {{"-r", "--raw"}, NULL, RAW, "also the bare transport, in turn with ours: memory, libfabric or UCX; shows our efficiency"},
  {{"--unpinned"}, NULL, UNPINNED, "leave placement to the kernel; else each node of a host has a processor"},
  {{"--vs"}, "FILE", VS, "compare with an earlier run's --json"},
  {{"--noise"}, "PERCENT", NOISE, "a change of less is none (5)"},
  {{"--check"}, NULL, CHECK, "measure what has a bound, with --raw, and judge it"},
  {{"--strict"}, NULL, STRICT, "exit code 3 when --check finds one over its bound, or --vs finds one slower"},
  {{"--csv"}, NULL, CSV, "write comma-separated values instead of the table"},
  {{"--json"}, NULL, JSON, "write JSON, which --vs reads"},
  {{"-o", "--output"}, "FILE", OUTPUT, "write that to FILE; with --csv or --json the table is printed all the same"},
  {{"--plot"}, "DIR", PLOT, "write a chart of each test as SVG, and report.html with all of them"},
  {{"-H", "--host"}, "LIST", HOST_LIST, "run on these hosts: host1:4,host2:4"},
  {{"--hostfile"}, "FILE", HOST_FILE, "the same, a line each"},
  {{"-N"}, "H", HOSTS, "spread each job over the first H hosts (jobs of fewer nodes over as many hosts)"},
  {{"--rsh"}, "COMMAND", LAUNCH, "these are handed on to gasnetrun, see there"},
  {{"--timeout"}, "SECONDS", LAUNCH, NULL},
  {{"--interface"}, "LIST", LAUNCH, NULL},
  {{"--prefix"}, "DIR", LAUNCH, NULL},
  {{"--export"}, "LIST", LAUNCH, NULL},
  {{"-E", "--env"}, "VAR=VALUE", LAUNCH, NULL},
  {{"--launcher"}, "PATH", LAUNCHER, "start jobs with this gasnetrun (the one beside this program)"},
  {{"--worker-dir"}, "DIR", WORKERS, "where the programs lie that measure (where this was built or installed)"},
  {{"-v", "--verbose"}, NULL, VERBOSE, "tell which jobs are started"},
  {{"-h", "--help"}, NULL, HELP, "print this text"},
  {{"-V", "--version"}, NULL, VERSION, "print the version"},
};
#define TABLE_SIZE (sizeof table / sizeof *table)

void print_help(void)
{
  printf("usage: gasnetbench [options] [TEST...]\n"
         "       gasnetbench [options] list [TEST...]\n"
         "Measures this GASNet library: by default the usual tests, in a minute, on this host. A TEST is a name, a group's name or a\n"
         "shell pattern such as 'put_*'; `list` shows all.\n\n");
  for (unsigned i = 0; i < TABLE_SIZE; i++) {
    char left[64];
    int n = 0;
    for (unsigned k = 0; k < 3 && table[i].name[k]; k++)
      n += snprintf(left + n, sizeof left - (size_t)n, "%s%s", k ? ", " : "", table[i].name[k]);
    if (table[i].argument) snprintf(left + n, sizeof left - (size_t)n, " %s", table[i].argument);
    printf(table[i].help ? "  %-27s %s\n" : "  %s\n", left, table[i].help);
  }
  printf("\nFor each point are shown the median of its samples, the best and the 99th percentile. Times are of one operation; rates are\n"
         "their inverse.\n"
         "Exit code: 0 measured, 1 something could not be measured, 2 wrong command line, 3 see --strict, 130 interrupted.\n"
         "GASNETBENCH_OPTIONS in the environment has options for every run, as in '--rounds 1 --unpinned'.\n"
         "See gasnetbench(1).\n");
}

/* "-n4" and "--nodes=4" beside "-n 4": the attached value, "" for an exact match, NULL for neither. */
static const char *match(const char *arg, const char *name)
{
  const size_t n = strlen(name);
  if (strncmp(arg, name, n) != 0) return NULL;
  if (arg[n] == '\0') return "";
  if (name[1] == '-') return arg[n] == '=' ? arg + n + 1 : NULL;
  return n == 2 ? arg + n : NULL;
}

/* Exact names first: "-np" is not "-n" with the value "p". */
const struct entry *entry_find(const char *arg, const char **attached)
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
