/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names: macros from a header, _Pragma, types of arrays, old functions, locals, parameters and members that
 * hide or repeat the names of arrays, labels, sizeof and typeof. */
#include "names.h"

#include "check.h"

#pragma xmp nodes p BOTH(2, 2)
#pragma xmp template t[ROWS][COLUMNS]
#pragma xmp distribute t[DISTRIBUTED][DISTRIBUTED] onto p
#pragma xmp nodes q[WIDTH(4, 7)]
#pragma xmp template u[COLUMNS]
#pragma xmp distribute u[cyclic] onto q
grid a;
#pragma xmp align a BOTH(i, j) WITH_T(i, j)
static line b, plain;
#pragma xmp align b[i] with u[i]
struct pair {
  int a, b; /* as the arrays */
};

static int hidden(int a)
{
  int b = a + 1;
  {
    double a[2] = {b, b + 1};
    return (int)(a[0] + a[1]);
  }
}

static int members(struct pair *s)
{
  struct pair one = {.a = 5, .b = 6}, *const at = &one;
  s->a = at->a;
  return s->a + one.b + (*at).a;
}

static int old(list, n)
int list[];
int n;
{
  int i, sum = 0;
  for (i = 0; i < n; i++) sum += list[i];
  return sum;
}

static int old_aligned(list, scale)
int list[COLUMNS];
int scale;
{
#pragma xmp align list[i] with u[i]
  int i, sum = 0;
#pragma xmp loop on u[i] SUM_OF(sum)
  for (i = 0; i < COLUMNS; i++) sum += scale * list[i];
  return sum;
}

static int aligned_before(int list[COLUMNS], int scale)
#pragma xmp align list[i] with u[i]
{
  int i, sum = 0;
#pragma xmp loop on u[i] SUM_OF(sum)
  for (i = 0; i < COLUMNS; i++) sum += scale * list[i];
  return sum;
}

static int old_aligned_before(list, scale)
#pragma xmp align list[i] with u[i]
int list[COLUMNS];
int scale;
{
  int i, sum = 0;
#pragma xmp loop on u[i] SUM_OF(sum)
  for (i = 0; i < COLUMNS; i++) sum += scale * list[i];
  return sum;
}

static int jump(int n)
{
a:
  n++;
  if (n < 5) goto a;
  switch (n) {
  case 5: goto b;
  default: n = 0;
  }
b:
  return n;
}

static void sizes(void)
{
  __typeof__(a) copy;
  __typeof__(a[0][0]) element = 3.5;
  char fits[sizeof(a) == ROWS * COLUMNS * sizeof(double) ? 1 : -1];
  copy[1][2] = element;
  CHECK_EQUAL(sizeof a, ROWS * COLUMNS * sizeof(double));
  CHECK_EQUAL(sizeof a[0], COLUMNS * sizeof(double));
  CHECK_EQUAL(sizeof a / sizeof a[0], ROWS);
  CHECK_EQUAL(sizeof(b) / sizeof *b, COLUMNS);
  CHECK_EQUAL(sizeof copy, sizeof a);
  CHECK_EQUAL(2 * copy[1][2], 7);
  CHECK_EQUAL(sizeof fits, 1);
}

static void sizes_of_parameters(double list[ROWS][COLUMNS], double (*rows)[COLUMNS], int *values)
{
#pragma xmp align list[i][j] with t[i][j]
#pragma xmp align rows[i][j] with t[i][j]
#pragma xmp align values[i] with u[i]
  CHECK_EQUAL(sizeof(list[0][0]) + sizeof(values[0]), sizeof(double) + sizeof(int));
  CHECK_EQUAL(sizeof list[0], COLUMNS * sizeof(double));
  CHECK_EQUAL(sizeof(rows[1]) / sizeof(rows[1][2]), COLUMNS);
  CHECK_EQUAL(sizeof(list) + sizeof(rows) + sizeof(values), 3 * sizeof(void *));
}

int main(void)
{
  const int me = xmpc_node_num();
  int i, j, k, sum = 0;
  struct pair pair = {0, 0};
#pragma xmp EMPTY loop(i, j) on t BOTH(i, j) SUM_OF(sum)
  for (i = 0; i < ROWS; i++)
    for (j = 0; j < COLUMNS; j++) {
      a[i][j] = 10 * i + j;
      sum += i + j;
    }
  CHECK_EQUAL(sum, 15 * COLUMNS + 28 * ROWS);
  sizes_of_parameters(a, a, b);
  for (i = me / 2 * 3; i < me / 2 * 3 + 3; i++)
    for (j = me % 2 * 4; j < me % 2 * 4 + 4; j++) CHECK_EQUAL(a[i][j], 10 * i + j);
  /* clang-format off */
  _Pragma("xmp loop on u[k]")
  for (k = 0; k < COLUMNS; k++) b[k] = k;
  LINE_LOOP
  for (k = 0; k < COLUMNS; k++) b[k] += 100;
#	pragma    xmp    loop \
    on u[k]	/* a comment */
  for (k = 0; k < COLUMNS; k++) b[k] += 1000;
  /* clang-format on */
  for (k = me; k < COLUMNS; k += 4) CHECK_EQUAL(b[k], 1100 + k);
  for (k = 0; k < COLUMNS; k++) plain[k] = k;
  CHECK_EQUAL(hidden(4), 11);
  CHECK_EQUAL(members(&pair), 16);
  CHECK_EQUAL(pair.a, 5);
  CHECK_EQUAL(old(plain, COLUMNS), 28);
  CHECK_EQUAL(old(b, 2), 2200 + 2 * me + 4);
  CHECK_EQUAL(old_aligned(b, 2), 2 * (1100 * COLUMNS + 28));
  CHECK_EQUAL(aligned_before(b, 3), 3 * (1100 * COLUMNS + 28));
  CHECK_EQUAL(old_aligned_before(b, 2), 2 * (1100 * COLUMNS + 28));
  CHECK_EQUAL(jump(1), 5);
  sizes();
  return check_end();
}
