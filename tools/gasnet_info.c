/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnet_info: what this installation is and can do here, and the environment variables that it heeds. */
#include <stdio.h>
#include <string.h>

#include "gasnet.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

static const char usage
    [] = "usage: gasnet_info [--report [--names] | --env] [--json]\n"
         "       gasnet_info --env --man | --vis-cost | --coll-cost | --version | --help\n"
         "  (nothing)    version, configuration, conduits and whether they work here, limits, launchers\n"
         "  --report     one page for a report of a fault: the same, the system, processors, memory, "
         "networks, and the\n"
         "               variables that are set; without names of hosts and users, and without addresses\n"
         "  --names      with them\n"
         "  --env        every environment variable: type, default, meaning, present value; names that are "
         "unknown;\n"
         "               exit code 1 when one of those that are set is not valid\n"
         "  --env --man  the same table as the ENVIRONMENT section of a manual page\n"
         "  --json       the same for programs\n"
         "  --vis-cost   the constants by which non-contiguous transfers choose between packed messages and\n"
         "               one transfer a piece, and from which size on a piece goes by itself\n"
         "  --coll-cost  the constants by which collectives choose their algorithms between groups of nodes\n"
         "               that share memory, and from which sizes on they take which\n"
         "  --version    the version alone\n"
         "  --help       this text\n";

static const char version[] = PENSTOCK_VERSION;

struct options {
  int env, man, json, report, names;
  void (*cost)(void); /* prints constants */
};

/* ---- what is printed ---- */

static void print_report(void)
{
  info_system();
  info_processors();
  info_memory();
  info_network();
  info_env_set();
}

static void print_facts(const struct options *o)
{
  info_begin(o->json ? INFO_JSON : INFO_TEXT, o->names || !o->report);
  if (o->json) info_fact("penstock", "%s", version);
  else printf("penstock %s\n", version);
  info_build();
  info_conduits();
  info_limits();
  info_launchers();
  if (o->report) print_report();
  else info_host();
  info_end();
  if (!o->json && !o->report)
    printf("\ngasnet_info --env lists the environment variables, --report prints what belongs into a report "
           "of a fault.\n");
}

static int print_environment(const struct options *o)
{
  int bad;
  if (!o->json) return info_env_table();
  info_begin(INFO_JSON, 1);
  bad = info_env_facts();
  info_end();
  return bad;
}

/* ---- the command line ---- */

static int misuse(const char *what, const char *which)
{
  fprintf(stderr, "gasnet_info: %s%s\n%s", what, which, usage);
  return 2;
}

static int option_take(struct options *o, const char *arg)
{
  if (strcmp(arg, "--env") == 0) o->env = 1;
  else if (strcmp(arg, "--man") == 0) o->man = 1;
  else if (strcmp(arg, "--vis-cost") == 0) o->cost = info_vis_cost;
  else if (strcmp(arg, "--coll-cost") == 0) o->cost = info_coll_cost;
  else if (strcmp(arg, "--json") == 0) o->json = 1;
  else if (strcmp(arg, "--report") == 0) o->report = 1;
  else if (strcmp(arg, "--names") == 0) o->names = 1;
  else return misuse(arg[0] == '-' ? "unknown option " : "unexpected argument ", arg);
  return 0;
}

static int options_check(const struct options *o)
{
  if (o->man && !o->env) return misuse("--man goes with --env", "");
  if (o->names && !o->report) return misuse("--names goes with --report", "");
  if (o->env && o->cost) return misuse("--env and options that print constants do not go together", "");
  if (o->report && (o->env || o->cost))
    return misuse("--report has all of --env that matters, and goes with --names and --json alone", "");
  if (o->json && (o->man || o->cost)) return misuse("--json goes with no option, --report or --env", "");
  return 0;
}

static int is_written(void)
{
  if (fflush(stdout) == 0 && !ferror(stdout)) return 1;
  fprintf(stderr, "gasnet_info: cannot write to standard output\n");
  return 0;
}

static int print_text(const char *text)
{
  fputs(text, stdout);
  return !is_written();
}

int main(int argc, char **argv)
{
  struct options o = {0};
  int bad = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) return print_text(usage);
    if (strcmp(argv[i], "--version") == 0) return print_text("penstock " PENSTOCK_VERSION "\n");
    if ((bad = option_take(&o, argv[i])) != 0) return bad;
  }
  if ((bad = options_check(&o)) != 0) return bad;
  if (o.man) info_env_manual();
  else if (o.env) bad = print_environment(&o) != 0;
  else if (o.cost) o.cost();
  else print_facts(&o);
  return is_written() ? bad : 1;
}
