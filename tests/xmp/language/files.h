/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What files.c and files_other.c share. */
#ifndef TESTS_XMP_LANGUAGE_FILES_H
#define TESTS_XMP_LANGUAGE_FILES_H
enum { ROWS = 10 };
#pragma xmp nodes p[4]
#pragma xmp template t[ROWS]
#pragma xmp distribute t[block] onto p
extern double shared[ROWS][4];
#pragma xmp align shared[i][*] with t[i]
#pragma xmp shadow shared[1][0]
extern int line_of_other[ROWS];
#pragma xmp align line_of_other[i] with t[i]
extern int images[2] : [*], rows_of_images[2][3] : [2][*];
void other_put(int to);
void other_fill(int scale);
int other_sum(void);
int other_own(void);
#endif
