/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Linked into each program by xmpcc: the job begins before the program's other constructors, and ends before
 * the destructors of libraries. */
#include "xmp_translated.h"

enum { PRIORITY = 101 /* the first that programs may have */ };

__attribute__((constructor(PRIORITY))) static void program_begin(int argc, char **argv)
{
  pst_xmp_begin(argc, argv);
  pst_xmp_end_here();
}
