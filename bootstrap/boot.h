/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives over the whole job before the conduits run, and beside them. */
#ifndef BOOTSTRAP_BOOT_H
#define BOOTSTRAP_BOOT_H
#include <stddef.h>
#include "bootstrap/exchange.h"
#include "bootstrap/start.h"

/* After pst_start, before any other call: the place of this process. */
void pst_boot_open(const struct pst_start *s);
/* Collective over the job: every node's blob of `size` bytes (at most PST_BOOT_MAX, the same on all) into
 * all[nodes * size]. Cannot fail: a node that dies ends the job. One thread of a node at a time. */
void pst_boot_all(const void *mine, size_t size, void *all);
/* Collective over the job: returns when every node has called. */
void pst_boot_fence(void);
/* Collective over the job: how many cores the processes of this host may run on, all together. A launcher may
 * bind each process to other cores, and all processes must know the same number, on which waits and barriers
 * depend. */
unsigned pst_boot_cores(void);

#endif
