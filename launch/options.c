/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/jobstate.h"
#include "gasnet_config.h"
#include "bootstrap/variables.h"
#include "launch/tools.h"
#include "launch/variables.h"
#include "support/env.h"
#include "support/parse.h"
#include "support/variables.h"

static const char *nodes_option, *nodes_text; /* what is possible is known when the hosts are */

/* The same program, as users of languages expect to find it. The first entry is for all other names. */
static const struct name {
  const char *program, *kind, *nodes; /* kind: of programs; nodes: the option for their number */
} names[] = {
    {"gasnetrun", "a GASNet", "-n"},
    {"oshrun", "an OpenSHMEM", "-np"},
    {"xmprun", "an XcalableMP", "-np"},
    {"cafrun", "a coarray", "-n"},
};
static const struct name *name_of_program(void)
{
  for (size_t i = 1; i < sizeof names / sizeof *names; i++)
    if (strcmp(program_name, names[i].program) == 0) return &names[i];
  return &names[0];
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

/* Other launchers of GASNet programs take a list of names here, for variables to be carried to other
 * hosts. Here all are carried unless --export says otherwise, so such a list is checked and has no
 * further effect. */
ARGUMENT_TAKE(env)
{
  const char *eq = strchr(value, '=');
  if (eq) {
    char *copy = strdup(value);
    if (!copy) fail(1, "out of memory");
    copy[eq - value] = '\0';
    if (!is_name(value, (size_t)(eq - value)))
      fail(EXIT_MISUSE, "%s %s: '%s' is no name of a variable", spelled, value, copy);
    if (setenv(copy, eq + 1, 1) != 0) fail(1, "out of memory");
    note_set(copy, settings);
    return;
  }
  for (const char *p = value;; p++) {
    size_t n = strcspn(p, ",");
    if (!is_name(p, n)) fail(EXIT_MISUSE, "%s %s: neither VAR=VALUE nor a list of names", spelled, value);
    p += n;
    if (!*p) return;
  }
}

ARGUMENT_TAKE(timeout)
{
  const double most = 86400;
  double v;
  if (pst_parse_seconds(value, &v) != 0 || v < 1 || v > most)
    fail(EXIT_MISUSE, "%s %s: 1 to %.0f seconds are possible", spelled, value, most);
  ((struct options *)settings)->timeout = v;
}

ARGUMENT_TAKE(export)
{
  for (const char *p = value;; p++) {
    size_t n = strcspn(p, ",");
    if (!is_name(p, n)) fail(EXIT_MISUSE, "%s %s: not a list of names of variables", spelled, value);
    p += n;
    if (!*p) break;
  }
  ((struct options *)settings)->export = value;
}

ARGUMENT_TAKE(nodes)
{
  nodes_option = spelled;
  nodes_text = value;
}

ARGUMENT_TAKE(hosts) { hosts_take_list(&((struct options *)settings)->hosts, spelled, value); }

ARGUMENT_TAKE(host_file) { hosts_take_file(&((struct options *)settings)->hosts, value); }

/* The tool is named as the option is. */
ARGUMENT_TAKE(tool) { tools_take(a->name[0] + 2, value); }

enum { ROWS = 19 };
static const struct argument table[ROWS];

ARGUMENT_TAKE(help)
{
  const struct name *const name = name_of_program();
  printf("usage: %s %s N [options] program [arguments]\n"
         "Starts N processes of %s program as one job, on this host or on several.\n\n",
      program_name, name->nodes, name->kind);
  argument_print_help(table, 26);
  printf("\nThe first argument that is no option is the program. Standard input goes to node 0.\n"
         "The exit code is the job's: the first non-zero code of a process, 128 + the number of the\n"
         "signal that killed one, 2 for a wrong command line, 126 or 127 where the program cannot be\n"
         "executed or found. See %s(1).\n",
      name->program);
  argument_finish();
}

ARGUMENT_TAKE(version)
{
  printf("%s (Penstock) %s\n", name_of_program()->program, PENSTOCK_VERSION);
  argument_finish();
}

#define AT(member) .at = offsetof(struct options, member)
static const struct argument table[ROWS] = {
    {{"-n", "-np", "--nodes"}, "N", "start N processes (default: GASNET_PSHM_NODES)", .take = take_nodes},
    {{"-H", "--host"}, "LIST", "start them on these hosts: host1:4,host2:4 (default: GASNET_HOSTS)",
        .take = take_hosts},
    {{"--hostfile"}, "FILE", "the same, a line each", .take = take_host_file},
    {{"-N"}, "H", "spread them evenly over the first H hosts", .take = argument_count, AT(use_hosts),
        .least = 1, .most = PST_MAX_HOSTS},
    {{"--rsh"}, "COMMAND", "reach a host by COMMAND HOST ... (default: GASNET_RSH, or ssh)",
        .take = argument_text, AT(rsh)},
    {{"--timeout"}, "SECONDS", "how long the hosts may take to start (default: 30)", .take = take_timeout},
    {{"--interface"}, "LIST", "interfaces or addresses of this host for the others", .take = argument_text,
        AT(interface)},
    {{"--prefix"}, "DIR", "gasnetrun is DIR/bin/gasnetrun on the hosts", .take = argument_text, AT(prefix)},
    {{"--export"}, "LIST", "which variables reach other hosts: all, or these names", .take = take_export},
    {{"-l", "--tag-output"}, NULL, "put \"[node] \" before each line of output", .take = argument_flag,
        AT(tag_output)},
    {{"-E", "--env"}, "VAR=VALUE", "set a variable for the program; may be repeated", .take = take_env},
    {{"-wd", "--workdir"}, "DIR", "start the program in DIR", .take = argument_text, AT(workdir)},
    {{"-v", "--verbose"}, NULL, "tell how each process is started, by what it talks and how it ended",
        .take = argument_flag, AT(verbose)},
    {{"--profile"}, NULL, "UPC, OpenSHMEM and XcalableMP programs: print where the time went at the end",
        .take = take_tool},
    {{"--timeline"}, "FILE", "UPC, OpenSHMEM and XcalableMP programs: write a trace for Perfetto or Chrome",
        .take = take_tool},
    {{"--otf2"}, "DIR", "UPC, OpenSHMEM and XcalableMP programs: write an archive in the Open Trace Format 2",
        .take = take_tool},
    {{"-h", "--help"}, NULL, "print this text", .take = take_help},
    {{"-V", "--version"}, NULL, "print the version", .take = take_version},
    {.help = NULL},
};

/* Returns the index of the first argument that is no option. */
static int parse_options(int argc, char **argv, struct options *o)
{
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
    if (strcmp(argv[i], "--") == 0) return i + 1;
    i += argument_take(table, argv + i, o);
  }
  return i;
}

