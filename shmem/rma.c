/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put and get of blocks and values, and the completion of puts. */
#include <stdlib.h>
#include <string.h>

#include "shmem/internal.h"

/* The two may overlap where source and target are the same PE's. */
static void block_copy(void *dst, const void *src, size_t nbytes)
{
  enum { SMALL = 4096 };
  const uintptr_t distance = (uintptr_t)dst - (uintptr_t)src;
  if (nbytes <= SMALL || distance < nbytes || -distance < nbytes) memmove(dst, src, nbytes);
  else pst_copy(dst, src, nbytes);
}

static void block_put(const char *call, void *target, const void *source, size_t nbytes, int pe)
{
  struct pst_shmem_reach to;
  pst_shmem_need_pe(call, pe);
  if (nbytes == 0) return;
  to = pst_shmem_reach(call, "target", target, nbytes, pe);
  if (to.here) {
    block_copy(to.here, source, nbytes);
  } else {
    gasnet_put_nbi((gasnet_node_t)pe, to.there, source, nbytes);
    pst_shmem_pend();
  }
}

static void block_get(const char *call, void *target, const void *source, size_t nbytes, int pe)
{
  struct pst_shmem_reach from;
  pst_shmem_need_pe(call, pe);
  if (nbytes == 0) return;
  from = pst_shmem_reach(call, "source", source, nbytes, pe);
  if (from.here) block_copy(target, from.here, nbytes);
  else gasnet_get_bulk(target, (gasnet_node_t)pe, from.there, nbytes);
  PST_SHMEM_FENCE(__ATOMIC_ACQUIRE);
}

static void value_put(const char *call, void *target, uint64_t value, size_t width, int pe)
{
  const struct pst_shmem_reach to = pst_shmem_reach(call, "address", target, width, pe);
  if (to.here) {
    pst_register_store(to.here, value, width);
  } else {
    gasnet_put_nbi_val((gasnet_node_t)pe, to.there, value, width);
    pst_shmem_pend();
  }
}

static uint64_t value_get(const char *call, const void *source, size_t width, int pe)
{
  const struct pst_shmem_reach from = pst_shmem_reach(call, "address", source, width, pe);
  const uint64_t value = from.here ? pst_register_load(from.here, width)
                                   : gasnet_get_val((gasnet_node_t)pe, from.there, width);
  PST_SHMEM_FENCE(__ATOMIC_ACQUIRE);
  return value;
}

void pst_shmem_put(void *target, const void *source, size_t nelems, size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(block_put(call, target, source, nelems * width, pe), GASP_SHMEM_PUT, target, source, nelems,
      width, pe, call);
}

void pst_shmem_get(void *target, const void *source, size_t nelems, size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(block_get(call, target, source, nelems * width, pe), GASP_SHMEM_GET, target, source, nelems,
      width, pe, call);
}

void pst_shmem_put_value(void *target, uint64_t value, size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(value_put(call, target, value, width, pe), GASP_SHMEM_P, target, width, pe, call);
}

uint64_t pst_shmem_get_value(const void *source, size_t width, int pe, const char *call)
{
  uint64_t value;
  PST_SHMEM_TOLD(value = value_get(call, source, width, pe), GASP_SHMEM_G, source, width, pe, call);
  return value;
}

/* Values that are wider than a word. */
void pst_shmem_put_object(void *target, const void *value, size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(block_put(call, target, value, width, pe), GASP_SHMEM_P, target, width, pe, call);
}

void pst_shmem_get_object(void *value, const void *source, size_t width, int pe, const char *call)
{
  PST_SHMEM_TOLD(block_get(call, value, source, width, pe), GASP_SHMEM_G, source, width, pe, call);
}

/* ---- copies of sources: they stay until all puts are done ---- */

enum { ROOM = 1 << 18, LARGE = ROOM / 8 };

static char *room;
static size_t used;

void *pst_shmem_staging(size_t nbytes)
{
  char *at;
  if (nbytes > LARGE || (!room && !(room = malloc(ROOM)))) return NULL;
  if (nbytes > ROOM - used) pst_shmem_complete("put");
  at = room + used;
  used += (nbytes + 15) / 16 * 16;
  return at;
}

/* Clears `pending` first: a put that begins meanwhile, say in a signal handler, sets it again. */
void pst_shmem_complete(const char *call)
{
  pst_shmem_need_open(call);
  pst_shmem.pending = pst_shmem_job.tools;
  gasnet_wait_syncnbi_puts();
  used = 0;
}

void pst_shmem_quiet(void)
{
  PST_SHMEM_TOLD(pst_shmem_complete("shmem_quiet"), GASP_SHMEM_QUIET, "shmem_quiet");
}
void pst_shmem_fence(void)
{
  PST_SHMEM_TOLD(pst_shmem_complete("shmem_fence"), GASP_SHMEM_FENCE, "shmem_fence");
}
