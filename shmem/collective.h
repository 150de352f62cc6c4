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
/* r: with the size of its elements. */
void pst_shmem_reduce(const char *call, void *target, const void *source, int nreduce,
    const gasnetx_reduction_t *r, const struct pst_shmem_set *set);

/* The reduction of a type and an operation, both by their short names. */
#define PST_SHMEM_REDUCTION(T, N, OP) \
  { \
    .type = PST_SHMEM_TYPE_##N, .op = PST_SHMEM_OP_##OP, .size = sizeof(T) \
  }
enum {
  PST_SHMEM_TYPE_short = GASNETX_TYPE_INT16,
  PST_SHMEM_TYPE_int = GASNETX_TYPE_INT32,
  PST_SHMEM_TYPE_long = sizeof(long) == 8 ? GASNETX_TYPE_INT64 : GASNETX_TYPE_INT32,
  PST_SHMEM_TYPE_longlong = GASNETX_TYPE_INT64,
  PST_SHMEM_TYPE_float = GASNETX_TYPE_FLOAT,
  PST_SHMEM_TYPE_double = GASNETX_TYPE_DOUBLE,
  PST_SHMEM_TYPE_longdouble = GASNETX_TYPE_LONG_DOUBLE,
  PST_SHMEM_TYPE_complexf = GASNETX_TYPE_FLOAT_COMPLEX,
  PST_SHMEM_TYPE_complexd = GASNETX_TYPE_DOUBLE_COMPLEX,
  PST_SHMEM_OP_sum = GASNETX_OP_SUM,
  PST_SHMEM_OP_prod = GASNETX_OP_PRODUCT,
  PST_SHMEM_OP_min = GASNETX_OP_MIN,
  PST_SHMEM_OP_max = GASNETX_OP_MAX,
  PST_SHMEM_OP_and = GASNETX_OP_AND,
  PST_SHMEM_OP_or = GASNETX_OP_OR,
  PST_SHMEM_OP_xor = GASNETX_OP_XOR
};

#endif
