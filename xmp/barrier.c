/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The barrier construct. Programs lean on it to complete puts, though it is no image control statement. */
#include "xmp/async.h"
#include "xmp/context.h"
#include "xmp/coarray.h"
#include "xmp/tool.h"

static void barrier_run(const char *where, const struct pst_xmp_on *on)
{
  pst_xmp_need_open(where);
  pst_front_put_complete();
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

void pst_xmp_barrier_on(const char *where, const struct pst_xmp_on *on)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(where, pst_xmp_told_barrier(&told, on), barrier_run(where, on));
}

void xmp_barrier(void)
{
  static const char call[] = "xmp_barrier";
  PST_XMP_ALONE(call);
  PST_XMP_TOLD(call, pst_xmp_told_barrier(&told, NULL), barrier_run(call, NULL));
}
