/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of gasnet_vis.h and gasnetx.h that break their rules. Debug builds find them, with a message that
 * names the call, the argument, the entry or dimension and the values; tests/check_misuse.sh knows it. */
#include "misuse.h"

static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;

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
  size_t far[2] = {16, 64}, near[2] = {8, 32}, count[3] = {8, 4, 3}; /* 184 bytes */
  gasnet_wait_syncnb(gasnet_puts_nb_bulk(other, far_end - 183, far, data, near, count, 2));
}
static void gets_before(void)
{
  size_t far[1] = {16}, near[1] = {8}, count[2] = {8, 4};
  gasnet_gets_bulk(data, near, other, far_begin - 16, far, count, 1);
}
static void puts_huge(void)
{
  size_t far[1] = {(size_t)1 << 60}, near[1] = {8}, count[2] = {8, 17}; /* 16 such strides overflow to 0 */
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

static const ptrdiff_t along[2] = {8, 64}, back[2] = {-8, 64};
static const size_t few[2] = {2, 3};

/* The block begins 8 bytes too low. */
static void any_below(void)
{
  gasnetx_puts_any_bulk(other, far_begin + 16, back, data, along, 8, (size_t[]){4, 2}, 2);
}
static void any_above(void)
{
  gasnetx_gets_any_nbi_bulk(data, along, other, far_end - 71, back, 8, (size_t[]){4, 2}, 2);
}
static void any_after(void) { gasnetx_gets_any_nb_bulk(data, along, other, far_end - 135, along, 8, few, 2); }
static void any_node(void) { gasnetx_puts_any_nbi_bulk(2, far_begin, along, data, along, 8, few, 1); }
static void any_here(void) { gasnetx_gets_any_bulk(data, along, other, far_begin, along, 8, few, 1); }
static void any_in_handler(void) { run_in_handler(any_here); }
static void any_dims(void)
{
  size_t count[65];
  ptrdiff_t strides[65] = {0};
  for (int i = 0; i < 65; i++) count[i] = 2;
  gasnetx_gets_any_nbi_bulk(data, strides, other, far_begin, strides, 1, count, 65);
}
static void reshape_volume(void)
{
  gasnet_wait_syncnb(gasnetx_puts_reshape_nb_bulk(
      other, far_begin, along, (size_t[]){3, 2}, 2, data, along, (size_t[]){8}, 1, 8));
}
static void reshape_outside(void)
{
  gasnetx_gets_reshape_bulk(
      data, along, (size_t[]){6}, 1, other, far_end - 64, along, (size_t[]){3, 2}, 2, 8);
}
static void reshape_after(void)
{
  gasnetx_gets_reshape_nbi_bulk(data, along, (size_t[]){6}, 1, other, far_end - 135, along, few, 2, 8);
}
static void pitch_below_width(void) { gasnetx_puts_2d_bulk(other, far_begin, 15, data, 16, 16, 3); }
static void plane_below_rows(void)
{
  gasnet_wait_syncnb(gasnetx_gets_3d_nb_bulk(data, 16, 48, other, far_begin, 16, 47, 16, 3, 2));
}

/* ---- several nodes ---- */

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
/* A region without bytes may be anywhere. */
static void getv_multi_node(void)
{
  gasnetx_memvec_t far[3] = {{other, far_begin, 8}, {9, NULL, 0}, {2, far_begin, 8}};
  gasnet_memvec_t near[1] = {{data, 16}};
  gasnetx_getv_multi_nb_bulk(1, near, 3, far);
}
static void putv_multi_outside(void)
{
  gasnetx_memvec_t far[2] = {{other, far_begin, 8}, {other, far_end - 7, 8}};
  gasnet_memvec_t near[1] = {{data, 16}};
  gasnetx_putv_multi_nbi_bulk(2, far, 1, near);
}
static void puti_multi_half_empty(void)
{
  void *near = data;
  gasnetx_puti_multi_bulk(0, NULL, NULL, 8, 1, &near, 8);
}
static void geti_multi_node(void)
{
  gasnet_node_t node[1] = {7};
  void *far[1] = {far_begin}, *near = data;
  gasnetx_geti_multi_bulk(1, &near, 8, 1, node, far, 8);
}
static void puti_multi_outside(void)
{
  gasnet_node_t node[2] = {test.me, other};
  void *far[2] = {seg_at(test.me, 0), far_begin - 1}, *near = data;
  gasnetx_puti_multi_nb_bulk(2, node, far, 4, 1, &near, 8);
}
static void geti_multi_here(void)
{
  void *near = data, *far = far_begin;
  gasnetx_geti_multi_bulk(1, &near, 8, 1, &other, &far, 8);
}
static void geti_multi_in_handler(void) { run_in_handler(geti_multi_here); }

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

static void reblock_outside(void)
{
  void *far_base[1] = {far_end - 255}, *near_base[1] = {data};
  gasnetx_distribution_t far = {4, 1, &other, far_base}, near = {8, 1, &test.me, near_base};
  gasnetx_reblock_bulk(&far, 0, &near, 0, 32, 8);
}

static const struct misuse cases[] = {
    CASE(putv_total, DEBUG),
    CASE(getv_total, DEBUG),
    CASE(putv_half_empty, DEBUG),
    CASE(putv_outside, DEBUG),
    CASE(putv_before, DEBUG),
    CASE(getv_outside, DEBUG),
    CASE(putv_node, DEBUG),
    CASE(putv_in_handler, DEBUG),
    CASE(putv_with_lock, DEBUG),
    CASE(puti_total, DEBUG),
    CASE(geti_total, DEBUG),
    CASE(puti_half_empty, DEBUG),
    CASE(puti_outside, DEBUG),
    CASE(geti_outside, DEBUG),
    CASE(geti_in_handler, DEBUG),
    CASE(puts_first, DEBUG),
    CASE(puts_monotonic, DEBUG),
    CASE(puts_overlap, DEBUG),
    CASE(puts_alone, DEBUG),
    CASE(gets_source, DEBUG),
    CASE(gets_target, DEBUG),
    CASE(puts_last_row, DEBUG),
    CASE(gets_before, DEBUG),
    CASE(puts_huge, DEBUG),
    CASE(gets_node, DEBUG),
    CASE(gets_in_handler, DEBUG),
    CASE(any_below, DEBUG),
    CASE(any_above, DEBUG),
    CASE(any_after, DEBUG),
    CASE(any_node, DEBUG),
    CASE(any_in_handler, DEBUG),
    CASE(any_dims, DEBUG),
    CASE(reshape_volume, DEBUG),
    CASE(reshape_outside, DEBUG),
    CASE(reshape_after, DEBUG),
    CASE(pitch_below_width, DEBUG),
    CASE(plane_below_rows, DEBUG),
    CASE(multi_total, DEBUG),
    CASE(multi_node, DEBUG),
    CASE(multi_outside, DEBUG),
    CASE(getv_multi_node, DEBUG),
    CASE(putv_multi_outside, DEBUG),
    CASE(puti_multi_half_empty, DEBUG),
    CASE(geti_multi_node, DEBUG),
    CASE(puti_multi_outside, DEBUG),
    CASE(geti_multi_in_handler, DEBUG),
    CASE(reblock_block, DEBUG),
    CASE(reblock_nodes, DEBUG),
    CASE(reblock_node, DEBUG),
    CASE(reblock_outside, DEBUG),
    CASE(reblock_after, DEBUG),
    CASE(reblock_before, DEBUG),
};

/* ---- legal edge cases ---- */

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
  far[0] = far[1] = (size_t)1 << 60; /* strides that are not used */
  count[1] = count[2] = 1;
  gasnet_puts_bulk(other, far_end - 8, far, data, far, count, 2);
}

