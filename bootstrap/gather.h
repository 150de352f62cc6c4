/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The memory through which the processes of a host and their supervisor exchange blobs with the whole job. */
#ifndef BOOTSTRAP_GATHER_H
#define BOOTSTRAP_GATHER_H
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "bootstrap/jobstate.h"

#define PST_BOOT_MAX 4096 /* bytes of a node's blob */

/* Collectives are numbered from 1. The host's first process writes `size`, then `asked`, when all of the host
 * have put their blobs down; the supervisor writes the job's blobs, then `answered`, and wakes who sleeps on
 * it. Nobody writes blobs for the next collective before all of the host have taken the last one's: they
 * first meet in pst_exchange_fence. */
struct pst_gather {
  _Atomic uint32_t asked;
  _Atomic uint32_t answered;
  uint32_t size; /* bytes of each blob; 0: a fence */
  char pad[52];
  char bytes[]; /* one blob of `size` for each process of the host; from pst_gather_all on, one for each of
                   the job */
};

static inline size_t pst_gather_size(const struct pst_part *p)
{
  return sizeof(struct pst_gather) + ((size_t)p->local + p->nodes) * PST_BOOT_MAX;
}

static inline char *pst_gather_all(struct pst_gather *g, const struct pst_part *p)
{
  return g->bytes + (size_t)p->local * PST_BOOT_MAX;
}

#endif
