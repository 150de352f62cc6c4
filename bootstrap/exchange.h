/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The memory in which processes exchange blobs before the conduits run: those of one host among each other,
 * and a host's with the whole job by way of their supervisor. bootstrap/boot.c works on both. */
#ifndef BOOTSTRAP_EXCHANGE_H
#define BOOTSTRAP_EXCHANGE_H
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "bootstrap/jobstate.h"

#define PST_EXCHANGE_MAX 64   /* bytes of a node's blob on a host; larger ones go in pieces */
#define PST_BOOT_MAX     4096 /* bytes of a node's blob in the job */

/* A central barrier, and two buffers of blobs one behind the other, which exchanges use in turn. The last
 * process to arrive at the barrier resets the count before it advances the generation (release). So a process
 * that has seen the new generation (acquire) finds the barrier ready for its next use.
 *
 * An exchange has one fence, between writing and reading. A process that writes its blob of exchange k+2, in
 * the buffer of k, has passed the fence of k+1, and there all processes arrive after they have read the blobs
 * of k. Each process counts by itself which buffer is next, for all take part in each exchange. */
struct pst_exchange {
  _Atomic uint32_t arrived;
  _Atomic uint32_t generation;
  char pad[56];
  char blobs[];
};

static inline size_t pst_exchange_size(unsigned nodes)
{
  return sizeof(struct pst_exchange) + 2 * (size_t)nodes * PST_EXCHANGE_MAX;
}

/* Collectives are numbered from 1. The host's first process writes `size`, then `asked`, when all of the host
 * have written their blobs. The supervisor writes the job's blobs, then `answered`, and wakes the processes
 * that sleep on it. No process writes a blob for the next collective before all of the host have read the
 * last one's: they first meet in the fence of the host. */
struct pst_jobexchange {
  _Atomic uint32_t asked;
  _Atomic uint32_t answered;
  uint32_t size; /* bytes of each blob; 0: a fence */
  char pad[52];
  char bytes[]; /* one blob of `size` for each process of the host; from pst_jobexchange_all on, one for each
                   of the job */
};

static inline size_t pst_jobexchange_size(const struct pst_part *p)
{
  return sizeof(struct pst_jobexchange) + ((size_t)p->local + p->nodes) * PST_BOOT_MAX;
}

static inline char *pst_jobexchange_all(struct pst_jobexchange *g, const struct pst_part *p)
{
  return g->bytes + (size_t)p->local * PST_BOOT_MAX;
}

#endif
