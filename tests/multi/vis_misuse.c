/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of gasnet_vis.h and gasnetx.h that break their rules, one a run: --case NAME. A debug build must end
 * the job with a message that names the call, the argument, the entry or dimension and the values;
 * tests/check_vis_misuse.sh knows them. Without --case: the legal neighbours, which must go through in every
 * build. --list prints the names. */
#include "common.h"
#include <gasnetx.h>

enum { H_RUN = 128 };
#define SEGMENT GASNET_PAGESIZE

static gasnet_node_t other;
static char *far_begin, *far_end; /* the other node's segment */
static char data[SEGMENT] __attribute__((aligned(8)));
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static volatile int handled;
static void (*in_handler)(void);

static void on_run(gasnet_token_t t)
{
  (void)t;
  if (in_handler) in_handler();
  handled = 1;
}

static void run_in_handler(void (*what)(void))
{
  in_handler = what;
  gasnet_AMRequestShort0(test.me, H_RUN);
  GASNET_BLOCKUNTIL(handled);
}

/* ---- vector ---- */

static void putv_total(void)
{
  gasnet_memvec_t far[2] = {{far_begin, 24}, {far_begin + 64, 24}}, near[2] = {{data, 40}, {data, 0}};
  gasnet_putv_bulk(other, 2, far, 2, near);
}
static void getv_total(void)
{
  gasnet_memvec_t far[1] = {{far_begin, 24}}, near[1] = {{data, 25}};
  gasnet_wait_syncnb(gasnet_getv_nb_bulk(1, near, other, 1, far));
}
static void putv_half_empty(void)
{
  gasnet_memvec_t near[1] = {{data, 25}};
  gasnet_putv_nbi_bulk(other, 0, NULL, 1, near);
}
static void putv_outside(void)
{
  gasnet_memvec_t far[3] = {{far_begin, 8}, {far_end - 8, 8}, {far_end - 7, 8}}, near[1] = {{data, 24}};
  gasnet_putv_bulk(other, 3, far, 1, near);
}
static void putv_before(void)
{
  gasnet_memvec_t far[2] = {{far_begin, 8}, {far_begin - 1, 8}}, near[1] = {{data, 16}};
  gasnet_wait_syncnb(gasnet_putv_nb_bulk(other, 2, far, 1, near));
}
static void getv_outside(void)
{
  gasnet_memvec_t far[1] = {{far_end, 1}}, near[1] = {{data, 1}};
  gasnet_getv_nbi_bulk(1, near, other, 1, far);
}
static void putv_node(void)
{
  gasnet_memvec_t far[1] = {{far_begin, 1}}, near[1] = {{data, 1}};
  gasnet_putv_bulk(test.nodes, 1, far, 1, near);
}
static void putv_here(void)
{
  gasnet_memvec_t far[1] = {{far_begin, 1}}, near[1] = {{data, 1}};
  gasnet_putv_bulk(other, 1, far, 1, near);
}
static void putv_in_handler(void) { run_in_handler(putv_here); }
static void putv_with_lock(void)
{
  gasnet_hsl_lock(&lock);
  putv_here();
}

/* ---- indexed ---- */

static void puti_total(void)
{
  void *far[2] = {far_begin, far_begin + 64}, *near[3] = {data, data, data};
  gasnet_puti_bulk(other, 2, far, 24, 3, near, 17);
}
static void geti_total(void)
{
  void *far[2] = {far_begin, far_begin + 64}, *near[1] = {data};
  gasnet_geti_nbi_bulk(1, near, 24, other, 2, far, 24);
}
static void puti_half_empty(void)
{
  void *near[1] = {data};
  gasnet_puti_bulk(other, 0, NULL, 8, 1, near, 8);
}
static void puti_outside(void)
{
  void *far[2] = {far_end - 8, far_end - 4}, *near[1] = {data};
  gasnet_wait_syncnb(gasnet_puti_nb_bulk(other, 2, far, 8, 1, near, 16));
}
static void geti_outside(void)
{
  void *far[2] = {far_begin - 1, far_begin}, *near[1] = {data};
  gasnet_geti_bulk(1, near, 16, other, 2, far, 8);
}
static void geti_here(void)
{
  void *far[1] = {far_begin}, *near[1] = {data};
  gasnet_geti_bulk(1, near, 8, other, 1, far, 8);
}
static void geti_in_handler(void) { run_in_handler(geti_here); }

