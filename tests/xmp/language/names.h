/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Macros and types that names.c takes from a header. */
#ifndef TESTS_XMP_LANGUAGE_NAMES_H
#define TESTS_XMP_LANGUAGE_NAMES_H
#define ROWS         6
#define COLUMNS      (ROWS + 2)
#define WIDTH(n, of) ((n) * (of) / (of))
#define BOTH(i, j)   [i][j]
#define DISTRIBUTED  block
#define WITH_T(i, j) with t BOTH(i, j)
#define EMPTY
#define SUM_OF(x) reduction(+ : x)
typedef double grid[ROWS][COLUMNS];
typedef int line[COLUMNS];
#define LINE_LOOP _Pragma("xmp loop on u[k]")
#endif
