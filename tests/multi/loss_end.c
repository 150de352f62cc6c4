/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How a job with lost nodes ends: loss_end WAY. tests/check_loss.sh starts it and looks at the rest.
 *   killed   node 0 is killed, the others leave with 0        ended    by _exit(3)
 *   failed   by gasnetx_node_fail                             code     the last leaves with 5
 *   all      all nodes are killed                             allfail  all fail
 *   fatal    after a loss a node makes a mistake              differ   not all nodes ask for reports
 *   early    node 0 is killed before gasnet_attach            off      nobody asks, and a node fails
 *   waits    all wait for a loss */
#include <gasnetx.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *way;
static int is(const char *name) { return strcmp(way, name) == 0; }

static void leave_first(void)
{
  printf("node %u ends\n", (unsigned)gasnet_mynode());
  if (is("failed") || is("allfail") || is("off")) gasnetx_node_fail();
  fflush(stdout);
  if (is("ended")) _exit(3);
  raise(SIGKILL);
}

static void loss_await(void)
{
  GASNET_BLOCKUNTIL(gasnetx_lost_count() > 0);
  if (!gasnetx_node_is_lost(0) || gasnetx_node_is_lost(gasnet_mynode())) gasnet_exit(9);
}

int main(int argc, char **argv)
{
  way = argc > 1 ? argv[1] : "";
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 98;
  const gasnet_node_t me = gasnet_mynode();
  if (!is("off") && !(is("differ") && me == 1)) gasnetx_report_losses();
  if (is("early") && me == 0) leave_first();
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 97;
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (is("waits")) fprintf(stderr, "node %u waits\n", (unsigned)me);
  else if (me == 0 || is("all") || is("allfail")) leave_first();
  if (is("off")) GASNET_BLOCKUNTIL(gasnetx_lost_count() > 0);
  loss_await();
  if (is("fatal")) gasnetx_team_create(NULL, 0);
  fprintf(stderr, "node %u goes on\n", (unsigned)me);
  if (is("code") && me == gasnet_nodes() - 1) gasnet_exit(5);
  return 0;
}