/* The environment's part, where the command line says nothing. */
static void take_environment(struct options *o)
{
  if (!o->hosts.count && pst_env_is_set(&pst_launch_env.hosts))
    hosts_take_list(&o->hosts, "GASNET_HOSTS", pst_env_string(&pst_launch_env.hosts));
  if (!o->rsh && pst_env_is_set(&pst_launch_env.rsh)) o->rsh = pst_env_string(&pst_launch_env.rsh);
  if (!o->interface && pst_env_is_set(&pst_launch_env.spawn_interface))
    o->interface = pst_env_string(&pst_launch_env.spawn_interface);
  if (!nodes_text && pst_env_is_set(&pst_bootstrap_env.pshm_nodes)) {
    nodes_option = "GASNET_PSHM_NODES";
    nodes_text = getenv(nodes_option);
  }
}

static void count_nodes(struct options *o)
{
  const unsigned hosts = o->hosts.count;
  if (o->use_hosts > 1 && !hosts)
    fail(EXIT_MISUSE, "-N %u: only one host without -H, --hostfile or GASNET_HOSTS", o->use_hosts);
  if (nodes_text)
    o->nodes = argument_parse_count(
        nodes_option, nodes_text, 1, hosts ? hosts * PST_MAX_LOCAL : PST_MAX_LOCAL);
  if (hosts) o->nodes = hosts_share(&o->hosts, o->nodes, o->use_hosts);
  if (!o->nodes)
    fail(EXIT_MISUSE, "how many processes? %s N, or GASNET_PSHM_NODES in the environment",
        name_of_program()->nodes);
}

/* As gasnetrun_CONDUIT it asks for that conduit, as clients of GASNet expect. */
static void take_name(void)
{
  static const char prefix[] = "gasnetrun_";
  if (strncmp(program_name, prefix, sizeof prefix - 1) == 0)
    setenv("GASNET_CONDUIT", program_name + sizeof prefix - 1, 0);
}

void options_parse(int argc, char **argv, struct options *o)
{
  if (argc > 0 && argv[0]) {
    const char *slash = strrchr(argv[0], '/');
    program_name = slash ? slash + 1 : argv[0];
  }
  memset(o, 0, sizeof *o);
  o->export = "all";
  int first = parse_options(argc, argv, o);
  if (first >= argc) fail(EXIT_MISUSE, "no program; see %s --help", program_name);
  take_name();
  take_environment(o);
  count_nodes(o);
  if (o->verbose) setenv("GASNET_SPAWN_VERBOSE", "1", 1);
  else o->verbose = pst_env_bool(&pst_support_env.spawn_verbose);
  if (o->timeout == 0) o->timeout = pst_env_double(&pst_bootstrap_env.spawn_timeout);
  tools_prepare();
  o->program = argv + first;
}