/* ---- strided ---- */

static void puts_with(size_t *far, size_t *near, size_t *count, size_t levels)
{
  gasnet_puts_bulk(other, far_begin, far, data, near, count, levels);
}
static void puts_first(void) { puts_with((size_t[]){7}, (size_t[]){8}, (size_t[]){8, 3}, 1); }
static void puts_monotonic(void) { puts_with((size_t[]){32, 8}, (size_t[]){8, 24}, (size_t[]){8, 3, 2}, 2); }
static void puts_overlap(void)
{
  puts_with((size_t[]){8, 24, 47}, (size_t[]){8, 24, 48}, (size_t[]){8, 3, 2, 2}, 3);
}
static void puts_alone(void) { puts_with((size_t[]){8, 24}, (size_t[]){8, 23}, (size_t[]){8, 3, 1}, 2); }
static void gets_source(void)
{
  size_t far[2] = {8, 16}, near[2] = {8, 24}, count[3] = {8, 3, 2};
  gasnet_wait_syncnb(gasnet_gets_nb_bulk(data, near, other, far_begin, far, count, 2));
}
static void gets_target(void)
{
  size_t far[1] = {8}, near[1] = {3}, count[2] = {8, 2};
  gasnet_gets_nbi_bulk(data, near, other, far_begin, far, count, 1);
}
static void puts_last_row(void)
{
  size_t far[2] = {16, 64}, near[2] = {8, 32}, count[3] = {8, 4, 3};
  gasnet_wait_syncnb(
      gasnet_puts_nb_bulk(other, far_end - 183, far, data, near, count, 2)); /* the block has 184 bytes */
}
static void gets_before(void)
{
  size_t far[1] = {16}, near[1] = {8}, count[2] = {8, 4};
  gasnet_gets_bulk(data, near, other, far_begin - 16, far, count, 1);
}
static void puts_huge(void)
{
  size_t far[1] = {(size_t)1 << 60}, near[1] = {8}, count[2] = {8, 17}; /* 16 such strides are 0 again */
  gasnet_puts_nbi_bulk(other, far_begin, far, data, near, count, 1);
}
static void gets_node(void)
{
  size_t count[1] = {8};
  gasnet_gets_bulk(data, NULL, (gasnet_node_t)-1, far_begin, NULL, count, 0);
}
static void gets_here(void)
{
  size_t count[1] = {8};
  gasnet_gets_bulk(data, NULL, other, far_begin, NULL, count, 0);
}
static void gets_in_handler(void) { run_in_handler(gets_here); }

/* ---- any order, reshape, rectangles ---- */

static void any_below(void)
{
  ptrdiff_t far[2] = {-8, 64}, near[2] = {8, 64};
  gasnetx_puts_any_bulk(
      other, far_begin + 16, far, data, near, 8, (size_t[]){4, 2}, 2); /* begins 8 bytes too low */
}
static void any_above(void)
{
  ptrdiff_t far[2] = {-8, 64}, near[2] = {8, 64};
  gasnetx_gets_any_nbi_bulk(data, near, other, far_end - 71, far, 8, (size_t[]){4, 2}, 2);
}
static void reshape_volume(void)
{
  ptrdiff_t far[2] = {8, 64}, near[1] = {8};
  gasnet_wait_syncnb(gasnetx_puts_reshape_nb_bulk(
      other, far_begin, far, (size_t[]){3, 2}, 2, data, near, (size_t[]){8}, 1, 8));
}
static void reshape_outside(void)
{
  ptrdiff_t far[2] = {8, 64}, near[1] = {8};
  gasnetx_gets_reshape_bulk(data, near, (size_t[]){6}, 1, other, far_end - 64, far, (size_t[]){3, 2}, 2, 8);
}
static void pitch_below_width(void) { gasnetx_puts_2d_bulk(other, far_begin, 15, data, 16, 16, 3); }
static void plane_below_rows(void)
{
  gasnet_wait_syncnb(gasnetx_gets_3d_nb_bulk(data, 16, 48, other, far_begin, 16, 47, 16, 3, 2));
}

