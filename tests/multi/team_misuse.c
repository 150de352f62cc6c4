/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives on lists of nodes whose rules are broken, one a run: --case NAME. All builds must end the job
 * with a message, what is marked DEBUG_ONLY debug builds; tests/check_team_misuse.sh knows the messages.
 * Without --case: the legal neighbours, which must go through.
 * --list prints the names. */
#include "common.h"
#include <gasnetx.h>

enum { H_RUN = 128 };
static char data[4096];
static volatile int handled;

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

static void on_run(gasnet_token_t t)
{
  (void)t;
  gasnetx_team_barrier(&both);
  handled = 1;
}

/* ---- by node 0 alone ---- */

static void empty(void) { barrier_on(0, 1, 0); }
static void stride(void) { barrier_on(0, 0, 2); }
static void past_end(void) { barrier_on(0, 2, 2); }
static void far_past_end(void) { barrier_on(0, 0x80000000u, 0xffffffffu); }
static void not_on_it(void) { barrier_on(1, 1, 1); }
static void root(void) { gasnetx_team_broadcast(&both, 2, data, data, 8, 0); }
static void in_handler(void)
{
  gasnet_AMRequestShort0(test.me, H_RUN);
  GASNET_BLOCKUNTIL(handled);
}

/* ---- by both ---- */

static void other_call(void)
{
  if (test.me == 0) gasnetx_team_barrier(&both);
  else gasnetx_team_broadcast(&both, 1, data, data, 8, 0);
}
static void other_root(void)
{
  gasnetx_team_broadcast(&both, test.me, data, data, 8, 0), gasnetx_team_barrier(&both);
}
static void other_length(void) { gasnetx_team_reduce(&both, data, data, 1 + test.me, sizeof(int), add_ints); }
static void other_large_length(void)
{
  gasnetx_team_broadcast(&both, 1, data, data + 2048, 2040 + 8 * test.me, 0);
} /* where the root has sent all it stays */

enum { DEBUG_ONLY, ALWAYS };
static const struct {
  const char *name;
  void (*run)(void);
  int when, by_both;
} cases[] = {
    {"empty", empty, ALWAYS, 0},
    {"stride", stride, ALWAYS, 0},
    {"past-end", past_end, ALWAYS, 0},
    {"far-past-end", far_past_end, ALWAYS, 0},
    {"not-on-it", not_on_it, ALWAYS, 0},
    {"root", root, ALWAYS, 0},
    {"in-handler", in_handler, DEBUG_ONLY, 0},
    {"other-call", other_call, ALWAYS, 1},
    {"other-root", other_root, ALWAYS, 1},
    {"other-length", other_length, ALWAYS, 1},
    {"other-large-length", other_large_length, ALWAYS, 1},
};
enum { CASES = sizeof cases / sizeof *cases };

static void list_cases(void)
{
#ifdef GASNET_DEBUG
  const int least = DEBUG_ONLY;
#else
  const int least = ALWAYS;
#endif
  for (size_t i = 0; i < CASES; i++)
    if (cases[i].when >= least) puts(cases[i].name);
  exit(0);
}

static void run_case(const char *name)
{
  for (size_t i = 0; i < CASES; i++) {
    if (strcmp(cases[i].name, name)) continue;
    gasnet_set_waitmode(GASNET_WAIT_BLOCK);
    if (test.me == 0 || cases[i].by_both) cases[i].run();
    if (test.me == 0) {
      fprintf(stderr, "FAIL team_misuse %s: nothing said that it is forbidden\n", name);
      gasnet_exit(1);
    }
    GASNET_BLOCKUNTIL(0); /* serves what node 0 asks, until the job ends */
  }
  fprintf(stderr, "team_misuse: there is no case %s\n", name);
  gasnet_exit(2);
}

/* ---- what is just legal ---- */

static void legal(void)
{
  int x = 1;
  barrier_on(test.me, 0, 1);
  barrier_on(test.me, 77, 1);
  barrier_on(0, 1, 2);
  gasnetx_team_broadcast(&both, 1, NULL, NULL, 0, 1);
  gasnetx_team_broadcast(&both, 0, test.me ? data : NULL, test.me ? NULL : data, sizeof data, 0);
  gasnetx_team_fcollect(&both, NULL, NULL, 0);
  gasnetx_team_collect(&both, data, &x, test.me ? sizeof x : 0);
  gasnetx_team_reduce(&both, NULL, NULL, 0, sizeof x, NULL);
  gasnetx_team_reduce(&both, &x, &x, 1, sizeof x, add_ints);
  CHECK(x == 2, "the sum is %d", x);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}};
  if (argc == 2 && !strcmp(argv[1], "--list")) list_cases();
  const char *name = test_option(&argc, argv, "--case");
  test_init("team_misuse", &argc, &argv);
  test_no_more_options(argc, argv);
  test_attach(table, 1, GASNET_PAGESIZE);
  if (name) run_case(name);
  test_barrier();
  legal();
  test_finish();
}
