/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What programs of tests/check_xmp_language.sh share. Their first line says how many nodes they take. */
#ifndef TESTS_XMP_LANGUAGE_CHECK_H
#define TESTS_XMP_LANGUAGE_CHECK_H
#include <stdio.h>
#include <xmp.h>

static int wrong, checked;

#define CHECK_EQUAL(value, expected) check_equal(__FILE__, __LINE__, #value, (long)(value), (long)(expected))
static void check_equal(const char *file, int line, const char *text, long value, long expected)
{
  checked++;
  if (value == expected || wrong++ > 5) return;
  fprintf(
      stderr, "%s:%d: node %d: %s is %ld, not %ld\n", file, line, xmpc_all_node_num(), text, value, expected);
}

/* Each node must come to the end, having checked something. */
static int check_end(void)
{
  int ended = 1;
#pragma xmp reduction(+ : ended)
  if (ended != xmp_all_num_nodes() || checked == 0) wrong++;
  return wrong != 0;
}
#endif
