/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The memory that the processes of one host share, made before they start and inherited by them as
 * open files without a name (memfd, or O_TMPFILE under GASNET_TMPDIR): nothing can be left behind. */
#ifndef BOOTSTRAP_HOSTMEM_H
#define BOOTSTRAP_HOSTMEM_H
#include <stddef.h>
#include "bootstrap/jobstate.h"

struct pst_hostmem {
  int control_fd; /* jobstate and message queues; sized when made */
  int segment_fd; /* all segments of the host; sized at attach */
  int huge_fd;    /* the same on huge pages, or -1 */
  int bell_fd;    /* an eventfd by which the host's first process wakes the supervisor; -1 on a single host */
  struct pst_jobstate *state; /* the control memory, mapped whole */
  size_t control_size;
};

/* A job of `nodes` processes on one host. */
static inline struct pst_part pst_part_single(unsigned nodes)
{
  return (struct pst_part){0, nodes, nodes, 0, 1};
}
/* Makes and maps it for the processes of one host. 0 or PST_ERR_*; prints nothing, *why (static text) says
 * what failed. */
int pst_hostmem_create(const struct pst_part *part, struct pst_hostmem *hm, const char **why);
/* PENSTOCK_LAUNCH: how an exec'ed process finds it: "1:rank:nodes:control:segment:huge" (decimal; rank and
 * nodes are those of the host, the job's are in the control memory). Buffer of 96. */
#define PST_LAUNCH_VARIABLE "PENSTOCK_LAUNCH"
void pst_hostmem_describe(const struct pst_hostmem *hm, unsigned rank, char text[96]);
/* Parses and validates (hostile text): files exist, are ours, sizes and magic fit, rank is free. *rank is on
 * this host. */
int pst_hostmem_adopt(const char *text, unsigned *rank, struct pst_hostmem *hm, const char **why);
#endif
