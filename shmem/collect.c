/* Sources one behind the other, of one length (fcollect) or several. */
#include <stdlib.h>
#include <string.h>

#include "shmem/collective.h"

typedef void collect_fn(const gasnetx_nodes_t *nodes, void *dst, const void *src, size_t nbytes);

static void collect(collect_fn *fn, const char *call, void *target, const void *source, size_t nbytes, const struct pst_shmem_set *set)
{
  const gasnetx_nodes_t nodes = pst_shmem_nodes(call, set);
  void *copied = NULL;
  pst_shmem_need_own(call, "source", source, nbytes);
  if (target == source && nbytes) { /* allowed: what comes from others must not fall on it */
    if (!(copied = malloc(nbytes))) pst_shmem_fatal(call, "out of memory for a copy of %zu bytes: target is source", nbytes);
    source = memcpy(copied, source, nbytes);
  }
  fn(&nodes, target, source, nbytes);
  free(copied);
}

static void collect_any(const char *call, void *target, const void *source, size_t nbytes, const struct pst_shmem_set *set)
{
  pst_shmem_need_own(call, "target", target, nbytes);
  collect(gasnetx_team_collect, call, target, source, nbytes, set);
}

static void collect_equal(const char *call, void *target, const void *source, size_t nbytes, const struct pst_shmem_set *set)
{
  pst_shmem_need_own(call, "target", target, nbytes * (set->size > 0 ? (size_t)set->size : 1));
  if (nbytes) collect(gasnetx_team_fcollect, call, target, source, nbytes, set);
  else pst_shmem_nodes(call, set);
}

void pst_shmem_collect(const char *call, void *target, const void *source, size_t nelems, size_t width, const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(collect_any(call, target, source, nelems * width, set), GASP_SHMEM_COLLECT, target, source, nelems, width,
                 PST_SHMEM_TOLD_SET(set), call);
}

void pst_shmem_fcollect(const char *call, void *target, const void *source, size_t nelems, size_t width, const struct pst_shmem_set *set)
{
  PST_SHMEM_TOLD(collect_equal(call, target, source, nelems * width, set), GASP_SHMEM_FCOLLECT, target, source, nelems, width,
                 PST_SHMEM_TOLD_SET(set), call);
}

#define DEFINE(W, name, fn)                                                                                                         \
  void name(void *target, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)              \
  {                                                                                                                                 \
    const struct pst_shmem_set set = PST_SHMEM_SET(SHMEM_COLLECT_SYNC_SIZE);                                                        \
    fn(#name, target, source, nelems, W, &set);                                                                                     \
  }
DEFINE(4, shmem_collect32, pst_shmem_collect)
DEFINE(8, shmem_collect64, pst_shmem_collect)
DEFINE(4, shmem_fcollect32, pst_shmem_fcollect)
DEFINE(8, shmem_fcollect64, pst_shmem_fcollect)
