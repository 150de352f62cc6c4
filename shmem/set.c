/* Active sets: PE_start, PE_start + 2^logPE_stride, ..., PE_size of them. */
#include "shmem/collective.h"

static int64_t element(const struct pst_shmem_set *set, unsigned i)
{
  return set->width == 8 ? ((const int64_t *)set->sync)[i] : ((const int32_t *)set->sync)[i];
}

static void check_sync(const char *call, const struct pst_shmem_set *set)
{
  pst_shmem_need_own(call, "pSync", set->sync, (size_t)set->syncs * set->width);
  for (unsigned i = 0; i < set->syncs; i++)
    if (element(set, i) != SHMEM_SYNC_VALUE)
      pst_shmem_fatal(call, "pSync[%u] is %lld; all %u elements have to be SHMEM_SYNC_VALUE, %ld", i, (long long)element(set, i),
                      set->syncs, SHMEM_SYNC_VALUE);
}

gasnetx_nodes_t pst_shmem_nodes(const char *call, const struct pst_shmem_set *set)
{
  const int good = set->start >= 0 && set->log_stride >= 0 && set->log_stride < 31 && set->size > 0;
  const int64_t stride = good ? (int64_t)1 << set->log_stride : 1, distance = (int64_t)pst_shmem_job.me - set->start;
  pst_shmem_need_open(call);
  if (!good || set->start + (set->size - 1) * stride >= pst_shmem_job.pes)
    pst_shmem_fatal(call, "PE_start %d, logPE_stride %d, PE_size %d is no set of PEs; there are %d", set->start, set->log_stride, set->size,
                    pst_shmem_job.pes);
  if (distance < 0 || distance % stride != 0 || distance / stride >= set->size)
    pst_shmem_fatal(call, "this PE is not in its set: PE_start %d, logPE_stride %d, PE_size %d", set->start, set->log_stride, set->size);
  if (pst_shmem_job.checks) check_sync(call, set);
  return (gasnetx_nodes_t){ .first = (gasnet_node_t)set->start, .stride = (gasnet_node_t)stride, .count = (gasnet_node_t)set->size };
}
