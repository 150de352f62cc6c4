/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/put.h"

enum { MOST = 48 };
static struct range {
  gasnet_node_t node;
  uintptr_t low, high; /* high: the first byte behind */
} ranges[MOST];
static int count;

static void ranges_complete(void)
{
  if (count == 0) return;
  count = 0;
  gasnet_wait_syncnbi_puts();
}

static int range_meets(const struct range *r, gasnet_node_t node, uintptr_t low, uintptr_t high)
{
  return r->node == node && r->low < high && low < r->high;
}

/* Neighbouring ranges become one, as those of a loop over elements are. */
static int range_extend(struct range *r, gasnet_node_t node, uintptr_t low, uintptr_t high)
{
  if (r->node != node || (r->high != low && r->low != high)) return 0;
  if (r->high == low) r->high = high;
  else r->low = low;
  return 1;
}

static void range_add(gasnet_node_t node, uintptr_t low, uintptr_t high)
{
  for (int i = count - 1; i >= 0; i--)
    if (range_extend(&ranges[i], node, low, high)) return;
  if (count == MOST) ranges_complete();
  ranges[count++] = (struct range){node, low, high};
}

void pst_front_put_order(gasnet_node_t node, const void *there, size_t nbytes, int put)
{
  const uintptr_t low = (uintptr_t)there, high = low + nbytes;
  for (int i = 0; i < count; i++)
    if (range_meets(&ranges[i], node, low, high)) ranges_complete();
  if (put) range_add(node, low, high);
}

/* A copy of large data, in new pages, takes longer than the network needs to have taken them. */
void pst_front_put_start(gasnet_node_t node, void *there, const void *from, size_t nbytes)
{
  enum { COPIED = 64 << 10 };
  void *const source = (void *)(uintptr_t)from;
  pst_front_put_order(node, there, nbytes, 1);
  if (nbytes <= COPIED) {
    gasnet_put_nbi(node, there, source, nbytes);
    return;
  }
  gasnet_put_nbi_bulk(node, there, source, nbytes);
  gasnetx_group_wait(NULL, GASNETX_GROUP_LOCAL);
}

int pst_front_put_pending(void) { return count > 0; }

void pst_front_put_complete(void)
{
  ranges_complete();
  PST_FRONT_FENCE(__ATOMIC_RELEASE);
}
