/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tests of the XcalableMP runtime share. They are programs as xmpcc makes them: they call what
 * xmp_translated.h declares, and the runtime starts in a constructor. */
#ifndef TESTS_XMP_COMMON_H
#define TESTS_XMP_COMMON_H

#include <xmp_translated.h>
#include <xmp.h>

#define TEST_STATE     int me, nodes;
#define TEST_PLACE     "node %d of %d", test.me, test.nodes
#define TEST_END(code) xmp_exit(code)
#include "../check.h"

#define AT2(file, line) file ":" #line
#define AT1(file, line) AT2(file, line)
#define AT              AT1(__FILE__, __LINE__) /* a directive's place */

__attribute__((constructor(101))) static void test_begin(int argc, char **argv)
{
  pst_xmp_begin(argc, argv);
  pst_xmp_end_here();
}

/* Whether `yes` is set on any node. Collective on all nodes. */
UNUSED static int test_any(int yes)
{
  int any = yes != 0;
  const struct pst_xmp_variable v = {&any, 1, sizeof any, PST_XMP_INT, "any"};
  pst_xmp_reduction(AT, PST_XMP_BITOR, 1, &v, NULL, NULL);
  return any;
}

/* All nodes take node 0's seed. */
UNUSED static void test_start(const char *name, int *argc, char ***argv)
{
  const struct pst_xmp_variable v = {&test.seed, 1, sizeof test.seed, PST_XMP_ULONG, "seed"};
  test.name = name;
  test.me = xmpc_all_node_num();
  test.nodes = xmp_all_num_nodes();
  test_parse(argc, *argv, 1, "");
  pst_xmp_bcast(AT, 1, &v, NULL, NULL, NULL);
  if (test.me == 0)
    printf("%s: seed %llu scale %g nodes %d\n", name, (unsigned long long)test.seed, test.scale, test.nodes);
  fflush(stdout);
}

/* The verdict of all nodes: what main returns. */
UNUSED static int test_finish(void)
{
  if (test.failures) fprintf(stderr, "%s: node %d: %d checks failed\n", test.name, test.me, test.failures);
  return test_any(test.failures != 0);
}

#endif
