/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of UCP: between pst_net_call_enter and pst_net_call_leave (net/call.h). */
#ifndef CONDUITS_UCX_CALL_H
#define CONDUITS_UCX_CALL_H
#include "conduits/net/call.h"
#include "conduits/ucx/ucx.h"

/* As pst_ucx_send, whose flags, end and context are in `param`. */
static inline int pst_ucx_send_by(const ucp_request_param_t *param, gasnet_node_t peer, unsigned kind,
    const void *header, size_t header_bytes, const void *data, size_t nbytes)
{
  const ucs_status_ptr_t r = UCX(am_send_nbx)(
      pst_ucx.peer[peer].ep, kind, header, header_bytes, data, nbytes, param);
  if (!UCS_PTR_IS_ERR(r)) return r != NULL;
  if (UCS_PTR_STATUS(r) != UCS_ERR_NO_RESOURCE) pst_ucx_lost(peer, UCS_PTR_STATUS(r));
  return -1;
}

/* done(request, status, context) is called when what is sent need not stay any more. */
static inline ucp_request_param_t pst_ucx_send_param(
    unsigned flags, ucp_send_nbx_callback_t done, void *context)
{
  return (ucp_request_param_t){
      .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS |
          UCP_OP_ATTR_FIELD_MEMORY_TYPE,
      .flags = flags,
      .cb.send = done,
      .user_data = context,
      .memory_type = UCS_MEMORY_TYPE_HOST,
  };
}

/* Sends header and data, which stay until done(request, status, context) is called: returns 1. 0: they need
 * not stay, and done is not called. Negative: nothing was sent; there is no room, or the peer is lost. */
static inline int pst_ucx_send(gasnet_node_t peer, unsigned kind, const void *header, size_t header_bytes,
    const void *data, size_t nbytes, unsigned flags, ucp_send_nbx_callback_t done, void *context)
{
  const ucp_request_param_t param = pst_ucx_send_param(flags, done, context);
  return pst_ucx_send_by(&param, peer, kind, header, header_bytes, data, nbytes);
}

#endif
