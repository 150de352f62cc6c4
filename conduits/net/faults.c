/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/net/faults.h"

#include "conduits/net/net.h"

unsigned pst_net_room;

/* By chance, so that no pattern of calls fails for ever. */
int pst_net_room_is_refused(void)
{
  static _Atomic uint64_t calls;
  if (__builtin_expect(!pst_net_room, 1)) return 0;
  uint64_t x = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + ((uint64_t)pst_net.node << 32);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (x ^ (x >> 31)) % pst_net_room == 0;
}
