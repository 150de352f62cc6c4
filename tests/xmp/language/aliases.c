/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Elements that change by other ways than the array's name in the same function: through pointers, in
 * functions that are inlined and those that are not, by directives, and by the library's address. The
 * compiler is told that arrays do not overlap, and must not take more from that. */
#include "check.h"

enum { N = 16, MINE = 4 };
#pragma xmp nodes p[4]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
static int a[N], b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]

static int *kept; /* an element of a */
static int first; /* index that this node has */

static inline void set_here(int value) { a[first] = value; }
static void __attribute__((noinline)) set_there(int value) { a[first] = value; }
static void __attribute__((noinline)) keep(int *element) { kept = element; }

static int __attribute__((noinline)) by_parameter(int *element)
{
  const int before = a[first];
  *element = before + 1;
  return a[first] - before;
}

static int __attribute__((noinline)) by_kept_pointer(void)
{
  const int before = a[first];
  *kept = before + 2;
  return a[first] - before;
}

static int __attribute__((noinline)) by_own_pointer(void)
{
  int *const element = &a[first];
  a[first] = 1;
  *element += 4;
  a[first] += 10;
  return *element;
}

static int __attribute__((noinline)) by_functions(void)
{
  a[first] = 1;
  set_here(a[first] + 1);
  const int inlined = a[first];
  set_there(inlined + 1);
  return 10 * inlined + a[first];
}

/* What the library says of the array's place is no name of it. */
static int __attribute__((noinline)) by_address(void)
{
  void *place;
  int shadow;
  xmp_array_laddr(xmp_desc_of(a), &place);
  xmp_array_lshadow(xmp_desc_of(a), 1, &shadow);
  a[first] = 7;
  ((int *)place)[shadow] += 1;
  return a[first];
}

static int __attribute__((noinline)) by_gmove(void)
{
  a[first] = b[first] = -1;
#pragma xmp gmove
  b[:] = 5;
#pragma xmp gmove
  a[:] = b[:];
  return a[first] + b[first];
}

static int __attribute__((noinline)) by_reflect(int me)
{
  a[first + MINE - 1] = 100 + me;
  if (first > 0) a[first - 1] = -1;
#pragma xmp reflect(a)
  return first > 0 ? a[first - 1] : 99;
}

/* A loop that the compiler is told everything of, between changes by pointers. */
static int __attribute__((noinline)) by_loops(int *element)
{
  int sum = 0, i;
  *element = 3;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) b[i] = 2 * a[i];
  *element = 4;
  sum += b[first];
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) b[i] = 10 * a[i];
  return sum + b[first];
}

int main(void)
{
  const int me = xmpc_node_num();
  int i;
  first = MINE * me;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = b[i] = 0;
  keep(&a[first]);
  CHECK_EQUAL(by_parameter(&a[first]), 1);
  CHECK_EQUAL(by_kept_pointer(), 2);
  CHECK_EQUAL(by_own_pointer(), 15);
  CHECK_EQUAL(by_functions(), 23);
  CHECK_EQUAL(by_address(), 8);
  CHECK_EQUAL(by_gmove(), 10);
  CHECK_EQUAL(by_reflect(me), 99 + me);
  CHECK_EQUAL(by_loops(&a[first]), 46);
  return check_end();
}
