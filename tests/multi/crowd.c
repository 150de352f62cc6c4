/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Many processes on one host: attach, the first barrier, one short message from each to each, checked by
 * value. Costs per pair of processes grow with the square of the nodes. They are bounded here by counts
 * that do not depend on other users of the machine: mappings, pages that a barrier touches, page tables.
 *
 * Node 0 prints the seconds of the three phases. With --apart SECONDS each phase begins so long after the one
 * before that all nodes have ended that one, which makes times comparable: GASNET_PSHM_NODES=1000
 * tests/multi/crowd-seq --apart 2. */
#include "common.h"

#include <gasnetx.h>
#include <sys/resource.h>
#include <time.h>

#include "../sanitized.h"

enum { H_CALL = 200, PHASES = 3 };
static const char *const phase_name[PHASES] = {"attach", "barrier", "messages"};

/* ---- one message from each to each ---- */

static volatile unsigned arrived;
static unsigned char *seen; /* [nodes] */

static uint32_t word_for(gasnet_node_t from, gasnet_node_t to) { return (uint32_t)test_key(from, to, 7); }

static void called(gasnet_token_t token, gasnet_handlerarg_t from, gasnet_handlerarg_t word)
{
  gasnet_node_t source;
  REQUIRE_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK(source == (gasnet_node_t)from && (uint32_t)word == word_for(source, test.me),
      "node %u's message says %u, %x", source, (unsigned)from, (unsigned)word);
  CHECK(seen[source]++ == 0, "node %u's message came twice", source);
  arrived++;
}

static void send_to_each(void)
{
  for (gasnet_node_t i = 1; i < test.nodes; i++) {
    const gasnet_node_t to = (test.me + i) % test.nodes;
    REQUIRE_OK(gasnet_AMRequestShort2(
        to, H_CALL, (gasnet_handlerarg_t)test.me, (gasnet_handlerarg_t)word_for(test.me, to)));
  }
  GASNET_BLOCKUNTIL(arrived == test.nodes - 1);
}

/* ---- counts ---- */

static long mappings(void)
{
  FILE *f = fopen("/proc/self/maps", "r");
  long n = 0;
  REQUIRE(f, "cannot read /proc/self/maps");
  for (int c; (c = getc(f)) != EOF;) n += c == '\n';
  fclose(f);
  return n;
}

static long mappings_named(const char *name)
{
  FILE *f = fopen("/proc/self/maps", "r");
  char line[512];
  long n = 0;
  REQUIRE(f, "cannot read /proc/self/maps");
  while (fgets(line, sizeof line, f)) n += strstr(line, name) != NULL;
  fclose(f);
  return n;
}

/* This process's page tables, in KiB. */
static long tables(void)
{
  FILE *f = fopen("/proc/self/status", "r");
  char line[256];
  long kb = -1;
  REQUIRE(f, "cannot read /proc/self/status");
  while (kb < 0 && fgets(line, sizeof line, f))
    if (sscanf(line, "VmPTE: %ld kB", &kb) != 1) kb = -1;
  fclose(f);
  REQUIRE(kb >= 0, "/proc/self/status has no VmPTE");
  return kb;
}

static long faults(void)
{
  struct rusage r;
  REQUIRE(getrusage(RUSAGE_SELF, &r) == 0, "getrusage failed");
  return r.ru_minflt;
}

/* ---- a team of all in an order of its own, whose tables the members of a host share ---- */

static uint32_t key_of(gasnet_node_t node) { return word_for(node, node); }

static void ranks_check(gasnetx_team_t team)
{
  for (gasnet_node_t r = 0; r < test.nodes; r++) {
    const gasnet_node_t node = gasnetx_team_node(team, r);
    CHECK(gasnetx_team_rank_of(team, node) == r, "node %u of rank %u has rank %u", (unsigned)node,
        (unsigned)r, (unsigned)gasnetx_team_rank_of(team, node));
    CHECK(r == 0 || key_of(gasnetx_team_node(team, r - 1)) <= key_of(node),
        "rank %u has a larger key than the next one", (unsigned)r - 1);
  }
}

/* In a job of one host and supernode. */
static int tables_are_shared(void)
{
  enum { LARGE = 170 }; /* members of a team whose tables are worth sharing */
  return test.nodes >= LARGE && !getenv("GASNET_AM_ONLY") && !getenv("GASNET_SUPERNODE_MAXSIZE");
}

