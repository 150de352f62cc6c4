/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives of active sets: PE_start, PE_start + 2^logPE_stride, ..., PE_size of them. */
#include <stdlib.h>
#include <string.h>

#include "shmem/collective.h"

static int64_t sync_element(const struct pst_shmem_set *set, unsigned i)
{
  return set->width == 8 ? ((const int64_t *)set->sync)[i] : ((const int32_t *)set->sync)[i];
}

static void sync_check(const char *call, const struct pst_shmem_set *set)
{
  pst_shmem_need_own(call, "pSync", set->sync, (size_t)set->syncs * set->width);
  for (unsigned i = 0; i < set->syncs; i++)
    if (sync_element(set, i) != SHMEM_SYNC_VALUE)
      pst_shmem_fatal(call, "pSync[%u] is %lld; all %u elements have to be SHMEM_SYNC_VALUE, %ld", i,
          (long long)sync_element(set, i), set->syncs, SHMEM_SYNC_VALUE);
}

gasnetx_nodes_t pst_shmem_nodes(const char *call, const struct pst_shmem_set *set)
{
  const int good = set->start >= 0 && set->log_stride >= 0 && set->log_stride < 31 && set->size > 0;
  const int64_t stride = good ? (int64_t)1 << set->log_stride : 1,
                distance = (int64_t)pst_shmem_job.me - set->start;
  pst_shmem_need_open(call);
  if (!good || set->start + (set->size - 1) * stride >= pst_shmem_job.pes)
    pst_shmem_fatal(call, "PE_start %d, logPE_stride %d, PE_size %d is no set of PEs; there are %d",
        set->start, set->log_stride, set->size, pst_shmem_job.pes);
  if (distance < 0 || distance % stride != 0 || distance / stride >= set->size)
    pst_shmem_fatal(call, "this PE is not in its set: PE_start %d, logPE_stride %d, PE_size %d", set->start,
        set->log_stride, set->size);
  if (pst_shmem_job.checks) sync_check(call, set);
  return (gasnetx_nodes_t){
      .first = (gasnet_node_t)set->start, .stride = (gasnet_node_t)stride, .count = (gasnet_node_t)set->size};
}

/* ---- barriers of a set ---- */

static void set_barrier(const char *call, const struct pst_shmem_set *set)
{
  const gasnetx_nodes_t nodes = pst_shmem_nodes(call, set);
  if (pst_shmem.pending) pst_shmem_complete(call);
  gasnetx_team_barrier(&nodes);
}

void pst_shmem_barrier_set(const char *call, const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(set_barrier(call, set), GASP_SHMEM_BARRIER, PST_SHMEM_TOLD_SET(set), call);
}

void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
  const struct pst_shmem_set set = PST_SHMEM_SET(SHMEM_BARRIER_SYNC_SIZE);
  pst_shmem_barrier_set("shmem_barrier", &set);
}

/* ---- broadcast ---- */

/* The rank of PE_root in its set. The text of 1.0 calls it a PE's number; every library, every later version
 * and programs mean the place in the active set. A number that is no place, but a member's PE number, is
 * taken as that member. */
static unsigned root_rank(const char *call, int root, const gasnetx_nodes_t *nodes)
{
  if (root >= 0 && (unsigned)root < nodes->count) return (unsigned)root;
  const int64_t distance = (int64_t)root - nodes->first;
  const int64_t rank = distance / nodes->stride;
  if (distance < 0 || distance % nodes->stride != 0 || rank >= nodes->count)
    pst_shmem_fatal(call, "PE_root %d is not in its set: %u PEs from %u on, with a stride of %u", root,
        nodes->count, nodes->first, nodes->stride);
  return (unsigned)rank;
}

static void set_broadcast(const char *call, void *target, const void *source, size_t nbytes, int root,
    const struct pst_shmem_set *set)
{
  const gasnetx_nodes_t nodes = pst_shmem_nodes(call, set);
  const unsigned rank = root_rank(call, root, &nodes);
  pst_shmem_need_own(call, "target", target, nbytes);
  pst_shmem_need_own(call, "source", source, nbytes);
  if (nbytes) gasnetx_team_broadcast(&nodes, rank, target, source, nbytes, 0);
}

void pst_shmem_broadcast(const char *call, void *target, const void *source, size_t nelems, size_t width,
    int root, const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(set_broadcast(call, target, source, nelems * width, root, set), GASP_SHMEM_BROADCAST, target,
      source, nelems, width, root, PST_SHMEM_TOLD_SET(set), call);
}

