#include "shmem/collective.h"

static void reduce(const char *call, void *target, const void *source, int nreduce, size_t width, gasnetx_combine_fn combine,
                   const struct pst_shmem_set *set)
{
  const gasnetx_nodes_t nodes = pst_shmem_nodes(call, set);
  const size_t count = nreduce > 0 ? (size_t)nreduce : 0;
  if (nreduce < 0) pst_shmem_fatal(call, "nreduce is %d", nreduce);
  pst_shmem_need_own(call, "target", target, count * width);
  pst_shmem_need_own(call, "source", source, count * width);
  if (count) gasnetx_team_reduce(&nodes, target, source, count, width, combine);
}

void pst_shmem_reduce(const char *call, void *target, const void *source, int nreduce, size_t width, gasnetx_combine_fn combine,
                      const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(reduce(call, target, source, nreduce, width, combine, set), GASP_SHMEM_REDUCE, target, source,
                 nreduce > 0 ? (size_t)nreduce : 0, width, PST_SHMEM_TOLD_SET(set), call);
}

#define DEFINE(T, N, OP, W)                                                                                                             \
  void shmem_##N##_##OP##_to_all(T *target, T *source, int nreduce, int PE_start, int logPE_stride, int PE_size, W *pWrk, long *pSync)  \
  {                                                                                                                                     \
    const struct pst_shmem_set set = PST_SHMEM_SET(SHMEM_REDUCE_SYNC_SIZE);                                                             \
    (void)pWrk;                                                                                                                         \
    pst_shmem_reduce("shmem_" #N "_" #OP "_to_all", target, source, nreduce, sizeof *source, pst_shmem_combine_##N##_##OP, &set);       \
  }
PST_SHMEM_REDUCTIONS(DEFINE)
