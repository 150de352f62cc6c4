/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Blocks with arrays of their own are left by every kind of jump; so are tasks and loops. */
#include "check.h"

#pragma xmp nodes p[4]
#pragma xmp template t[12]
#pragma xmp distribute t[block] onto p

static int returns(int n)
{
  int a[12], i, sum = 0;
#pragma xmp align a[i] with t[i]
#pragma xmp loop on t[i]
  for (i = 0; i < 12; i++) a[i] = n;
  if (n % 2) return n;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < 12; i++) sum += a[i];
  return sum;
}

static int breaks(void)
{
  int n, i, sum = 0;
  for (n = 0; n < 10; n++) {
    int b[12];
#pragma xmp align b[i] with t[i]
#pragma xmp loop on t[i]
    for (i = 0; i < 12; i++) b[i] = n;
    if (n == 3) continue;
    if (n == 6) break;
#pragma xmp loop on t[i] reduction(+ : sum)
    for (i = 0; i < 12; i++) sum += b[i];
  }
  return sum;
}

static int gotos(void)
{
  int n = 0, i;
again : {
  double c[12];
#pragma xmp align c[i] with t[i]
#pragma xmp loop on t[i]
  for (i = 0; i < 12; i++) c[i] = n;
  if (++n < 5) goto again;
  goto out;
}
out:
  return n;
}

static int task_returns(int me)
{
#pragma xmp task on p[1 : 2]
  {
    int d[12], i;
#pragma xmp nodes q[2]
#pragma xmp template s[12]
#pragma xmp distribute s[cyclic] onto q
#pragma xmp align d[i] with s[i]
#pragma xmp loop on s[i]
    for (i = 0; i < 12; i++) d[i] = i;
    if (me == 1) return d[0] + 50;
    return d[1] + 60;
  }
  return me;
}

/* A task's end is the end of its set of nodes, however it is reached. */
static void executing(int me)
{
  int i;
  for (i = 0; i < 3; i++) {
#pragma xmp task on p[0 : 3]
    {
      CHECK_EQUAL(xmp_num_nodes(), 3);
      if (i == 1) break;
      if (i == 0) continue;
      CHECK_EQUAL(0, 1);
    }
    CHECK_EQUAL(me, 3);
  }
  CHECK_EQUAL(xmp_num_nodes(), 4);
#pragma xmp task on p[2]
  {
    goto behind;
  }
behind:
  CHECK_EQUAL(xmp_num_nodes(), 4);
}

static int searches(int wanted)
{
  int i, found = -1;
#pragma xmp loop on t[i]
  for (i = 0; i < 12; i++) {
    if (i != wanted) continue;
    found = i;
  }
#pragma xmp reduction(max : found)
  return found;
}

/* Inner loops and switches end, and jumps stay in the body; a name of the variable's may be another's. */
static int stays(void)
{
  int i, sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < 12; i++) {
    int k;
    for (k = 0;; k++)
      if (k == i) break;
    switch (i % 3) {
    case 0: goto next;
    case 1: sum += k; break;
    default: break;
    }
    do {
      int i = 7;
      if (i++ == 7) break;
    } while (1);
    sum++;
  next:
    sum += 100;
  }
  return sum;
}

/* The variable of a loop has its serial value behind it. */
static void variables(void)
{
  int i;
  long j;
#pragma xmp loop on t[i]
  for (i = 1; i < 12; i += 4) continue;
  CHECK_EQUAL(i, 13);
#pragma xmp loop on t[j]
  for (j = 10; j >= 2; j -= 3) continue;
  CHECK_EQUAL(j, 1);
#pragma xmp loop on t[i]
  for (i = 5; i < 5; i++) continue;
  CHECK_EQUAL(i, 5);
}

int main(void)
{
  const int me = xmpc_node_num();
  int i;
  for (i = 0; i < 50; i++) CHECK_EQUAL(returns(i), i % 2 ? i : 12 * i);
  CHECK_EQUAL(breaks(), 12 * (0 + 1 + 2 + 4 + 5));
  CHECK_EQUAL(gotos(), 5);
  CHECK_EQUAL(task_returns(me), me == 1 ? 50 : me == 2 ? 61 : me);
  CHECK_EQUAL(xmp_num_nodes(), 4);
  executing(me);
  CHECK_EQUAL(searches(7), 7);
  CHECK_EQUAL(searches(77), -1);
  variables();
  CHECK_EQUAL(stays(), 1200 + 8 + 1 + 4 + 7 + 10);
  return check_end();
}
