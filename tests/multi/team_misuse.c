/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on lists of nodes whose rules are broken. Most are found by every build;
 * tests/check_misuse.sh knows the messages. */
#include "misuse.h"

static const gasnetx_nodes_t both = {0, 1, 2};

static void add_ints(void *a, const void *b, size_t n)
{
  for (size_t i = 0; i < n; i++) ((int *)a)[i] += ((const int *)b)[i];
}

static void barrier_on(gasnet_node_t first, gasnet_node_t stride, gasnet_node_t count)
{
  const gasnetx_nodes_t n = {first, stride, count};
  gasnetx_team_barrier(&n);
}

static void barrier_on_both(void) { gasnetx_team_barrier(&both); }

/* ---- by node 0 alone ---- */

static void empty(void) { barrier_on(0, 1, 0); }
static void stride(void) { barrier_on(0, 0, 2); }
static void past_end(void) { barrier_on(0, 2, 2); }
static void far_past_end(void) { barrier_on(0, 0x80000000u, 0xffffffffu); }
static void not_on_it(void) { barrier_on(1, 1, 1); }
static void root(void) { gasnetx_team_broadcast(&both, 2, data, data, 8, 0); }
static void barrier_in_handler(void) { run_in_handler(barrier_on_both); }

/* ---- by both ---- */

static void other_call(void)
{
  if (test.me == 0) gasnetx_team_barrier(&both);
  else gasnetx_team_broadcast(&both, 1, data, data, 8, 0);
}
static void other_root(void)
{
  gasnetx_team_broadcast(&both, test.me, data, data, 8, 0);
  gasnetx_team_barrier(&both);
}
/* Each waits for the other: no message shows it. */
static void other_root_waits(void) { gasnetx_team_broadcast(&both, 1 - test.me, data, data, 8, 0); }
static void other_length(void) { gasnetx_team_reduce(&both, data, data, 1 + test.me, sizeof(int), add_ints); }
static const gasnetx_reduction_t sum_of_ints = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_SUM};
static const gasnetx_reduction_t min_of_ints = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_MIN};
static void other_operation(void)
{
  gasnetx_team_allreduce(&both, data, data, 1, test.me ? &sum_of_ints : &min_of_ints);
}
static void no_reduction(void) { gasnetx_team_allreduce(&both, data, data, 1, NULL); }
static void no_type(void) { gasnetx_team_allreduce(&both, data, data, 1, &(gasnetx_reduction_t){.op = 1}); }
/* The message stays at the root, which has sent all that it will send. */
static void other_large_length(void)
{
  gasnetx_team_broadcast(&both, 1, data, data + 2048, 2040 + 8 * test.me, 0);
}

static const struct misuse cases[] = {
    {"empty", ALWAYS, empty},
    {"stride", ALWAYS, stride},
    {"past-end", ALWAYS, past_end},
    {"far-past-end", ALWAYS, far_past_end},
    {"not-on-it", ALWAYS, not_on_it},
    {"root", ALWAYS, root},
    {"in-handler", DEBUG, barrier_in_handler},
    {"other-call", BOTH, other_call},
    {"other-root", BOTH, other_root},
    {"other-root-waits", BOTH, other_root_waits},
    {"other-length", BOTH, other_length},
    {"other-operation", BOTH, other_operation},
    {"no-reduction", ALWAYS, no_reduction},
    {"no-type", ALWAYS, no_type},
    {"other-large-length", BOTH, other_large_length},
};

/* ---- legal edge cases ---- */

static void legal(void)
{
  int x = 1;
  barrier_on(test.me, 0, 1);
  barrier_on(test.me, 77, 1);
  barrier_on(0, 1, 2);
  gasnetx_team_broadcast(&both, 1, NULL, NULL, 0, 1);
  gasnetx_team_broadcast(&both, 0, test.me ? data : NULL, test.me ? NULL : data, SEGMENT, 0);
  gasnetx_team_fcollect(&both, NULL, NULL, 0);
  gasnetx_team_collect(&both, data, &x, test.me ? sizeof x : 0);
  gasnetx_team_reduce(&both, NULL, NULL, 0, sizeof x, NULL);
  gasnetx_team_reduce(&both, &x, &x, 1, sizeof x, add_ints);
  CHECK(x == 2, "the sum is %d", x);
  gasnetx_team_allreduce(&both, NULL, NULL, 0, &sum_of_ints);
  gasnetx_team_allreduce(&both, &x, &x, 1, &sum_of_ints);
  CHECK(x == 4, "the sum is %d", x);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}};
  misuse_main("team_misuse", &argc, &argv, MISUSE_CASE(&argc, argv, cases), legal, table, 1);
}