/* ---- several nodes, reblocking ---- */

static void multi_total(void)
{
  gasnetx_memvec_t far[2] = {{other, far_begin, 8}, {test.me, test.seg[test.me].addr, 8}};
  gasnetx_putv_multi_bulk(2, far, 1, &(gasnet_memvec_t){data, 17});
}
static void multi_node(void)
{
  gasnetx_memvec_t far[2] = {{other, far_begin, 8}, {test.nodes, far_begin, 8}};
  gasnetx_putv_multi_nbi_bulk(2, far, 1, &(gasnet_memvec_t){data, 16});
}
static void multi_outside(void)
{
  gasnet_node_t nodes[2] = {test.me, other};
  void *far[2] = {test.seg[test.me].addr, far_end - 7}, *near[1] = {data};
  gasnetx_geti_multi_bulk(1, near, 16, 2, nodes, far, 8);
}
static void reblock(size_t block, size_t nodes, gasnet_node_t node, void *base)
{
  void *far_base[2] = {base, base}, *near_base[1] = {data};
  gasnet_node_t far_node[2] = {node, node}, near_node[1] = {test.me};
  gasnetx_distribution_t far = {block, nodes, far_node, far_base}, near = {8, 1, near_node, near_base};
  gasnetx_reblock_bulk(&far, 0, &near, 0, 32, 8);
}
static void reblock_block(void) { reblock(0, 1, other, far_begin); }
static void reblock_nodes(void) { reblock(4, 0, other, far_begin); }
static void reblock_node(void) { reblock(4, 2, test.nodes, far_begin); }
static void reblock_outside(void) { reblock(4, 1, other, far_end - 255); }

/* ---- notification ---- */

static void notify_with(gasnetx_notify_kind_t kind, void *word, gasnet_handler_t handler)
{
  gasnetx_notify_t n = {.kind = kind, .word = (uint64_t *)word, .handler = handler};
  gasnetx_put_notify_bulk(other, far_begin, data, 8, &n);
}
static void notify_outside(void) { notify_with(GASNETX_NOTIFY_ADD, far_end, 0); }
static void notify_unaligned(void) { notify_with(GASNETX_NOTIFY_SET, far_begin + 12, 0); }
static void notify_kind(void) { notify_with((gasnetx_notify_kind_t)3, far_begin + 8, 0); }
static void notify_handler(void) { notify_with(GASNETX_NOTIFY_HANDLER, NULL, 90); }
static void notify_none(void) { gasnetx_put_notify_bulk(other, far_begin, data, 8, NULL); }
static void notify_put_outside(void)
{
  gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = (uint64_t *)(void *)far_begin, .value = 1};
  gasnet_memvec_t far[1] = {{far_end - 4, 8}}, near[1] = {{data, 8}};
  gasnetx_putv_notify_nbi_bulk(other, 1, far, 1, near, &n);
}
static void notify_strides(void)
{
  gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = (uint64_t *)(void *)far_begin, .value = 1};
  size_t far[1] = {8}, near[1] = {7}, count[2] = {8, 2};
  gasnet_wait_syncnb(gasnetx_puts_notify_nb_bulk(other, far_begin, far, data, near, count, 1, &n));
}
static void wait_unaligned(void)
{
  gasnetx_wait_until((const uint64_t *)(const void *)(data + 4), GASNETX_EQ, 0);
}
static void wait_compare(void)
{
  gasnetx_test_until((const uint64_t *)test.seg[test.me].addr, (gasnetx_compare_t)6, 0, NULL);
}
static void wait_here(void) { gasnetx_wait_until((const uint64_t *)test.seg[test.me].addr, GASNETX_EQ, 0); }
static void wait_in_handler(void) { run_in_handler(wait_here); }

/* ---- plans ---- */

