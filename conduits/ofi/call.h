/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of the provider that move data: all of them go through here, and no other call moves any
 * (net/call.h). */
#ifndef CONDUITS_OFI_CALL_H
#define CONDUITS_OFI_CALL_H
#include <rdma/fi_errno.h>

#include "conduits/net/call.h"
#include "conduits/ofi/ofi.h"

/* PST_OFI_CALL(fi_...) is what the call returns, or -FI_EAGAIN where it may not begin. */
static inline ssize_t pst_ofi_call_end(ssize_t rc)
{
  pst_net_call_end();
  return rc;
}
#define PST_OFI_CALL(call) (pst_net_call_try() ? pst_ofi_call_end(call) : -FI_EAGAIN)

static inline ssize_t pst_ofi_call_send(
    const void *message, size_t nbytes, void *desc, gasnet_node_t peer, void *context)
{
  return PST_OFI_CALL(fi_send(pst_ofi.ep, message, nbytes, desc, pst_ofi.peer[peer].addr, context));
}

static inline ssize_t pst_ofi_call_inject(const void *message, size_t nbytes, gasnet_node_t peer)
{
  return PST_OFI_CALL(fi_inject(pst_ofi.ep, message, nbytes, pst_ofi.peer[peer].addr));
}

static inline ssize_t pst_ofi_call_receive(const struct fi_msg *m, uint64_t flags)
{
  return PST_OFI_CALL(fi_recvmsg(pst_ofi.ep, m, flags));
}

static inline ssize_t pst_ofi_call_write(const struct fi_msg_rma *m, uint64_t flags)
{
  return PST_OFI_CALL(fi_writemsg(pst_ofi.ep, m, flags));
}

static inline ssize_t pst_ofi_call_read(const struct fi_msg_rma *m, uint64_t flags)
{
  return PST_OFI_CALL(fi_readmsg(pst_ofi.ep, m, flags));
}

static inline ssize_t pst_ofi_call_completions(struct fi_cq_data_entry *e, size_t most)
{
  return PST_OFI_CALL(fi_cq_read(pst_ofi.cq, e, most));
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
  if (a->op == FI_CSWAP)
    return PST_OFI_CALL(fi_compare_atomic(pst_ofi.ep, a->operand, 1, a->desc, a->expected, a->desc, a->result,
        a->desc, to, a->target.addr, a->target.key, a->type, a->op, context));
  return PST_OFI_CALL(fi_fetch_atomic(pst_ofi.ep, a->operand, 1, a->desc, a->result, a->desc, to,
      a->target.addr, a->target.key, a->type, a->op, context));
}

#endif
