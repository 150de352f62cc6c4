/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of the provider that move data: all of them go through here, and no other call moves any
 * (net/call.h). */
#ifndef CONDUITS_OFI_CALL_H
#define CONDUITS_OFI_CALL_H
#include <rdma/fi_errno.h>

#include "conduits/net/call.h"
#include "conduits/ofi/ofi.h"

static inline ssize_t pst_ofi_call_send(
    const void *message, size_t nbytes, void *desc, gasnet_node_t peer, void *context)
{
  ssize_t rc;
  if (!pst_net_call_try()) return -FI_EAGAIN;
  rc = fi_send(pst_ofi.ep, message, nbytes, desc, pst_ofi.peer[peer].addr, context);
  pst_net_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_inject(const void *message, size_t nbytes, gasnet_node_t peer)
{
  ssize_t rc;
  if (!pst_net_call_try()) return -FI_EAGAIN;
  rc = fi_inject(pst_ofi.ep, message, nbytes, pst_ofi.peer[peer].addr);
  pst_net_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_receive(const struct fi_msg *m, uint64_t flags)
{
  ssize_t rc;
  if (!pst_net_call_try()) return -FI_EAGAIN;
  rc = fi_recvmsg(pst_ofi.ep, m, flags);
  pst_net_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_write(const struct fi_msg_rma *m, uint64_t flags)
{
  ssize_t rc;
  if (!pst_net_call_try()) return -FI_EAGAIN;
  rc = fi_writemsg(pst_ofi.ep, m, flags);
  pst_net_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_read(const struct fi_msg_rma *m, uint64_t flags)
{
  ssize_t rc;
  if (!pst_net_call_try()) return -FI_EAGAIN;
  rc = fi_readmsg(pst_ofi.ep, m, flags);
  pst_net_call_end();
  return rc;
}

struct pst_ofi_amo {
  enum fi_datatype type;
  enum fi_op op;
  void *operand, *expected, *result; /* all in memory of `desc` */
  void *desc;
  struct fi_rma_iov target;
};

/* What was there before comes into the result, whatever the operation: so its completion says that it has
 * been carried out. */
static inline ssize_t pst_ofi_call_atomic(const struct pst_ofi_amo *a, gasnet_node_t peer, void *context)
{
  const fi_addr_t to = pst_ofi.peer[peer].addr;
  ssize_t rc;
  if (!pst_net_call_try()) return -FI_EAGAIN;
  if (a->op == FI_CSWAP)
    rc = fi_compare_atomic(pst_ofi.ep, a->operand, 1, a->desc, a->expected, a->desc, a->result, a->desc, to,
        a->target.addr, a->target.key, a->type, a->op, context);
  else
    rc = fi_fetch_atomic(pst_ofi.ep, a->operand, 1, a->desc, a->result, a->desc, to, a->target.addr,
        a->target.key, a->type, a->op, context);
  pst_net_call_end();
  return rc;
}

static inline ssize_t pst_ofi_call_completions(struct fi_cq_data_entry *e, size_t most)
{
  ssize_t rc;
  if (!pst_net_call_try()) return -FI_EAGAIN;
  rc = fi_cq_read(pst_ofi.cq, e, most);
  pst_net_call_end();
  return rc;
}

#endif
