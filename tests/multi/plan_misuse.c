/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Plans and notifications whose rules are broken. Most are found by debug builds alone, with a message that
 * names the call and the values; tests/check_misuse.sh knows it. */
#include "misuse.h"

enum { H_NOTIFY = H_FURTHER, H_NEVER = 250 };

static void on_notify(gasnet_token_t t, gasnet_handlerarg_t a, gasnet_handlerarg_t b)
{
  (void)t, (void)a, (void)b;
  handled++;
}

/* ---- notifications ---- */

static void put_with(int kind, void *word, unsigned handler)
{
  const gasnetx_notify_t n = {
      .kind = (gasnetx_notify_kind_t)kind, .word = (uint64_t *)word, .handler = (gasnet_handler_t)handler};
  gasnetx_put_notify_bulk(other, far_begin, data, 8, &n);
}
static void word_unaligned(void) { put_with(GASNETX_NOTIFY_ADD, far_begin + 4, 0); }
static void word_outside(void) { put_with(GASNETX_NOTIFY_SET, far_end, 0); }
static void kind_unknown(void) { put_with(3, far_begin, 0); }
static void handler_index(void) { put_with(GASNETX_NOTIFY_HANDLER, NULL, 9); }
/* The other node reports it. */
static void handler_unregistered(void)
{
  put_with(GASNETX_NOTIFY_HANDLER, NULL, H_NEVER);
  test_barrier();
}
static void notify_null(void) { gasnetx_put_notify_nbi_bulk(other, far_begin, data, 8, NULL); }
static const gasnetx_notify_t *added(void)
{
  static gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .value = 1};
  n.word = (uint64_t *)far_begin;
  return &n;
}
static void put_outside(void)
{
  gasnet_wait_syncnb(gasnetx_put_notify_nb_bulk(other, far_end - 7, data, 8, added()));
}
static void puts_strides(void)
{
  size_t far[1] = {7}, near[1] = {8}, count[2] = {8, 3};
  gasnetx_puts_notify_bulk(other, far_begin, far, data, near, count, 1, added());
}
static void putv_total(void)
{
  gasnet_memvec_t far[1] = {{far_begin, 24}}, near[1] = {{data, 25}};
  gasnetx_putv_notify_bulk(other, 1, far, 1, near, added());
}
static void putv_outside(void)
{
  gasnet_memvec_t far[1] = {{far_end - 4, 8}}, near[1] = {{data, 8}};
  gasnetx_putv_notify_nbi_bulk(other, 1, far, 1, near, added());
}
static void puts_near_strides(void)
{
  size_t far[1] = {8}, near[1] = {7}, count[2] = {8, 2};
  gasnet_wait_syncnb(gasnetx_puts_notify_nb_bulk(other, far_begin, far, data, near, count, 1, added()));
}
static void wait_unaligned(void) { gasnetx_wait_until((uint64_t *)(void *)(data + 1), GASNETX_NE, 1); }
static void wait_comparison(void)
{
  gasnetx_wait_until((uint64_t *)(void *)far_begin, (gasnetx_compare_t)6, 1);
}
static void test_comparison(void)
{
  gasnetx_test_until((uint64_t *)(void *)far_begin, (gasnetx_compare_t)6, 1, NULL);
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
static gasnetx_plan_t with_get(void)
{
  gasnetx_plan_t plan = gasnetx_plan_create();
  gasnetx_plan_gets(plan, data, NULL, other, far_begin, NULL, (size_t[]){8}, 0);
  return plan;
}
static void plan_strides(void)
{
  size_t far[2] = {32, 8}, near[2] = {8, 24}, count[3] = {8, 3, 2};
  gasnetx_plan_puts(gasnetx_plan_create(), other, far_begin, far, data, near, count, 2);
}
static void plan_outside(void)
{
  size_t far[1] = {16}, near[1] = {8}, count[2] = {8, 4}; /* 56 bytes */
  gasnetx_plan_gets(gasnetx_plan_create(), data, near, other, far_end - 55, far, count, 1);
}
static void plan_puts_outside(void)
{
  size_t far[1] = {16}, near[1] = {8}, count[2] = {8, 3};
  gasnetx_plan_puts(gasnetx_plan_create(), other, far_end - 39, far, data, near, count, 1);
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
static void plan_getv_total(void)
{
  gasnet_memvec_t far[1] = {{far_begin, 8}}, near[1] = {{data, 9}};
  gasnetx_plan_getv(gasnetx_plan_create(), 1, near, other, 1, far);
}
static void rebase_outside(void) { gasnetx_plan_rebase(with_member(), 0, far_end - 55, data); }
static void rebase_get(void) { gasnetx_plan_rebase(with_get(), 0, data, far_end - 7); }
static void rebase_list(void) { gasnetx_plan_rebase(with_list(), 0, data, far_begin); }
static void rebase_number(void) { gasnetx_plan_rebase(with_member(), 1, far_begin, data); }
static void notify_number(void) { gasnetx_plan_notify(gasnetx_plan_create(), 0, NULL); }
static void notify_get(void) { gasnetx_plan_notify(with_list(), 0, NULL); }
static void notify_get_with_word(void) { gasnetx_plan_notify(with_get(), 0, added()); }
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

static const struct misuse cases[] = {
    CASE(word_unaligned, DEBUG),
    CASE(word_outside, DEBUG),
    CASE(kind_unknown, DEBUG),
    CASE(handler_index, DEBUG),
    CASE(handler_unregistered, ALWAYS),
    CASE(notify_null, DEBUG),
    CASE(put_outside, DEBUG),
    CASE(puts_strides, DEBUG),
    CASE(puts_near_strides, DEBUG),
    CASE(putv_total, DEBUG),
    CASE(putv_outside, DEBUG),
    CASE(wait_unaligned, DEBUG),
    CASE(wait_comparison, DEBUG),
    CASE(test_comparison, DEBUG),
    CASE(wait_in_handler, DEBUG),
    CASE(plan_strides, DEBUG),
    CASE(plan_outside, DEBUG),
    CASE(plan_puts_outside, DEBUG),
    CASE(plan_any_outside, DEBUG),
    CASE(plan_node, DEBUG),
    CASE(plan_total, DEBUG),
    CASE(plan_getv_total, DEBUG),
    CASE(rebase_outside, DEBUG),
    CASE(rebase_get, DEBUG),
    CASE(rebase_list, ALWAYS),
    CASE(rebase_number, ALWAYS),
    CASE(notify_number, ALWAYS),
    CASE(notify_get, ALWAYS),
    CASE(notify_get_with_word, ALWAYS),
    CASE(notify_outside, DEBUG),
    CASE(start_destroyed, DEBUG),
    CASE(destroy_twice, DEBUG),
    CASE(start_null, DEBUG),
    CASE(start_in_handler, DEBUG),
};

/* ---- legal edge cases ---- */

static void legal(void)
{
  gasnetx_plan_t plan = with_member(), list = with_list(), get = with_get();
  size_t count[2] = {0, 4};
  gasnetx_notify_t n;
  memset(&n, 0xA5, sizeof n);
  n.kind = GASNETX_NOTIFY_HANDLER; /* then the word is ignored */
  n.handler = H_NOTIFY;
  gasnetx_plan_rebase(plan, 0, far_end - 56, data);
  gasnetx_plan_puts(plan, other, NULL, NULL, NULL, NULL, count, 1);
  gasnetx_plan_rebase(plan, 1, NULL, NULL);
  gasnetx_plan_putv(plan, other, 0, NULL, 0, NULL);
  gasnetx_plan_puti(plan, other, 0, NULL, 8, 4, NULL, 0);
  gasnetx_plan_notify(plan, 2, NULL);
  gasnetx_plan_notify(plan, 3, &n);
  gasnetx_plan_run(plan);
  gasnetx_plan_run(list);
  gasnetx_plan_rebase(get, 0, data, far_end - 8);
  gasnetx_plan_run(get);
  GASNET_BLOCKUNTIL(handled);
  gasnetx_plan_destroy(plan);
  gasnetx_plan_destroy(list);
  gasnetx_plan_destroy(get);
  n.kind = GASNETX_NOTIFY_ADD;
  n.word = (uint64_t *)(far_end - 8); /* the last word; then the handler is ignored */
  n.handler = 3;
  gasnetx_put_notify_bulk(other, NULL, NULL, 0, &n);
  n.handler = 90;
  gasnetx_put_notify_bulk(other, far_begin, data, 8, &n);
  CHECK(gasnetx_test_until((const uint64_t *)(const void *)(data + 8), GASNETX_GE, 0, NULL),
      "nothing is less than 0");
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}, {H_NOTIFY, (void (*)())on_notify}};
  misuse_main("plan_misuse", &argc, &argv, MISUSE_CASE(&argc, argv, cases), legal, table, 2);
}
