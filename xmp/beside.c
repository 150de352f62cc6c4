/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/beside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

void pst_xmp_beside_fatal(const char *call, const char *fmt, ...)
{
  char text[700];
  va_list arguments;
  va_start(arguments, fmt);
  vsnprintf(text, sizeof text, fmt, arguments);
  va_end(arguments);
  pst_xmp_fatal(call, "%s", text);
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

/* ---- sets ---- */

int pst_xmp_beside_size(const struct pst_xmp_set *s) { return s->size; }
int pst_xmp_beside_node(const struct pst_xmp_set *s, int rank) { return pst_xmp_set_node(s, rank); }
uint64_t pst_xmp_beside_hash(const struct pst_xmp_set *s) { return pst_xmp_set_hash(s); }

int pst_xmp_beside_equal(const struct pst_xmp_set *a, const struct pst_xmp_set *b)
{
  return pst_xmp_set_equal(a, b);
}

struct pst_xmp_set *pst_xmp_beside_copy(const char *call, const struct pst_xmp_set *s)
{
  struct pst_xmp_set *copy = pst_xmp_own_take(call, sizeof *copy);
  *copy = pst_xmp_set_copy(s);
  return copy;
}

void pst_xmp_beside_free(struct pst_xmp_set *s)
{
  pst_xmp_set_free(s);
  free(s);
}