#define DEFINE_BROADCAST(W, BITS) \
  void shmem_broadcast##BITS(void *target, const void *source, size_t nelems, int PE_root, int PE_start, \
      int logPE_stride, int PE_size, long *pSync) \
  { \
    const struct pst_shmem_set set = PST_SHMEM_SET(SHMEM_BCAST_SYNC_SIZE); \
    pst_shmem_broadcast("shmem_broadcast" #BITS, target, source, nelems, W, PE_root, &set); \
  }
DEFINE_BROADCAST(4, 32)
DEFINE_BROADCAST(8, 64)

/* ---- collect: sources one behind the other, of one length (fcollect) or of several ---- */

typedef void collect_fn(const gasnetx_nodes_t *nodes, void *dst, const void *src, size_t nbytes);

static void set_collect(collect_fn *fn, const char *call, void *target, const void *source, size_t nbytes,
    const struct pst_shmem_set *set)
{
  const gasnetx_nodes_t nodes = pst_shmem_nodes(call, set);
  void *copied = NULL;
  pst_shmem_need_own(call, "source", source, nbytes);
  if (target == source && nbytes) { /* allowed: others' data must not overwrite it */
    if (!(copied = malloc(nbytes)))
      pst_shmem_fatal(call, "out of memory for a copy of %zu bytes: target is source", nbytes);
    source = memcpy(copied, source, nbytes);
  }
  fn(&nodes, target, source, nbytes);
  free(copied);
}

static void set_collect_any(
    const char *call, void *target, const void *source, size_t nbytes, const struct pst_shmem_set *set)
{
  pst_shmem_need_own(call, "target", target, nbytes);
  set_collect(gasnetx_team_collect, call, target, source, nbytes, set);
}

static void set_collect_equal(
    const char *call, void *target, const void *source, size_t nbytes, const struct pst_shmem_set *set)
{
  pst_shmem_need_own(call, "target", target, nbytes * (set->size > 0 ? (size_t)set->size : 1));
  if (nbytes) set_collect(gasnetx_team_fcollect, call, target, source, nbytes, set);
  else pst_shmem_nodes(call, set);
}

void pst_shmem_collect(const char *call, void *target, const void *source, size_t nelems, size_t width,
    const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(set_collect_any(call, target, source, nelems * width, set), GASP_SHMEM_COLLECT, target,
      source, nelems, width, PST_SHMEM_TOLD_SET(set), call);
}

void pst_shmem_fcollect(const char *call, void *target, const void *source, size_t nelems, size_t width,
    const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(set_collect_equal(call, target, source, nelems * width, set), GASP_SHMEM_FCOLLECT, target,
      source, nelems, width, PST_SHMEM_TOLD_SET(set), call);
}

#define DEFINE_COLLECT(W, name, fn) \
  void name(void *target, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, \
      long *pSync) \
  { \
    const struct pst_shmem_set set = PST_SHMEM_SET(SHMEM_COLLECT_SYNC_SIZE); \
    fn(#name, target, source, nelems, W, &set); \
  }
DEFINE_COLLECT(4, shmem_collect32, pst_shmem_collect)
DEFINE_COLLECT(8, shmem_collect64, pst_shmem_collect)
DEFINE_COLLECT(4, shmem_fcollect32, pst_shmem_fcollect)
DEFINE_COLLECT(8, shmem_fcollect64, pst_shmem_fcollect)

/* ---- reductions ---- */

static void set_reduce(const char *call, void *target, const void *source, int nreduce,
    const gasnetx_reduction_t *r, const struct pst_shmem_set *set)
{
  const gasnetx_nodes_t nodes = pst_shmem_nodes(call, set);
  const size_t count = nreduce > 0 ? (size_t)nreduce : 0;
  if (nreduce < 0) pst_shmem_fatal(call, "nreduce is %d", nreduce);
  pst_shmem_need_own(call, "target", target, count * r->size);
  pst_shmem_need_own(call, "source", source, count * r->size);
  if (count) gasnetx_team_allreduce(&nodes, target, source, count, r);
}

void pst_shmem_reduce(const char *call, void *target, const void *source, int nreduce,
    const gasnetx_reduction_t *r, const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(set_reduce(call, target, source, nreduce, r, set), GASP_SHMEM_REDUCE, target, source,
      nreduce > 0 ? (size_t)nreduce : 0, r->size, PST_SHMEM_TOLD_SET(set), call);
}

#define DEFINE_REDUCE(T, N, OP, W) \
  void shmem_##N##_##OP##_to_all( \
      T *target, T *source, int nreduce, int PE_start, int logPE_stride, int PE_size, W *pWrk, long *pSync) \
  { \
    static const gasnetx_reduction_t reduction = PST_SHMEM_REDUCTION(T, N, OP); \
    const struct pst_shmem_set set = PST_SHMEM_SET(SHMEM_REDUCE_SYNC_SIZE); \
    (void)pWrk; \
    pst_shmem_reduce("shmem_" #N "_" #OP "_to_all", target, source, nreduce, &reduction, &set); \
  }
PST_SHMEM_REDUCTIONS(DEFINE_REDUCE)
