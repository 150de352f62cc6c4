#include "shmem/collective.h"

/* The rank of PE_root. The document has the number of a PE, later ones its place in the set: what is no PE of the set is taken as that. */
static unsigned rank_of(const char *call, int root, const gasnetx_nodes_t *nodes)
{
  const int64_t distance = (int64_t)root - nodes->first;
  const int64_t rank = distance / nodes->stride;
  if (distance >= 0 && distance % nodes->stride == 0 && rank < nodes->count) return (unsigned)rank;
  if (root < 0 || (unsigned)root >= nodes->count)
    pst_shmem_fatal(call, "PE_root %d is not in its set: %u PEs from %u on, with a stride of %u", root, nodes->count, nodes->first,
                    nodes->stride);
  return (unsigned)root;
}

static void broadcast(const char *call, void *target, const void *source, size_t nbytes, int root, const struct pst_shmem_set *set)
{
  const gasnetx_nodes_t nodes = pst_shmem_nodes(call, set);
  const unsigned rank = rank_of(call, root, &nodes);
  pst_shmem_need_own(call, "target", target, nbytes);
  pst_shmem_need_own(call, "source", source, nbytes);
  if (nbytes) gasnetx_team_broadcast(&nodes, rank, target, source, nbytes, 0);
}

void pst_shmem_broadcast(const char *call, void *target, const void *source, size_t nelems, size_t width, int root,
                         const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(broadcast(call, target, source, nelems * width, root, set), GASP_SHMEM_BROADCAST, target, source, nelems, width, root,
                 PST_SHMEM_TOLD_SET(set), call);
}

#define DEFINE(W, BITS)                                                                                                               \
  void shmem_broadcast##BITS(void *target, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, \
                             long *pSync)                                                                                             \
  {                                                                                                                                   \
    const struct pst_shmem_set set = PST_SHMEM_SET(SHMEM_BCAST_SYNC_SIZE);                                                            \
    pst_shmem_broadcast("shmem_broadcast" #BITS, target, source, nelems, W, PE_root, &set);                                           \
  }
DEFINE(4, 32)
DEFINE(8, 64)
