/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The chapter's tasks (3.1), reductions, broadcasts and barriers (4.3 to 4.6). */
#include "check.h"

#pragma xmp nodes p[4]
static int by_a, by_b;
static void func_a(void) { by_a = 10 + xmpc_node_num(); }
static void func_b(void) { by_b = 20 + xmpc_node_num(); }

static void tasks(int me)
{
  int num = xmpc_node_num(), inner = -1;
#pragma xmp task on p[1 : 3]
  {
    CHECK_EQUAL(num, me);
    inner = xmpc_node_num();
  }
  CHECK_EQUAL(inner, me - 1);
#pragma xmp task on p[1 : 3]
  {
#pragma xmp bcast(num)
  } CHECK_EQUAL(num, me == 0 ? 0 : 1);
#pragma xmp task on p[0 : 2]
  {
    func_a();
  }
#pragma xmp task on p[2 : 2]
  {
    func_b();
  }
  CHECK_EQUAL(by_a, me < 2 ? 10 + me : 0);
  CHECK_EQUAL(by_b, me < 2 ? 0 : 18 + me);
  by_a = by_b = 0;
#pragma xmp tasks
  {
#pragma xmp task on p[0 : 2]
    {
      func_a();
    }
#pragma xmp task on p[2 : 2]
    {
      func_b();
    }
  }
  CHECK_EQUAL(by_a, me < 2 ? 10 + me : 0);
  CHECK_EQUAL(by_b, me < 2 ? 0 : 18 + me);
}

static void collectives(int me)
{
  int sum, num;
#pragma xmp barrier
#pragma xmp barrier on p[0 : 2]
  sum = xmpc_node_num() + 1;
#pragma xmp reduction(+ : sum)
  CHECK_EQUAL(sum, 10);
  sum = xmpc_node_num() + 1;
#pragma xmp reduction(+ : sum) on p[2 : 2]
  CHECK_EQUAL(sum, me < 2 ? me + 1 : 7);
  num = xmpc_node_num() + 1;
#pragma xmp bcast(num)
  CHECK_EQUAL(num, 1);
  num = xmpc_node_num() + 1;
#pragma xmp bcast(num) from p[3]
  CHECK_EQUAL(num, 4);
  num = xmpc_node_num() + 1;
#pragma xmp bcast(num) from p[3] on p[1 : 3]
  CHECK_EQUAL(num, me == 0 ? 1 : 4);
  num = xmpc_node_num() + 1;
#pragma xmp bcast(num) from p[2] async(5)
#pragma xmp wait_async(5)
  CHECK_EQUAL(num, 3);
}

/* Every operator; ^ with an even number of nodes. */
static void operators(int me)
{
  int product = me + 1, minus = me + 1, and_ = 14 | me, or_ = 1 << me, xor_ = 3 << me, all = me != 2;
  int any = me == 2, most = me == 1 ? 9 : me, least = me == 2 ? -5 : me;
#pragma xmp reduction(* : product)
#pragma xmp reduction(- : minus)
#pragma xmp reduction(& : and_)
#pragma xmp reduction(| : or_)
#pragma xmp reduction(^ : xor_)
#pragma xmp reduction(&& : all)
#pragma xmp reduction(|| : any)
#pragma xmp reduction(max : most)
#pragma xmp reduction(min : least)
  CHECK_EQUAL(product, 24);
  CHECK_EQUAL(minus, 10);
  CHECK_EQUAL(and_, 14);
  CHECK_EQUAL(or_, 15);
  CHECK_EQUAL(xor_, 3 ^ 6 ^ 12 ^ 24);
  CHECK_EQUAL(all, 0);
  CHECK_EQUAL(any, 1);
  CHECK_EQUAL(most, 9);
  CHECK_EQUAL(least, -5);
}

int main(void)
{
  const int me = xmpc_node_num();
  tasks(me);
  collectives(me);
  operators(me);
  return check_end();
}
