/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What is found out once about addresses in the program, and kept for ever. Threads may ask at the same
 * time. */
#ifndef GASP_KNOWN_H
#define GASP_KNOWN_H

#include <stdatomic.h>

struct pst_gasp_known {
  const void *address;
  const char *text; /* NULL: there is none. Else it is shared by all that have it, or of malloc */
  int line;
  struct pst_gasp_known *next;
};
enum { PST_GASP_KNOWN_BUCKETS = 4096 };
struct pst_gasp_knowledge {
  void (*find)(struct pst_gasp_known *k); /* stores text and line for the address */
  _Atomic(struct pst_gasp_known *) bucket[PST_GASP_KNOWN_BUCKETS];
};

/* NULL: out of memory. Causes no events, and leaves errno as it was. */
const struct pst_gasp_known *pst_gasp_know(struct pst_gasp_knowledge *all, const void *address);

#endif