static void team_meet(void)
{
  const gasnetx_team_t team = gasnetx_team_split(GASNET_TEAM_ALL, 0, key_of(test.me));
  const gasnet_node_t last = gasnetx_team_node(team, test.nodes - 1);
  uint32_t word = key_of(test.me);
  CHECK(mappings_named("penstock-team") == tables_are_shared(), "%ld files of teams are mapped",
      mappings_named("penstock-team"));
  ranks_check(team);
  gasnetx_coll_broadcast(team, &word, test.nodes - 1, &word, sizeof word);
  CHECK(word == key_of(last), "the broadcast has brought %x, not %x", (unsigned)word, (unsigned)key_of(last));
  gasnetx_team_destroy(team);
  CHECK(mappings_named("penstock-team") == 0, "the team's tables are still mapped");
}

/* ---- phases ---- */

static struct {
  double begin, end;
} mine[PHASES], *all; /* all: [nodes][PHASES], on node 0 */
static double started, apart;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void begin(int phase)
{
  const double at = started + apart * (phase + 1);
  const struct timespec t = {(time_t)at, (long)((at - (double)(time_t)at) * 1e9)};
  if (apart > 0)
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0) {}
  mine[phase].begin = now();
}

static void end(int phase) { mine[phase].end = now(); }

/* From the first node's begin to the last one's end. */
static double seconds(int phase)
{
  double from = mine[phase].begin, to = mine[phase].end;
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    if (all[i * PHASES + (unsigned)phase].begin < from) from = all[i * PHASES + (unsigned)phase].begin;
    if (all[i * PHASES + (unsigned)phase].end > to) to = all[i * PHASES + (unsigned)phase].end;
  }
  return to - from;
}

static void report(void)
{
  all = (void *)test.seg[0].addr;
  gasnet_put_bulk(0, all + test.me * PHASES, mine, sizeof mine);
  test_barrier();
  if (test.me != 0) return;
  printf("crowd nodes %u", (unsigned)test.nodes);
  for (int i = 0; i < PHASES; i++) printf(" %s %.4f", phase_name[i], seconds(i));
  printf("\n");
  fflush(stdout);
}

/* Sanitizers map and touch memory of their own beside what the program uses. */
#ifdef TEST_SANITIZED
enum { SANITIZED = 8 };
#else
enum { SANITIZED = 1 };
#endif

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_CALL, (void (*)())called}};
  long maps, touched, kb;
  started = now(); /* before the library forks further nodes */
  const char *pause = test_option(&argc, argv, "--apart");
  apart = pause ? strtod(pause, NULL) : 0;
  test_init("crowd", &argc, &argv);
  test_no_more_options(argc, argv);
  seen = (unsigned char *)calloc(test.nodes, 1);
  test.seg = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *test.seg);
  REQUIRE(seen && test.seg, "no memory for %u nodes", (unsigned)test.nodes);
  test.seed = 1; /* another would need a message */

  maps = mappings();
  begin(0);
  REQUIRE_OK(gasnet_attach(table, 1, test_pages(test.nodes * sizeof mine), 0));
  end(0);
  maps = mappings() - maps;
  CHECK(maps <= SANITIZED * 16, "gasnet_attach made %ld mappings", maps);
  REQUIRE_OK(gasnet_getSegmentInfo(test.seg, (int)test.nodes));

  touched = faults();
  begin(1);
  test_barrier();
  end(1);
  REQUIRE_OK(gasnet_set_waitmode(GASNET_WAIT_BLOCK));
  if (test.me == 0)
    nanosleep(
        &(struct timespec){0, 20000000}, NULL); /* the others sleep in the barrier, for the first time */
  test_barrier();
  REQUIRE_OK(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK));
  touched = faults() - touched;
  CHECK(touched <= SANITIZED * (long)(64 + test.nodes / 4),
      "two barriers touched %ld pages for the first time", touched);

  kb = tables();
  begin(2);
  send_to_each();
  end(2);
  kb = tables() - kb;
  CHECK(
      kb <= SANITIZED * (long)(64 + test.nodes / 8), "messages to all nodes took %ld KiB of page tables", kb);
  test_barrier();
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    CHECK(seen[i] == (i != test.me), "node %u's message did not come", (unsigned)i);
  report();
  team_meet();
  test_finish();
}
