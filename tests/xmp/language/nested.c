/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Directives directly behind others, whose statement they are with what belongs to them; directives that are
 * the statement of an if or a loop. */
#include "check.h"

enum { N = 12 };
#pragma xmp nodes p[4]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
static int a[N], b[N], copy[N], co : [*];
#pragma xmp align[i] with t[i] ::a, b
#define BARRIER _Pragma("xmp barrier")

static void loops(void)
{
  int i, sum = 100;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = b[i] = i;
#pragma xmp task on p[ : ]
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 3; i < 9; i++) sum += a[i];
  CHECK_EQUAL(sum, 133);
#pragma xmp task on p[ : ]
#pragma xmp task on p
#pragma xmp array on t[6 : 3]
  a [6:3] = 50;
#pragma xmp end task
#pragma xmp end task
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK_EQUAL(a[i], i / 3 == 2 ? 50 : i);
}

/* The chapter's example: the two nodes get what the others have. */
static void moves(void)
{
  int i;
#pragma xmp task on p[0 : 2]
#pragma xmp gmove in
  a [0:6] = b [6:6];
#pragma xmp end task
#pragma xmp barrier
#pragma xmp task on p[1]
#pragma xmp gmove in
  copy[:] = a[:];
  for (i = 0; i < N; i++) CHECK_EQUAL(copy[i], xmpc_node_num() != 1 ? 0 : i < 6 ? i + 6 : i < 9 ? 50 : i);
}

static void images(void)
{
#pragma xmp task on p[2 : 2]
#pragma xmp image(p)
co:
  [0] = 1;
#pragma xmp barrier
#pragma xmp task on p[2 : 2]
#pragma xmp task on p[3]
#pragma xmp image(p)
co:
  [0] += 4;
#pragma xmp barrier
  CHECK_EQUAL(co, xmpc_node_num() == 0 ? 5 : 0);
}

/* A directive with a ; behind it, or with nothing, is the statement. */
static void alone(int k)
{
  int i, x = xmpc_node_num();
  if (k) BARRIER;
  else k = 3;
  for (i = 0; i < 2; i++) BARRIER;
  do BARRIER;
  while (0);
  if (k == 1)
#pragma xmp bcast(x) from p[2]
    else k = 5; CHECK_EQUAL(k * 10 + x, 12);
#pragma xmp task on p[1 : 2]
#pragma xmp reduction(+ : x)
  CHECK_EQUAL(x, xmpc_node_num() % 3 == 0 ? 2 : 4);
  if (k) {
    if (x)
#pragma xmp barrier
  }
}

int main(void)
{
  loops();
  moves();
  images();
  alone(1);
  return check_end();
}
