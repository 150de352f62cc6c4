/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Plans and notifications whose rules are broken, one a run: --case NAME. A debug build must end the job with
 * a message that names the call and the values, what is marked ALWAYS must do so in every build;
 * tests/check_plan_misuse.sh knows the messages. Without --case: the legal neighbours, which must go through
 * in every build. --list prints the names. */
#include "common.h"
#include <gasnetx.h>

enum { H_RUN = 128, H_NEVER = 250 };
#define SEGMENT GASNET_PAGESIZE

static gasnet_node_t other;
static char *far_begin, *far_end; /* the other node's segment */
static char data[SEGMENT];
static volatile int handled;
static void (*in_handler)(void);

static void on_run(gasnet_token_t t, gasnet_handlerarg_t a, gasnet_handlerarg_t b)
{
  (void)t, (void)a, (void)b;
  if (in_handler) in_handler();
  handled = 1;
}

static void run_in_handler(void (*what)(void))
{
  in_handler = what;
  gasnet_AMRequestShort2(test.me, H_RUN, 0, 0);
  GASNET_BLOCKUNTIL(handled);
}

/* ---- notifications ---- */

static void put_with(int kind, void *word, unsigned handler)
{
  gasnetx_notify_t n;
  memset(&n, 0, sizeof n);
  n.kind = (gasnetx_notify_kind_t)kind;
  n.word = (uint64_t *)word;
  n.handler = (gasnet_handler_t)handler;
  gasnetx_put_notify_bulk(other, far_begin, data, 8, &n);
}
static void word_unaligned(void) { put_with(GASNETX_NOTIFY_ADD, far_begin + 4, 0); }
static void word_outside(void) { put_with(GASNETX_NOTIFY_SET, far_end, 0); }
static void kind_unknown(void) { put_with(17, far_begin, 0); }
static void handler_index(void) { put_with(GASNETX_NOTIFY_HANDLER, NULL, 9); }
static void handler_unregistered(void) { put_with(GASNETX_NOTIFY_HANDLER, NULL, H_NEVER); }
static void notify_null(void) { gasnetx_put_notify_nbi_bulk(other, far_begin, data, 8, NULL); }
static void put_outside(void)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = (uint64_t *)far_begin, .value = 1};
  gasnet_wait_syncnb(gasnetx_put_notify_nb_bulk(other, far_end - 7, data, 8, &n));
}
static void puts_strides(void)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = (uint64_t *)far_begin, .value = 1};
  size_t far[1] = {7}, near[1] = {8}, count[2] = {8, 3};
  gasnetx_puts_notify_bulk(other, far_begin, far, data, near, count, 1, &n);
}
static void putv_total(void)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = (uint64_t *)far_begin, .value = 1};
  gasnet_memvec_t far[1] = {{far_begin, 24}}, near[1] = {{data, 25}};
  gasnetx_putv_notify_bulk(other, 1, far, 1, near, &n);
}
static void wait_unaligned(void) { gasnetx_wait_until((uint64_t *)(void *)(data + 1), GASNETX_NE, 1); }
static void wait_comparison(void)
{
  gasnetx_wait_until((uint64_t *)(void *)far_begin, (gasnetx_compare_t)6, 1);
}
static void wait_here(void) { gasnetx_wait_until((uint64_t *)test.seg[test.me].addr, GASNETX_EQ, 0); }
static void wait_in_handler(void) { run_in_handler(wait_here); }

/* ---- plans ---- */

static gasnetx_plan_t with_member(void)
{
  gasnetx_plan_t plan = gasnetx_plan_create();
  size_t far[1] = {16}, near[1] = {8}, count[2] = {8, 4};
  gasnetx_plan_puts(plan, other, far_begin, far, data, near, count, 1);
  return plan;
}
static gasnetx_plan_t with_list(void)
{
  gasnetx_plan_t plan = gasnetx_plan_create();
  gasnet_memvec_t far[1] = {{far_begin, 24}}, near[1] = {{data, 24}};
  gasnetx_plan_getv(plan, 1, near, other, 1, far);
  return plan;
}
static void plan_strides(void)
{
  size_t far[2] = {32, 8}, near[2] = {8, 24}, count[3] = {8, 3, 2};
  gasnetx_plan_puts(gasnetx_plan_create(), other, far_begin, far, data, near, count, 2);
}
static void plan_outside(void)
{
  size_t far[1] = {16}, near[1] = {8}, count[2] = {8, 4};
  gasnetx_plan_gets(
      gasnetx_plan_create(), data, near, other, far_end - 55, far, count, 1); /* it has 56 bytes */
}
static void plan_any_outside(void)
{
  ptrdiff_t far[1] = {-16}, near[1] = {8};
  size_t count[1] = {4};
  gasnetx_plan_puts_any(gasnetx_plan_create(), other, far_begin + 47, far, data, near, 8, count, 1);
}
static void plan_node(void)
{
  size_t count[1] = {8};
  gasnetx_plan_puts(gasnetx_plan_create(), 2, far_begin, NULL, data, NULL, count, 0);
}
static void plan_total(void)
{
  void *far[1] = {far_begin}, *near[1] = {data};
  gasnetx_plan_puti(gasnetx_plan_create(), other, 1, far, 24, 1, near, 25);
}
static void rebase_outside(void) { gasnetx_plan_rebase(with_member(), 0, far_end - 55, data); }
static void rebase_list(void) { gasnetx_plan_rebase(with_list(), 0, data, far_begin); }
static void rebase_number(void) { gasnetx_plan_rebase(with_member(), 1, far_begin, data); }
static void notify_number(void) { gasnetx_plan_notify(gasnetx_plan_create(), 0, NULL); }
static void notify_get(void) { gasnetx_plan_notify(with_list(), 0, NULL); }
static void notify_outside(void)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_SET, .word = (uint64_t *)far_end, .value = 1};
  gasnetx_plan_notify(with_member(), 0, &n);
}
static void start_destroyed(void)
{
  gasnetx_plan_t plan = with_member();
  gasnetx_plan_destroy(plan);
  gasnetx_plan_run(plan);
}
static void destroy_twice(void)
{
  gasnetx_plan_t plan = with_member();
  gasnetx_plan_destroy(plan);
  gasnetx_plan_destroy(plan);
}
static void start_null(void) { gasnetx_plan_start_nbi(NULL); }
static gasnetx_plan_t made;
static void start_here(void) { gasnetx_plan_start_nbi(made); }
static void start_in_handler(void)
{
  made = with_member();
  run_in_handler(start_here);
}

