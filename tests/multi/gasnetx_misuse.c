/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of gasnetx.h that break their rules, one a run: --case NAME. A debug build must end the job with a
 * message that names the call, the argument and the values; tests/check_vis_misuse.sh knows the messages.
 * Without --case: the legal neighbours, which must go through in every build. --list prints the names. */
#include "common.h"
#include <gasnetx.h>

enum { H_RUN = 128 };
#define SEGMENT GASNET_PAGESIZE

static gasnet_node_t other;
static char *far_begin, *far_end; /* the other node's segment */
static char data[4 * SEGMENT];
static volatile int handled;
static void (*in_handler)(void);

static void on_run(gasnet_token_t t)
{
  (void)t;
  in_handler();
  handled = 1;
}

static void run_in_handler(void (*what)(void))
{
  in_handler = what;
  gasnet_AMRequestShort0(test.me, H_RUN);
  GASNET_BLOCKUNTIL(handled);
}

/* ---- any order and shape; a rectangle ---- */

static const ptrdiff_t along[2] = {8, 64}, back[2] = {-8, 64};
static const size_t few[2] = {2, 3};

static void any_before(void) { gasnetx_puts_any_bulk(other, far_begin, back, data, along, 8, few, 1); }
static void any_after(void) { gasnetx_gets_any_nb_bulk(data, along, other, far_end - 135, along, 8, few, 2); }
static void any_node(void) { gasnetx_puts_any_nbi_bulk(2, far_begin, along, data, along, 8, few, 1); }
static void any_here(void) { gasnetx_gets_any_bulk(data, along, other, far_begin, along, 8, few, 1); }
static void any_in_handler(void) { run_in_handler(any_here); }

static void any_dims(void)
{
  size_t count[65];
  ptrdiff_t strides[65];
  for (int i = 0; i < 65; i++) count[i] = 2, strides[i] = 0;
  gasnetx_gets_any_nbi_bulk(data, strides, other, far_begin, strides, 1, count, 65);
}

static void reshape_total(void)
{
  const size_t five = 5;
  gasnetx_puts_reshape_bulk(other, far_begin, along, few, 2, data, along, &five, 1, 8);
}
static void reshape_outside(void)
{
  const size_t six = 6;
  gasnetx_gets_reshape_nbi_bulk(data, along, &six, 1, other, far_end - 135, along, few, 2, 8);
}
static void rectangle(void) { gasnetx_puts_2d_nb_bulk(other, far_begin, 7, data, 8, 8, 3); }

/* ---- several nodes ---- */

static void putv_total(void)
{
  gasnetx_memvec_t far[2] = {{other, far_begin, 24}, {test.me, seg_at(test.me, 0), 24}};
  gasnet_memvec_t near[1] = {{data, 40}};
  gasnetx_putv_multi_bulk(2, far, 1, near);
}
static void getv_node(void)
{
  gasnetx_memvec_t far[3] = {{other, far_begin, 8}, {9, NULL, 0}, {2, far_begin, 8}};
  gasnet_memvec_t near[1] = {{data, 16}};
  gasnetx_getv_multi_nb_bulk(1, near, 3, far);
}
static void putv_outside(void)
{
  gasnetx_memvec_t far[2] = {{other, far_begin, 8}, {other, far_end - 7, 8}};
  gasnet_memvec_t near[1] = {{data, 16}};
  gasnetx_putv_multi_nbi_bulk(2, far, 1, near);
}
static void puti_half_empty(void)
{
  void *near = data;
  gasnetx_puti_multi_bulk(0, NULL, NULL, 8, 1, &near, 8);
}
static void geti_node(void)
{
  gasnet_node_t node[1] = {7};
  void *far[1] = {far_begin}, *near = data;
  gasnetx_geti_multi_bulk(1, &near, 8, 1, node, far, 8);
}
static void puti_outside(void)
{
  gasnet_node_t node[2] = {test.me, other};
  void *far[2] = {seg_at(test.me, 0), far_begin - 1}, *near = data;
  gasnetx_puti_multi_nb_bulk(2, node, far, 4, 1, &near, 8);
}
static void geti_here(void)
{
  void *near = data, *far = far_begin;
  gasnetx_geti_multi_bulk(1, &near, 8, 1, &other, &far, 8);
}
static void geti_in_handler(void) { run_in_handler(geti_here); }