static gasnetx_plan_t plan_of_get(void)
{
  gasnetx_plan_t p = gasnetx_plan_create();
  gasnetx_plan_gets(p, data, NULL, other, far_begin, NULL, (size_t[]){8}, 0);
  return p;
}
static void plan_member(void) { gasnetx_plan_rebase(plan_of_get(), 1, data, far_begin); }
static void plan_base(void) { gasnetx_plan_rebase(plan_of_get(), 0, data, far_end - 7); }
static void plan_get_notifies(void)
{
  gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = (uint64_t *)(void *)far_begin, .value = 1};
  gasnetx_plan_notify(plan_of_get(), 0, &n);
}
static void plan_list_base(void)
{
  gasnetx_plan_t p = gasnetx_plan_create();
  void *far[1] = {far_begin}, *near[1] = {data};
  gasnetx_plan_rebase(p, gasnetx_plan_puti(p, other, 1, far, 8, 1, near, 8), far_begin, data);
}
static void plan_outside(void)
{
  size_t far[1] = {16}, near[1] = {8}, count[2] = {8, 3};
  gasnetx_plan_puts(gasnetx_plan_create(), other, far_end - 39, far, data, near, count, 1);
}
static void plan_total(void)
{
  gasnet_memvec_t far[1] = {{far_begin, 8}}, near[1] = {{data, 9}};
  gasnetx_plan_getv(gasnetx_plan_create(), 1, near, other, 1, far);
}
static void plan_none(void) { gasnetx_plan_run(NULL); }
static gasnetx_plan_t kept_plan;
static void plan_here(void) { gasnetx_plan_start_nbi(kept_plan); }
static void plan_in_handler(void)
{
  kept_plan = plan_of_get();
  run_in_handler(plan_here);
}

/* ---- */

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"putv-total", putv_total},
    {"getv-total", getv_total},
    {"putv-half-empty", putv_half_empty},
    {"putv-outside", putv_outside},
    {"putv-before", putv_before},
    {"getv-outside", getv_outside},
    {"putv-node", putv_node},
    {"putv-in-handler", putv_in_handler},
    {"putv-with-lock", putv_with_lock},
    {"puti-total", puti_total},
    {"geti-total", geti_total},
    {"puti-half-empty", puti_half_empty},
    {"puti-outside", puti_outside},
    {"geti-outside", geti_outside},
    {"geti-in-handler", geti_in_handler},
    {"puts-first", puts_first},
    {"puts-monotonic", puts_monotonic},
    {"puts-overlap", puts_overlap},
    {"puts-alone", puts_alone},
    {"gets-source", gets_source},
    {"gets-target", gets_target},
    {"puts-last-row", puts_last_row},
    {"gets-before", gets_before},
    {"puts-huge", puts_huge},
    {"gets-node", gets_node},
    {"gets-in-handler", gets_in_handler},
    {"any-below", any_below},
    {"any-above", any_above},
    {"reshape-volume", reshape_volume},
    {"reshape-outside", reshape_outside},
    {"pitch-below-width", pitch_below_width},
    {"plane-below-rows", plane_below_rows},
    {"multi-total", multi_total},
    {"multi-node", multi_node},
    {"multi-outside", multi_outside},
    {"reblock-block", reblock_block},
    {"reblock-nodes", reblock_nodes},
    {"reblock-node", reblock_node},
    {"reblock-outside", reblock_outside},
    {"notify-outside", notify_outside},
    {"notify-unaligned", notify_unaligned},
    {"notify-kind", notify_kind},
    {"notify-handler", notify_handler},
    {"notify-none", notify_none},
    {"notify-put-outside", notify_put_outside},
    {"notify-strides", notify_strides},
    {"wait-unaligned", wait_unaligned},
    {"wait-compare", wait_compare},
    {"wait-in-handler", wait_in_handler},
    {"plan-member", plan_member},
    {"plan-base", plan_base},
    {"plan-get-notifies", plan_get_notifies},
    {"plan-list-base", plan_list_base},
    {"plan-outside", plan_outside},
    {"plan-total", plan_total},
    {"plan-none", plan_none},
    {"plan-in-handler", plan_in_handler},
};
enum { CASES = sizeof cases / sizeof *cases };

