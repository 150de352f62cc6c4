/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's coarrays (5), and array sections of local arrays (1.5). */
#include "check.h"

int a[10] : [*], b[10];
double matrix[3][4] : [*];

static void sections(void)
{
  int A[100], B[100], i;
  for (i = 0; i < 100; i++) A[i] = i, B[i] = 1000 + i;
  A [10:10] = 7;
  for (i = 0; i < 100; i++) CHECK_EQUAL(A[i], i >= 10 && i < 20 ? 7 : i);
  A [10:] = B [10:90];
  for (i = 10; i < 100; i++) CHECK_EQUAL(A[i], 1000 + i);
  A[:10] = B [90:] + 1;
  for (i = 0; i < 10; i++) CHECK_EQUAL(A[i], 1091 + i);
  A [10:5:2] = -1;
  for (i = 10; i < 22; i++) CHECK_EQUAL(A[i], i < 20 && i % 2 == 0 ? -1 : 1000 + i);
  A[:] = B[:];
  A [5:5] = B [0:5];
  for (i = 0; i < 100; i++) CHECK_EQUAL(A[i], i >= 5 && i < 10 ? 995 + i : 1000 + i);
  A[:] = B [99:100:-1];
  for (i = 0; i < 100; i++) CHECK_EQUAL(A[i], 1099 - i);
  A [1:99] = A [0:99];
  for (i = 1; i < 100; i++) CHECK_EQUAL(A[i], 1100 - i);
}

static void put_and_get(int me)
{
  int i, image_set[4] = {0, 1, 2, 3}, status = -1;
  for (i = 0; i < 10; i++) a[i] = 100 * me + i, b[i] = 1000 * me + i;
  xmp_sync_all(&status);
  if (xmpc_this_image() == 0) a [0:3] : [1] = b [3:3];
  xmp_sync_all(NULL);
  for (i = 0; i < 10; i++) CHECK_EQUAL(a[i], me == 1 && i < 3 ? 3 + i : 100 * me + i);
  if (xmpc_this_image() == 0) b [3:3] = a [0:3] : [1];
  for (i = 0; i < 10; i++) CHECK_EQUAL(b[i], me == 0 ? (i >= 3 && i < 6 ? i : i) : 1000 * me + i);
  xmp_sync_images(4, image_set, NULL);
  if (me == 2) b [3:3] = a [7:3] : [3];
  for (i = 3; i < 6; i++)
    if (me == 2) CHECK_EQUAL(b[i], 304 + i);
  if (me == 3) {
    matrix[1][:] : [0] = 5;
    matrix[2][3] : [0] = 6;
    xmp_sync_memory(NULL);
  }
  xmp_sync_all(NULL);
  if (me == 0)
    for (i = 0; i < 4; i++) CHECK_EQUAL(matrix[1][i], 5);
  if (me == 0) CHECK_EQUAL(matrix[2][3], 6);
  if (me == 1) CHECK_EQUAL(matrix[2][3] : [0] + a[1] : [3], 6 + 301);
}

int main(void)
{
  sections();
  put_and_get(xmpc_this_image());
  return check_end();
}
