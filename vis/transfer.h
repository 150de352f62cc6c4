/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* From a checked description to its transfer: mapped peers by load and store, others by messages. */
#ifndef VIS_TRANSFER_H
#define VIS_TRANSFER_H
#include "extended/rma.h"
#include "vis/side.h"
#include "gasnetx.h"

struct pst_transfer {
  unsigned op; /* PST_OP_GET, PST_OP_NB, PST_OP_NBI */
  gasnet_node_t node;
  const char *call;               /* the client's, for messages */
  const gasnetx_notify_t *notify; /* or NULL */
};

/* Is the node's memory accessible by load and store? *delta: what to add to its addresses. */
static inline int pst_transfer_mapped(gasnet_node_t node, ptrdiff_t *delta)
{
  void *here;
  if (!pst_mapped(node, NULL, &here)) return 0;
  *delta = (ptrdiff_t)(uintptr_t)here;
  return 1;
}

/* Both sides as the client described them, of equal length. The handle is that of an explicit transfer. */
gasnet_handle_t pst_transfer_sides(
    const struct pst_transfer *t, const struct pst_side *remote, const struct pst_side *local);
/* One of several transfers on one operation. *o is NULL before the first; the operation is made when
 * something stays in flight. */
void pst_transfer_part(const struct pst_transfer *t, const struct pst_side *remote,
    const struct pst_side *local, struct pst_op **o);
/* Ends a call that consists of such parts. */
gasnet_handle_t pst_transfer_end(unsigned op, struct pst_op *o);
/* dst and src as their nodes see them. */
gasnet_handle_t pst_transfer_shape(
    const struct pst_transfer *t, const struct pst_shape *s, char *dst, char *src);

/* Defines the three forms of a call: NAME_bulk, NAME_nb_bulk and NAME_nbi_bulk. `start` is an expression that
 * starts the transfer and returns its handle; it finds what kind of operation it is in `op`. */
#define PST_VIS_FORMS(name, parameters, kind, start) \
  void name##_bulk parameters \
  { \
    const unsigned op = (kind); \
    start; \
  } \
  gasnet_handle_t name##_nb_bulk parameters \
  { \
    const unsigned op = (kind) | PST_OP_NB; \
    return start; \
  } \
  void name##_nbi_bulk parameters \
  { \
    const unsigned op = (kind) | PST_OP_NBI; \
    start; \
  }

#endif
