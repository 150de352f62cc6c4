/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The arguments of main, and what is done before and after it. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

#pragma xmp nodes p[*]
int size_before = -1;
__attribute__((constructor)) static void before(void) { size_before = 7; }

int main(int argc, char **argv)
{
  CHECK_EQUAL(argc, 3);
  CHECK_EQUAL(strcmp(argv[1], "one"), 0);
  CHECK_EQUAL(strcmp(argv[2], "two words"), 0);
  CHECK_EQUAL(argv[3] == NULL, 1);
  CHECK_EQUAL(size_before, 7);
  if (check_end()) return 1;
  if (xmpc_node_num() == 1) exit(0);
  return 0;
}
