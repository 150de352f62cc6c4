/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One node dies while all do nothing but one kind of construct: death KIND PLACE SEED [TEXT...]
 *   KIND   kill (SIGKILL), abort, xmp_exit (xmp_exit(7))
 *   PLACE  the construct, one of `places` below
 * SEED decides which node dies and when. The job never ends by itself. Further arguments are marks by which
 * tests find the processes. tests/check_xmp_death.sh runs this and checks the rest. */
#include <string.h>
#include <xmp.h>

#include "../../victim.h"

#define N 240
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
static double a[N][N], columns[N][N];
#pragma xmp align a[i][*] with t[i]
#pragma xmp align columns[*][i] with t[i]
#pragma xmp shadow a[1][0]
static double box[N] : [*];
static xmp_lock_t lock : [*];

static const char *kind;
static int me, nodes, is_victim;
static unsigned turn;

static void die(int sig)
{
  (void)sig;
  victim_says((unsigned)me);
  if (strcmp(kind, "kill") == 0) raise(SIGKILL);
  if (strcmp(kind, "abort") == 0) abort();
  xmp_exit(7);
}

/* ---- one turn of each construct ---- */

static void reflects(void)
{
#pragma xmp reflect(a)
}
static void reflects_async(void)
{
#pragma xmp reflect(a) async(1)
#pragma xmp wait_async(1)
}
static void gmoves(void)
{
#pragma xmp gmove
  columns[:][:] = a[:][:];
}
static void barriers(void)
{
#pragma xmp barrier
}
static void reductions(void)
{
  double sum[100] = {1};
#pragma xmp reduction(+ : sum)
}
static void broadcasts(void)
{
  double value[100] = {me};
#pragma xmp bcast(value) from p[turn % (unsigned)nodes]
}
static void tasks(void)
{
  int sum = 1;
#pragma xmp task on p[0 : nodes - 1]
  {
#pragma xmp reduction(+ : sum)
  }
#pragma xmp barrier
}
/* A node waits for the one before it. */
static void posts(void)
{
#pragma xmp post(p[(me + 1) % nodes], 1)
#pragma xmp wait(p[(me + nodes - 1) % nodes], 1)
}
/* The victim has the lock when it dies, and the others wait for it. */
static void locks(void)
{
#pragma xmp lock(lock : [0])
  while (is_victim) pause();
#pragma xmp unlock(lock : [0])
}
static void puts_to(void)
{
  double row[N] = {1};
  box[:] : [turn % (unsigned) nodes] = row[:];
  xmp_sync_memory(NULL);
}
static void gets_from(void)
{
  double row[N];
  row[:] = box[:] : [turn % (unsigned) nodes];
  if (row[0] == 5) box[0] = 1;
}
static void syncs(void) { xmp_sync_all(NULL); }

static const struct {
  const char *name;
  void (*run)(void);
} places[] = {{"reflect", reflects}, {"async", reflects_async}, {"gmove", gmoves}, {"barrier", barriers},
    {"reduction", reductions}, {"bcast", broadcasts}, {"task", tasks}, {"post", posts}, {"lock", locks},
    {"put", puts_to}, {"get", gets_from}, {"sync", syncs}};

int main(int argc, char **argv)
{
  unsigned place = 0;
  if (argc < 4) return 2;
  while (place < sizeof places / sizeof *places && strcmp(places[place].name, argv[2]) != 0) place++;
  if (place == sizeof places / sizeof *places) return 2;
  kind = argv[1];
  me = xmpc_all_node_num();
  nodes = xmp_all_num_nodes();
  random_seed(argv[3]);
  is_victim = (unsigned)me == random_below((unsigned)nodes);
  const unsigned us = random_below(20000);
#pragma xmp barrier
  if (is_victim) victim_timer(us, die);
  for (;; turn++) places[place].run();
}
