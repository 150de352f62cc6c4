/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/beside.h"

#include "front/arguments.h"
#include "xmp/context.h"

/* The program's own arguments may be gone by now, and the system still knows them. */
void pst_xmp_beside_begin(void)
{
  int argc = 0;
  char **argv = NULL;
  if (pst_xmp_job.state == PST_XMP_CLOSED) argv = pst_front_arguments_read(&argc);
  pst_xmp_begin(argc, argv);
  pst_xmp_end_here();
}

void pst_xmp_beside_end(const char *call)
{
  pst_xmp_need_open(call);
  pst_xmp_leave();
}

const struct pst_xmp_set *pst_xmp_beside_executing(const char *call)
{
  pst_xmp_need_open(call);
  return &pst_xmp_executing()->set;
}

const struct pst_xmp_set *pst_xmp_beside_nodes(const char *call, xmp_desc_t d)
{
  pst_xmp_need_open(call);
  if (pst_xmp_desc_kind(call, d) != XMP_DESC_NODES) return NULL;
  const struct pst_xmp_nodes *n = d;
  return n->rank >= 0 ? &n->set : NULL;
}
