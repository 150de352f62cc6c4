/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The barrier construct. Programs lean on it to complete puts, though it is no image control statement. */
#include "xmp/async.h"
#include "xmp/context.h"
#include "xmp/coarray.h"

void pst_xmp_barrier_on(const char *where, const struct pst_xmp_on *on)
{
  pst_xmp_need_open(where);
  pst_xmp_put_complete();
  pst_xmp_async_advance();
  if (!on || !on->desc) {
    pst_xmp_group_barrier(pst_xmp_executing());
    return;
  }
  struct pst_xmp_group *const g = pst_xmp_on_open(where, on);
  if (!g) return;
  pst_xmp_group_barrier(g);
  pst_xmp_group_close(g);
}