/* ---- */

enum { DEBUG_ONLY, ALWAYS };
static const struct {
  const char *name;
  void (*run)(void);
  int when;
} cases[] = {
    {"word-unaligned", word_unaligned, DEBUG_ONLY},
    {"word-outside", word_outside, DEBUG_ONLY},
    {"kind-unknown", kind_unknown, DEBUG_ONLY},
    {"handler-index", handler_index, DEBUG_ONLY},
    {"handler-unregistered", handler_unregistered, ALWAYS},
    {"notify-null", notify_null, DEBUG_ONLY},
    {"put-outside", put_outside, DEBUG_ONLY},
    {"puts-strides", puts_strides, DEBUG_ONLY},
    {"putv-total", putv_total, DEBUG_ONLY},
    {"wait-unaligned", wait_unaligned, DEBUG_ONLY},
    {"wait-comparison", wait_comparison, DEBUG_ONLY},
    {"wait-in-handler", wait_in_handler, DEBUG_ONLY},
    {"plan-strides", plan_strides, DEBUG_ONLY},
    {"plan-outside", plan_outside, DEBUG_ONLY},
    {"plan-any-outside", plan_any_outside, DEBUG_ONLY},
    {"plan-node", plan_node, DEBUG_ONLY},
    {"plan-total", plan_total, DEBUG_ONLY},
    {"rebase-outside", rebase_outside, DEBUG_ONLY},
    {"rebase-list", rebase_list, ALWAYS},
    {"rebase-number", rebase_number, ALWAYS},
    {"notify-number", notify_number, ALWAYS},
    {"notify-get", notify_get, ALWAYS},
    {"notify-outside", notify_outside, DEBUG_ONLY},
    {"start-destroyed", start_destroyed, DEBUG_ONLY},
    {"destroy-twice", destroy_twice, DEBUG_ONLY},
    {"start-null", start_null, DEBUG_ONLY},
    {"start-in-handler", start_in_handler, DEBUG_ONLY},
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
    if (test.me == 0) cases[i].run();
    if (test.me == 0 && strcmp(name, "handler-unregistered")) {
      fprintf(stderr, "FAIL plan_misuse %s: nothing said that it is forbidden\n", name);
      gasnet_exit(1);
    }
    GASNET_BLOCKUNTIL(0); /* serves what node 0 asks, until the job ends */
  }
  fprintf(stderr, "plan_misuse: there is no case %s\n", name);
  gasnet_exit(2);
}

/* ---- what is just legal ---- */

static void legal(void)
{
  gasnetx_plan_t plan = with_member(), list = with_list();
  size_t count[2] = {0, 4};
  gasnetx_notify_t n;
  memset(&n, 0xA5, sizeof n);
  n.kind = GASNETX_NOTIFY_HANDLER; /* then the word is not looked at */
  n.handler = H_RUN;
  gasnetx_plan_rebase(plan, 0, far_end - 56, data);
  gasnetx_plan_puts(plan, other, NULL, NULL, NULL, NULL, count, 1);
  gasnetx_plan_rebase(plan, 1, NULL, NULL);
  gasnetx_plan_putv(plan, other, 0, NULL, 0, NULL);
  gasnetx_plan_puti(plan, other, 0, NULL, 8, 4, NULL, 0);
  gasnetx_plan_notify(plan, 2, NULL);
  gasnetx_plan_notify(plan, 3, &n);
  gasnetx_plan_run(plan);
  gasnetx_plan_run(list);
  GASNET_BLOCKUNTIL(handled);
  gasnetx_plan_destroy(plan);
  gasnetx_plan_destroy(list);
  n.kind = GASNETX_NOTIFY_ADD;
  n.word = (uint64_t *)(far_end - 8); /* the last word; then the handler is not looked at */
  n.handler = 3;
  gasnetx_put_notify_bulk(other, NULL, NULL, 0, &n);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}};
  if (argc == 2 && !strcmp(argv[1], "--list")) list_cases();
  const char *name = test_option(&argc, argv, "--case");
  test_init("plan_misuse", &argc, &argv);
  test_no_more_options(argc, argv);
  test_attach(table, 1, SEGMENT);
  other = peer_to(1);
  far_begin = seg_at(other, 0);
  far_end = seg_at(other, SEGMENT);
  if (name) run_case(name);
  test_barrier();
  legal();
  test_finish();
}
