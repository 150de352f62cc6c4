/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Values that are compared; a program's code says whether all were right. */
#ifndef TESTS_XMP_MPI_CHECK_H
#define TESTS_XMP_MPI_CHECK_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compared, wrong;

#define is(value, expected, what) is_at(__LINE__, (long)(value), (long)(expected), what)
static void is_at(int line, long value, long expected, const char *what)
{
  compared++;
  if (value == expected) return;
  if (wrong++ < 10)
    fprintf(
        stderr, "node %d, line %d: %s is %ld, not %ld\n", xmpc_all_node_num(), line, what, value, expected);
}

static int result(void)
{
  if (compared && !wrong && xmpc_all_node_num() == 0) printf("all of %d are right\n", compared);
  return !compared || wrong;
}

#endif
