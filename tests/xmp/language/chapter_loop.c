/* nodes: 2 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's loops (3.2), reduce_shadow (4.7) and procedures (6) on two nodes. */
#include "check.h"

#pragma xmp nodes p[2]
#pragma xmp template t[10]
#pragma xmp distribute t[block] onto p

static void loops(int me)
{
  int a[10], i, sum = 0, ran[10] = {0};
#pragma xmp align a[i] with t[i]
#pragma xmp loop on t[i]
  for (i = 0; i < 10; i++) a[i] = i;
#pragma xmp loop on t[i]
  for (i = 1; i < 9; i++) a[i] = 10 * i, ran[i] = 1;
  for (i = 0; i < 10; i++) CHECK_EQUAL(ran[i], i > 0 && i < 9 && me == i / 5);
  for (i = 5 * me; i < 5 * me + 5; i++) CHECK_EQUAL(a[i], i > 0 && i < 9 ? 10 * i : i);
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < 10; i++) {
    a[i] = i + 1;
    sum += a[i];
  }
  CHECK_EQUAL(sum, 55);
}

static void shadows(int me)
{
#pragma xmp template t8[8]
#pragma xmp distribute t8[block] onto p
  int a[8], i;
#pragma xmp align a[i] with t8[i]
#pragma xmp shadow a[1]
#pragma xmp loop on t8[i]
  for (i = 0; i < 8; i++) a[i] = i + 1;
#pragma xmp reflect(a)
#pragma xmp reduce_shadow(a)
  for (i = 4 * me; i < 4 * me + 4; i++) CHECK_EQUAL(a[i], i == 3 ? 8 : i == 4 ? 10 : i + 1);
#pragma xmp loop on t8[i]
  for (i = 0; i < 8; i++) a[i] = i + 1;
#pragma xmp reflect(a) width(/ periodic / 1)
#pragma xmp reduce_shadow(a) width(/ periodic / 1)
  for (i = 4 * me; i < 4 * me + 4; i++)
    CHECK_EQUAL(a[i], i == 0 ? 2 : i == 7 ? 16 : i == 3 ? 8 : i == 4 ? 10 : i + 1);
}

static void sub2(double a[10])
{
#pragma xmp nodes p[2]
#pragma xmp template t[10]
#pragma xmp distribute t[block] onto p
#pragma xmp align a[i] with t[i]
  int i;
#pragma xmp loop on t[i]
  for (i = 0; i < 10; i++) a[i] = 3 * i;
}

/* As the chapter prints it, with the parameter declared again behind the directives. */
static void sub2_again(double a[10])
{
#pragma xmp nodes p[2]
#pragma xmp template t[10]
#pragma xmp distribute t[block] onto p
  double a[10];
#pragma xmp align a[i] with t[i]
  int i;
#pragma xmp loop on t[i]
  for (i = 0; i < 10; i++) a[i] += 100;
}

/* Without align a parameter is the local part. */
static void sub2_local(double a[5])
{
  int i;
  for (i = 0; i < 5; i++) a[i] += 1000 * (i + 1);
}

static void sub1(int me)
{
#pragma xmp nodes p[2]
#pragma xmp template t[10]
#pragma xmp distribute t[block] onto p
  double x[10];
#pragma xmp align x[i] with t[i]
  int i;
  sub2(x);
  for (i = 5 * me; i < 5 * me + 5; i++) CHECK_EQUAL(x[i], 3 * i);
  sub2_again(x);
  sub2_local(x);
  for (i = 5 * me; i < 5 * me + 5; i++) CHECK_EQUAL(x[i], 3 * i + 100 + 1000 * (i - 5 * me + 1));
}

int main(void)
{
  const int me = xmpc_node_num();
  loops(me);
  shadows(me);
  sub1(me);
  return check_end();
}
