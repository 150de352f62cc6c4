/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/put.h"

#include "front/threads.h"

enum { MOST = 48 };
static struct range {
  gasnet_node_t node;
  uintptr_t low, high; /* high: the first byte behind */
} ranges[MOST];
/* In a parallel region it is changed under the lock of threads.h, and looked at without it: it becomes 0 with
 * release when the puts are complete, so that who sees 0, with acquire, may go on. */
static int count;

/* Implicit operations are a thread's own: who waits for those of another thread waits for all threads'. */
static const void *starter; /* the thread whose puts these are */
static int several;         /* there are other threads' among them */

static void ranges_complete(void)
{
  if (count == 0) return;
  if (several || starter != pst_front_thread()) gasnetx_group_wait_all(GASNETX_GROUP_PUTS);
  else gasnet_wait_syncnbi_puts();
  __atomic_store_n(&count, 0, __ATOMIC_RELEASE);
}

static void starter_note(void)
{
  if (count == 0) starter = pst_front_thread(), several = 0;
  else several |= starter != pst_front_thread();
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
  starter_note();
  for (int i = count - 1; i >= 0; i--)
    if (range_extend(&ranges[i], node, low, high)) return;
  if (count == MOST) {
    ranges_complete();
    starter_note();
  }
  ranges[count] = (struct range){node, low, high};
  __atomic_store_n(&count, count + 1, __ATOMIC_RELAXED);
}

void pst_front_put_order(gasnet_node_t node, const void *there, size_t nbytes, int put)
{
  const uintptr_t low = (uintptr_t)there, high = low + nbytes;
  pst_front_shared_enter();
  for (int i = 0; i < count; i++)
    if (range_meets(&ranges[i], node, low, high)) ranges_complete();
  if (put) range_add(node, low, high);
  pst_front_shared_leave();
}

/* A copy of large data, in new pages, takes longer than the network needs to have taken them. */
static void put_begin(gasnet_node_t node, void *there, const void *from, size_t nbytes)
{
  enum { COPIED = 64 << 10 };
  void *const source = (void *)(uintptr_t)from;
  if (nbytes <= COPIED) {
    gasnet_put_nbi(node, there, source, nbytes);
    return;
  }
  gasnet_put_nbi_bulk(node, there, source, nbytes);
  gasnetx_group_wait(NULL, GASNETX_GROUP_LOCAL);
}

/* Under the lock until the put is begun: another thread that completes all ranges waits for it. */
void pst_front_put_start(gasnet_node_t node, void *there, const void *from, size_t nbytes)
{
  pst_front_shared_enter();
  pst_front_put_order(node, there, nbytes, 1);
  put_begin(node, there, from, nbytes);
  pst_front_shared_leave();
}

int pst_front_put_pending(void) { return __atomic_load_n(&count, __ATOMIC_ACQUIRE) > 0; }

/* Puts that were begun before this are counted: by this thread, or by one that it has met since. */
void pst_front_put_complete(void)
{
  if (__atomic_load_n(&count, __ATOMIC_ACQUIRE)) {
    pst_front_shared_enter();
    ranges_complete();
    pst_front_shared_leave();
  }
  PST_FRONT_FENCE(__ATOMIC_RELEASE);
}
