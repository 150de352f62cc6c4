/* gasnet_info: what this installation is and can do, and the environment variables that it heeds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/conduit.h"
#include "gasnet_tools.h"
#include "support/env_table.h"
#include "support/memory.h"
#include "tools/gasnet_info.h"

static const char usage[] =
    "usage: gasnet_info [--env [--man] | --vis-cost | --version | --help]\n"
    "  (nothing)    version, configuration, conduits and limits\n"
    "  --env        every environment variable: type, default, meaning, present value;\n"
    "               exit code 1 when one of those that are set is not valid\n"
    "  --env --man  the same table as the ENVIRONMENT section of a manual page\n"
    "  --vis-cost   the constants by which non-contiguous transfers choose between packed messages and\n"
    "               one transfer a piece, and from which size on a piece goes by itself\n"
    "  --version    the version alone\n"
    "  --help       this text\n";

static const char version[] = PENSTOCK_VERSION;

static void print_size(const char *name, uint64_t bytes)
{
  char text[32];
  if (bytes > UINT64_C(1) << 60) printf("  %-24s limited by the segment alone\n", name);
  else printf("  %-24s %s\n", name, gasnett_format_number((int64_t)bytes, text, sizeof text, 1));
}

static void print_configuration(void)
{
  printf("penstock %s\n\nconfiguration\n", version);
  printf("  %-24s GASNet %d.%d (release %d.%d.%d)\n", "interface", GASNET_SPEC_VERSION_MAJOR, GASNET_SPEC_VERSION_MINOR,
         GASNET_RELEASE_VERSION_MAJOR, GASNET_RELEASE_VERSION_MINOR, GASNET_RELEASE_VERSION_PATCH);
  printf("  %-24s %s\n", "tools", GASNETT_CONFIG_STRING);
  printf("  %-24s %s\n", "system", GASNETT_SYSTEM_TUPLE);
  printf("  %-24s %s\n", "configured with", *GASNETT_CONFIGURE_ARGS ? GASNETT_CONFIGURE_ARGS : "(no options)");
#if defined(GASNET_DEBUG)
  printf("  %-24s every argument is checked (--enable-debug)\n", "build");
#else
  printf("  %-24s optimised\n", "build");
#endif
  printf("  %-24s GASNET_SEQ, GASNET_PARSYNC, GASNET_PAR (chosen by the client)\n", "thread modes");
  printf("  %-24s FAST\n", "segment");
}

static void print_conduits(void)
{
  const char *const *name = pst_env_entry(PST_ENV_CONDUIT)->words;
  for (printf("\nconduits\n"); *name; name++) {
    struct pst_conduit_limits limits;
    const struct pst_conduit *c = pst_conduit_find(*name);
    if (!c) continue;
    c->limits(&limits);
    printf("  %s\n", *name);
    print_size("  medium message, least", limits.max_medium); /* a job may have more: gasnet_AMMaxMedium() */
    print_size("  long request", limits.max_long_request);
    print_size("  long reply", limits.max_long_reply);
  }
}

static void print_limits(void)
{
  printf("\nlimits\n");
  printf("  %-24s %d\n", "nodes", GASNET_MAXNODES);
  printf("  %-24s %lld\n", "nodes on a host", (long long)pst_env_entry(PST_ENV_PSHM_NODES)->max);
  printf("  %-24s %d (now %lld)\n", "threads of a node", GASNETT_MAX_THREADS, (long long)pst_env_int(PST_ENV_MAX_THREADS));
  printf("  %-24s 16\n", "message arguments");
  print_size("page", GASNETT_PAGESIZE);
  printf("\nhost\n");
  printf("  %-24s %s\n", "name", gasnett_gethostname());
  printf("  %-24s %d\n", "processors", gasnett_cpu_count());
  printf("  %-24s %.1f GB\n", "memory", (double)pst_memory_physical() / (1 << 30));
  printf("  %-24s %.0f ns, reading it costs %.0f ns\n", "clock resolution", gasnett_tick_granularity() * 1e9,
         gasnett_tick_overhead() * 1e9);
  printf("\ngasnet_info --env lists the environment variables.\n");
}

static int misuse(const char *what, const char *which)
{
  fprintf(stderr, "gasnet_info: %s%s\n%s", what, which, usage);
  return 2;
}

int main(int argc, char **argv)
{
  int env = 0, man = 0, cost = 0, bad = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) return fputs(usage, stdout) < 0;
    if (strcmp(argv[i], "--version") == 0) return printf("penstock %s\n", version) < 0;
    if (strcmp(argv[i], "--env") == 0) env = 1;
    else if (strcmp(argv[i], "--man") == 0) man = 1;
    else if (strcmp(argv[i], "--vis-cost") == 0) cost = 1;
    else return misuse(argv[i][0] == '-' ? "unknown option " : "unexpected argument ", argv[i]);
  }
  if (man && !env) return misuse("--man goes with --env", "");
  if (env && cost) return misuse("--env and --vis-cost do not go together", "");
  if (man) info_env_manual();
  else if (env) bad = info_env_table() != 0;
  else if (cost) info_vis_cost();
  else print_configuration(), print_conduits(), print_limits();
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "gasnet_info: cannot write to standard output\n");
    return 1;
  }
  return bad;
}
