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
  test_finish();
}