/* ---- reblocking: from an array here to blocks of four doubles on both nodes ---- */

static void reblock(size_t block, size_t nodes, const gasnet_node_t *node, char *far, size_t first, size_t n)
{
  void *base[2] = {test.me ? far : data, test.me ? data : far}, *from = data + 2 * SEGMENT;
  const gasnetx_distribution_t dst = {block, nodes, node, base}, src = {2 * SEGMENT, 1, &test.me, &from};
  gasnetx_reblock_bulk(&dst, first, &src, 0, n, 8);
}

static void reblock_block(void) { reblock(0, 2, NULL, far_begin, 0, 8); }
static void reblock_nodes(void) { reblock(4, 0, NULL, far_begin, 0, 8); }
static void reblock_node(void)
{
  const gasnet_node_t node[2] = {0, 5};
  reblock(4, 2, node, far_begin, 0, 8);
}
static void reblock_after(void) { reblock(4, 2, NULL, far_begin, 0, 2 * SEGMENT / 8 + 5); }
static void reblock_before(void) { reblock(4, 2, NULL, far_begin - 17, 6, 2); }

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"any-before", any_before},
    {"any-after", any_after},
    {"any-node", any_node},
    {"any-in-handler", any_in_handler},
    {"any-dims", any_dims},
    {"reshape-total", reshape_total},
    {"reshape-outside", reshape_outside},
    {"rectangle", rectangle},
    {"putv-multi-total", putv_total},
    {"getv-multi-node", getv_node},
    {"putv-multi-outside", putv_outside},
    {"puti-multi-half-empty", puti_half_empty},
    {"geti-multi-node", geti_node},
    {"puti-multi-outside", puti_outside},
    {"geti-multi-in-handler", geti_in_handler},
    {"reblock-block", reblock_block},
    {"reblock-nodes", reblock_nodes},
    {"reblock-node", reblock_node},
    {"reblock-after", reblock_after},
    {"reblock-before", reblock_before},
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
      fprintf(stderr, "FAIL gasnetx_misuse %s: nothing said that it is forbidden\n", name);
      gasnet_exit(1);
    }
    gasnet_set_waitmode(GASNET_WAIT_BLOCK);
    GASNET_BLOCKUNTIL(0); /* serves what node 0 asks, until the job ends */
  }
  fprintf(stderr, "gasnetx_misuse: there is no case %s\n", name);
  gasnet_exit(2);
}

/* ---- what is just legal ---- */

static void legal(void)
{
  gasnetx_memvec_t far[3] = {{other, far_end - 8, 8}, {99, NULL, 0}, {test.me, seg_at(test.me, 0), 8}};
  gasnet_memvec_t near[1] = {{data, 16}};
  size_t first = test.me ? 2 : 6; /* the third element of the other node */
  gasnetx_puts_any_bulk(other, far_begin + 8, back, data, along, 8, few, 1);
  gasnetx_gets_any_bulk(data, along, other, far_end - 144, along, 8, few, 2);
  gasnetx_puts_2d_bulk(other, far_end - 22, 7, data, 8, 8, 0);
  gasnetx_puts_2d_bulk(other, far_end - 24, 8, data, 8, 8, 3);
  gasnetx_getv_multi_bulk(1, near, 3, far);
  if (test.nodes == 1) return;
  reblock(4, 2, NULL, far_begin, 0, 2 * SEGMENT / 8);
  reblock(4, 2, NULL, far_begin - 16, first, 2);
  reblock(4, 2, NULL, far_end - 32, first, 2);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}};
  if (argc == 2 && !strcmp(argv[1], "--list")) list_cases();
  const char *name = test_option(&argc, argv, "--case");
  test_init("gasnetx_misuse", &argc, &argv);
  test_no_more_options(argc, argv);
  test_attach(table, 1, SEGMENT);
  REQUIRE(test.nodes <= 2, "at most two nodes");
  other = peer_to(1);
  far_begin = seg_at(other, 0);
  far_end = seg_at(other, SEGMENT);
  if (name) run_case(name);
  test_barrier();
  legal();
  test_finish();
}
