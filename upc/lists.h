/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What lists.c, strided.c and distributed.c share. */
#ifndef UPC_LISTS_H
#define UPC_LISTS_H

#include <stdlib.h>

#include "upc/handle.h"

/* The events of a transfer: the same arguments at both ends. */
struct pst_upc_vis {
  unsigned tag;
  int form;
  size_t dstregions, srcregions, nbytes;
  int thread;
};
#define PST_UPC_VIS_BEGIN(v) \
  GASP_BEGIN(UPC, (v).tag, (v).form, (v).dstregions, (v).srcregions, (v).nbytes, (v).thread)
#define PST_UPC_VIS_FINISH(v, h) \
  GASP_FINISH(UPC, (v).tag, (v).form, (v).dstregions, (v).srcregions, (v).nbytes, (v).thread, h)

/* The event of a transfer, blocking or not (GASP_PENSTOCK_NB_*). */
enum { PST_UPC_BLOCKING, PST_UPC_NB };
#define PST_UPC_TAG(way, nb) \
  (GASP_PENSTOCK_VIS_##way + (nb ? GASP_PENSTOCK_NB_VIS_COPY - GASP_PENSTOCK_VIS_COPY : 0))

/* A call of the extended interface, blocking or not. */
#define PST_UPC_CALL(nb, name, ...) \
  ((nb) ? pst_upc_handle(name##_nb_bulk(__VA_ARGS__)) : (name##_bulk(__VA_ARGS__), UPC_COMPLETE_HANDLE))

/* A copy through a buffer. */
static inline upc_handle_t pst_upc_copy_third(
    const char *call, int nb, struct pst_upc_side dst, struct pst_upc_side src, size_t nbytes)
{
  const upc_handle_t h = pst_upc_handle_third(call, pst_upc_third_begin(call, &dst, &src, nbytes));
  if (nb) return h;
  pst_upc_handle_wait(h);
  return UPC_COMPLETE_HANDLE;
}

/* Room for a translated list: small ones need no memory. */
enum { PST_UPC_FEW = 32 };
void *pst_upc_room(const char *call, size_t n, size_t size);
#define PST_UPC_ROOM(call, few, n) ((n) <= PST_UPC_FEW ? (few) : pst_upc_room(call, n, sizeof *(few)))
#define PST_UPC_ROOM_END(few, list) \
  do { \
    if ((list) != (few)) free(list); \
  } while (0)

/* Defines upc_NAME and upc_NAME_async, which call of("upc_NAME", nb, tag, ...), and bupc_ names for both. */
#define PST_UPC_FORMS(name, of, way, parameters, ...) \
  void upc_##name parameters { of("upc_" #name, PST_UPC_BLOCKING, PST_UPC_TAG(way, 0), __VA_ARGS__); } \
  upc_handle_t upc_##name##_async parameters \
  { \
    return of("upc_" #name "_async", PST_UPC_NB, PST_UPC_TAG(way, 1), __VA_ARGS__); \
  } \
  PST_UPC_ALIAS(name); \
  PST_UPC_ALIAS(name##_async)

#endif
