/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives of active sets, for C and Fortran alike. */
#ifndef SHMEM_COLLECTIVE_H
#define SHMEM_COLLECTIVE_H

#include "shmem/internal.h"

/* An active set as the caller gave it. sync: pSync, of `syncs` elements of `width` bytes. */
struct pst_shmem_set {
  int start, log_stride, size;
  const void *sync;
  unsigned syncs, width;
};
#define PST_SHMEM_SET(elements) \
  { \
    .start = PE_start, .log_stride = logPE_stride, .size = PE_size, .sync = pSync, .syncs = (elements), \
    .width = sizeof *pSync \
  }

/* As tools are told of it. */
#define PST_SHMEM_TOLD_SET(set) (set)->start, (set)->log_stride, (set)->size

/* The set as nodes. Ends the job unless this PE is in it and all are PEs; with checks, unless sync has its
 * initial values. */
gasnetx_nodes_t pst_shmem_nodes(const char *call, const struct pst_shmem_set *set);

void pst_shmem_barrier_set(const char *call, const struct pst_shmem_set *set);
void pst_shmem_broadcast(const char *call, void *target, const void *source, size_t nelems, size_t width,
    int root, const struct pst_shmem_set *set);
void pst_shmem_collect(const char *call, void *target, const void *source, size_t nelems, size_t width,
    const struct pst_shmem_set *set);
void pst_shmem_fcollect(const char *call, void *target, const void *source, size_t nelems, size_t width,
    const struct pst_shmem_set *set);
/* width: bytes of an element. */
void pst_shmem_reduce(const char *call, void *target, const void *source, int nreduce, size_t width,
    gasnetx_combine_fn combine, const struct pst_shmem_set *set);

/* pst_shmem_combine_long_sum and so on (combine.c). */
#define PST_SHMEM_DECLARE(T, N, OP, W) \
  void pst_shmem_combine_##N##_##OP(void *inout, const void *in, size_t count);
PST_SHMEM_REDUCTIONS(PST_SHMEM_DECLARE)
#undef PST_SHMEM_DECLARE

#endif
