/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How this process comes to be a node: started by gasnetrun, by another launcher, by itself, or alone. */
#ifndef BOOTSTRAP_START_H
#define BOOTSTRAP_START_H
#include "bootstrap/hostmem.h"

struct pst_start {
  unsigned node, nodes;  /* in the job */
  unsigned first, local; /* this host's nodes are first..first+local-1 */
  unsigned host, hosts;
  struct pst_hostmem hm;
};

/* Joins or starts the job. In a program that starts itself (GASNET_PSHM_NODES=N) this returns in N new
 * processes; the calling one becomes their supervisor and ends with the job's code. Fatal when it cannot. */
void pst_start(struct pst_start *s);

#endif