static void list_cases(void)
{
  for (size_t i = 0; i < CASES; i++) puts(cases[i].name);
  exit(0);
}

static void run_case(const char *name)
{
#ifndef GASNET_DEBUG
  test_skip("only builds with --enable-debug check descriptions");
#endif
  for (size_t i = 0; i < CASES; i++) {
    if (strcmp(cases[i].name, name)) continue;
    if (test.me == 0) {
      cases[i].run();
      fprintf(stderr, "FAIL vis_misuse %s: nothing said that it is forbidden\n", name);
      gasnet_exit(1);
    }
    gasnet_set_waitmode(GASNET_WAIT_BLOCK);
    GASNET_BLOCKUNTIL(0); /* serves what node 0 asks, until the job ends */
  }
  fprintf(stderr, "vis_misuse: there is no case %s\n", name);
  gasnet_exit(2);
}

/* ---- what is just legal ---- */

static void legal_lists(void)
{
  gasnet_memvec_t far[4] = {{far_begin, 8}, {NULL, 0}, {far_end - 8, 8}, {far_end + 100, 0}};
  gasnet_memvec_t near[3] = {{data, 3}, {NULL, 0}, {data + 8, 13}};
  void *far_at[2] = {far_begin, far_end - 8}, *near_at[4] = {data, data, data, data};
  gasnet_putv_bulk(other, 4, far, 3, near);
  gasnet_getv_bulk(3, near, other, 4, far);
  gasnet_putv_bulk(other, 0, NULL, 0, NULL);
  gasnet_putv_bulk(other, 0, NULL, 1, near + 1);
  gasnet_puti_bulk(other, 2, far_at, 8, 4, near_at, 4);
  gasnet_geti_bulk(1, near_at, 16, other, 2, far_at, 8);
  gasnet_puti_bulk(other, 0, NULL, 8, 4, NULL, 0);
}

static void legal_blocks(void)
{
  size_t far[2] = {16, 64}, near[2] = {8, 32}, count[3] = {8, 4, 3};
  gasnet_puts_bulk(other, far_end - 184, far, data, near, count, 2);
  gasnet_gets_bulk(data, near, other, far_end - 184, far, count, 2);
  count[1] = 0;
  gasnet_puts_bulk(other, NULL, NULL, NULL, NULL, count, 2);
  far[0] = far[1] = (size_t)1 << 60; /* strides that are not taken */
  count[1] = count[2] = 1;
  gasnet_puts_bulk(other, far_end - 8, far, data, far, count, 2);
}

static void legal_extensions(void)
{
  ptrdiff_t far[2] = {-8, 64}, near[2] = {8, 64};
  gasnetx_puts_any_bulk(other, far_begin + 24, far, data, near, 8, (size_t[]){4, 2}, 2);
  gasnetx_gets_any_bulk(data, near, other, far_end - 72, far, 8, (size_t[]){4, 2}, 2);
  gasnetx_gets_2d_bulk(data, 16, other, far_end - 48, 16, 16, 3);
  reblock(4, 1, other, far_end - 256);
  reblock(1000, 2, other, far_end - 256);
  notify_with(GASNETX_NOTIFY_ADD, far_end - 8, 90);
  CHECK(gasnetx_test_until((const uint64_t *)(const void *)(data + 8), GASNETX_GE, 0, NULL),
      "nothing is less than 0");
  gasnetx_plan_t p = plan_of_get();
  gasnetx_plan_rebase(p, 0, data, far_end - 8);
  gasnetx_plan_run(p);
  gasnetx_plan_destroy(p);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}};
  if (argc == 2 && !strcmp(argv[1], "--list")) list_cases();
  const char *name = test_option(&argc, argv, "--case");
  test_init("vis_misuse", &argc, &argv);
  test_no_more_options(argc, argv);
  test_attach(table, 1, SEGMENT);
  other = peer_to(1);
  far_begin = seg_at(other, 0);
  far_end = seg_at(other, SEGMENT);
  if (name) run_case(name);
  test_barrier();
  legal_lists();
  legal_blocks();
  legal_extensions();
  test_finish();
}
