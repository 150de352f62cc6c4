/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Inquiry functions about objects of known mappings: how dimensions are numbered, which numbers they give,
 * and what they say of wrong arguments. */
#include "common.h"

typedef pst_xmp_index_t index_t;

/* Calls an inquiry whose last argument is its result. */
#define ASK(call, want) \
  do { \
    int value = -77, rc = call; \
    CHECK(rc == 0 && value == (want), #call " gives %d and %d, not %d", rc, value, want); \
  } while (0)
#define REFUSED(call) \
  do { \
    int value = -77; \
    CHECK((call) == XMP_FAILURE && value == -77, #call " is not refused"); \
  } while (0)

/* #pragma xmp nodes p[n][1], template t(0:19, 5:34), that is t[5..34][0..19], distribute t[cyclic(3)][block]
 */
static void *p, *t, *row;
static pst_xmp_array_t *a, *replicated;
static const index_t n_by_1[] = {0, 1}, lower[] = {5, 0}, upper[] = {34, 19};

static void declare(void)
{
  const struct pst_xmp_format format[] = {{.kind = PST_XMP_CYCLIC, .width = 3}, {.kind = PST_XMP_BLOCK}};
  const index_t extent[] = {4, 30, 18}, one[] = {18}, rows[] = {0};
  const struct pst_xmp_align align[] = {{PST_XMP_COLLAPSED, 0}, {0, 5}, {1, 2}}, last = {1, 1};
  const struct pst_xmp_shadow shadow[] = {{0, 0}, {0, 0}, {2, 1}};
  const struct pst_xmp_shape s = {"a", sizeof(double), PST_XMP_DOUBLE, 3, extent, align, shadow, 0},
                             r = {"r", sizeof(int), PST_XMP_INT, 1, one, &last, NULL, 0};
  const struct pst_xmp_subscript column[] = {
      {.span = PST_XMP_REST, .first = test.nodes / 2, .step = 1}, {.span = PST_XMP_ALL}};
  p = pst_xmp_nodes(AT, "p", 2, n_by_1, PST_XMP_NO_PARENT, NULL);
  const struct pst_xmp_on part = {p, 2, column};
  row = pst_xmp_nodes(AT, "row", 1, rows, PST_XMP_OF_NODES, &part);
  t = pst_xmp_template(AT, "t", 2, lower, upper, 1);
  pst_xmp_distribute(AT, t, p, 2, format);
  a = pst_xmp_array(AT, t, &s);
  replicated = pst_xmp_array(AT, t, &r);
}

static void about_nodes(void)
{
  xmp_desc_t of = NULL;
  int lb[2], ub[2], st[2];
  ASK(xmp_desc_kind(p, &value), XMP_DESC_NODES);
  ASK(xmp_nodes_ndims(p, &value), 2);
  ASK(xmp_nodes_size(p, 1, &value), 1); /* the last bracket */
  ASK(xmp_nodes_size(p, 2, &value), test.nodes);
  ASK(xmp_nodes_index(p, 2, &value), test.me + 1);
  ASK(xmpc_nodes_index(p, 2, &value), test.me);
  ASK(xmp_nodes_rank(p, &value), test.me);
  ASK(xmp_nodes_attr(p, &value), XMP_ENTIRE_NODES);
  ASK(xmp_nodes_attr(row, &value), XMP_EQUIVALENCE_NODES);
  CHECK(xmp_nodes_equiv(row, &of, lb, ub, st) == 0 && of == p, "what row is part of");
  CHECK(lb[0] == 1 && ub[0] == 1 && lb[1] == test.nodes / 2 + 1 && ub[1] == test.nodes && st[1] == 1,
      "which part: %d:%d, %d:%d", lb[0], ub[0], lb[1], ub[1]);
  CHECK(xmp_nodes_equiv(p, &of, lb, ub, st) == XMP_FAILURE, "p is part of nothing");
  REFUSED(xmp_nodes_size(p, 3, &value));
  REFUSED(xmp_nodes_size(p, 0, &value));
  REFUSED(xmp_nodes_ndims(t, &value));
  REFUSED(xmp_nodes_ndims(NULL, &value));
  if (test.me < test.nodes / 2) REFUSED(xmp_nodes_index(row, 1, &value));
  else ASK(xmp_nodes_index(row, 1, &value), test.me - test.nodes / 2 + 1);
}

static void about_template(void)
{
  xmp_desc_t nodes = NULL;
  int first, last;
  ASK(xmp_desc_kind(t, &value), XMP_DESC_TEMPLATE);
  ASK(xmp_template_fixed(t, &value), 1);
  ASK(xmp_template_ndims(t, &value), 2);
  ASK(xmp_template_lbound(t, 1, &value), 0);
  ASK(xmp_template_ubound(t, 1, &value), 19);
  ASK(xmp_template_lbound(t, 2, &value), 5);
  ASK(xmp_template_ubound(t, 2, &value), 34);
  CHECK(xmp_template_gsize(t, 2) == 30 && xmp_template_lsize(t, 1) == 20, "lengths");
  ASK(xmp_dist_format(t, 1, &value), XMP_BLOCK);
  ASK(xmp_dist_format(t, 2, &value), XMP_CYCLIC);
  ASK(xmp_dist_blocksize(t, 1, &value), 20);
  ASK(xmp_dist_blocksize(t, 2, &value), 3);
  ASK(xmp_dist_axis(t, 1, &value), 1);
  ASK(xmp_dist_axis(t, 2, &value), 2);
  CHECK(xmp_dist_nodes(t, &nodes) == 0 && nodes == p, "the template's nodes");
  CHECK(xmp_dist_stride(t, 2) == 3 * test.nodes, "stride %d", xmp_dist_stride(t, 2));
  REFUSED(xmp_dist_gblockmap(t, 1, &value));
  REFUSED(xmp_template_lbound(t, 3, &value));
  REFUSED(xmp_template_lbound(p, 1, &value));
  xmp_sched_template_index(&first, &last, 1, 18, 4, t, 0);
  CHECK(first == 1 && last == 17, "from %d to %d", first, last);
  xmp_sched_template_index(&first, &last, 18, 1, -4, t, 0);
  CHECK(first == 18 && last == 2, "from %d down to %d", first, last);
}

static void about_array(void)
{
  xmp_desc_t of = NULL;
  void *base = NULL;
  int lda[3], local = 0, index[3] = {0, 4, 0};
  for (int i = 0; i < 30; i++) local += i / 3 % test.nodes == test.me;
  ASK(xmp_desc_kind(a, &value), XMP_DESC_ARRAY);
  ASK(xmp_array_ndims(a, &value), 3);
  ASK(xmp_align_axis(a, 1, &value), XMP_UNDEFINED);
  ASK(xmp_align_axis(a, 2, &value), 2);
  ASK(xmp_align_axis(a, 3, &value), 1);
  ASK(xmp_align_offset(a, 3, &value), 2);
  ASK(xmp_align_replicated(a, 1, &value), 0);
  ASK(xmp_align_replicated(replicated, 2, &value), 1);
  ASK(xmp_align_replicated(replicated, 1, &value), 0);
  CHECK(xmp_align_template(a, &of) == 0 && of == t, "the array's template");
  ASK(xmp_array_lshadow(a, 3, &value), 2);
  ASK(xmp_array_ushadow(a, 3, &value), 1);
  ASK(xmp_array_lbound(a, 2, &value), 0);
  ASK(xmp_array_ubound(a, 2, &value), 29);
  ASK(xmp_array_lsize(a, 1, &value), 4);
  ASK(xmp_array_lsize(a, 2, &value), local);
  ASK(xmp_array_lsize(a, 3, &value), 21);
  ASK(xmp_array_gtol(a, 3, 5, &value), 7);
  ASK(xmp_array_gtol(a, 3, -2, &value), 0);
  REFUSED(xmp_array_gtol(a, 3, -3, &value));
  CHECK(
      xmp_array_lda(a, lda) == 0 && lda[2] == 1 && lda[1] == 21 && lda[0] == 21 * (local ? local : 1), "lda");
  CHECK(xmp_array_laddr(a, &base) == 0 && base == a->base, "the address of the part");
  CHECK(xmp_array_type_size(a) == sizeof(double) && xmp_array_gsize(a, 3) == 18, "sizes");
  CHECK(xmp_array_owner(a, 3, index, 2) == 1 % test.nodes + 1, "the owner is %d",
      xmp_array_owner(a, 3, index, 2));
  CHECK(xmp_array_owner(replicated, 1, index, 2) == XMP_UNDEFINED, "all rows have it");
  REFUSED(xmp_array_lsize(a, 4, &value));
  REFUSED(xmp_array_ndims(p, &value));
}

int main(int argc, char **argv)
{
  test_start("inquiry", &argc, &argv);
  declare();
  about_nodes();
  about_template();
  about_array();
  CHECK(xmp_wtick() > 0 && xmp_wtick() < 0.1, "ticks of %g s", xmp_wtick());
  const double then = xmp_wtime();
  xmp_barrier();
  CHECK(xmp_wtime() >= then, "time goes back");
  return test_finish();
}