static void legal_extensions(void)
{
  gasnetx_memvec_t far[3] = {{other, far_end - 8, 8}, {99, NULL, 0}, {test.me, seg_at(test.me, 0), 8}};
  gasnet_memvec_t near[1] = {{data, 16}};
  size_t first = test.me ? 2 : 6; /* the third element of the other node */
  gasnetx_puts_any_bulk(other, far_begin + 24, back, data, along, 8, (size_t[]){4, 2}, 2);
  gasnetx_gets_any_bulk(data, along, other, far_end - 72, back, 8, (size_t[]){4, 2}, 2);
  gasnetx_puts_any_bulk(other, far_begin + 8, back, data, along, 8, few, 1);
  gasnetx_gets_any_bulk(data, along, other, far_end - 144, along, 8, few, 2);
  gasnetx_gets_2d_bulk(data, 16, other, far_end - 48, 16, 16, 3);
  gasnetx_puts_2d_bulk(other, far_end - 22, 7, data, 8, 8, 0);
  gasnetx_puts_2d_bulk(other, far_end - 24, 8, data, 8, 8, 3);
  gasnetx_getv_multi_bulk(1, near, 3, far);
  if (test.nodes == 1) return;
  reblock(4, 2, NULL, far_begin, 0, 2 * SEGMENT / 8);
  reblock(4, 2, NULL, far_begin - 16, first, 2);
  reblock(4, 2, NULL, far_end - 32, first, 2);
}

static void legal(void)
{
  legal_lists();
  legal_blocks();
  legal_extensions();
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_RUN, (void (*)())on_run}};
  misuse_main("vis_misuse", &argc, &argv, MISUSE_CASE(&argc, argv, cases), legal, table, 1);
}
