/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A client's own shared library. It calls gasnet.h. */
#include <gasnet.h>
int part(void);
int part(void)
{
  static int value;
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  gasnet_seginfo_t segment[2];
  if (gasnet_nodes() != 2 || gasnet_getSegmentInfo(segment, 2) != GASNET_OK) return 1;
  value = 100 + (int)gasnet_mynode();
  gasnet_put_bulk(next, segment[next].addr, &value, sizeof value);
  gasnet_barrier_notify(1, 0);
  if (gasnet_barrier_wait(1, 0) != GASNET_OK) return 2;
  return *(int *)segment[gasnet_mynode()].addr == 100 + (int)next ? 0 : 3;
}
