/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What UCP receives. Its callbacks run inside ucp_worker_progress, in whichever thread is there, maybe inside
 * a handler: so they run no handlers. Small messages are copied, larger ones stay in UCP's buffers, and all
 * wait until a thread delivers them (net/deliver.c). */
#include <stdlib.h>
#include <string.h>

#include "conduits/ucx/call.h"
#include "support/copy.h"

/* ---- data with a place of its own ---- */

struct receipt {
  void (*done)(void *context);
  void *context;
  gasnet_node_t src;
};

static void data_received(void *request, ucs_status_t status, size_t nbytes, void *user)
{
  struct receipt *r = user;
  (void)nbytes;
  UCX(request_free)(request);
  if (status == UCS_OK) r->done(r->context);
  else pst_ucx_lost(r->src, status);
  free(r);
  pst_net_add(&pst_ucx.in_flight, -1u);
}

/* By rendezvous: the data move only now. */
static void data_fetch(struct receipt *r, void *to, void *data, size_t nbytes)
{
  const ucp_request_param_t param = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
          UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_FLAG_NO_IMM_CMPL,
      .cb.recv_am = data_received,
      .user_data = r,
      .memory_type = UCS_MEMORY_TYPE_HOST,
  };
  const ucs_status_ptr_t request = UCX(am_recv_data_nbx)(pst_ucx.worker, data, to, nbytes, &param);
  if (!UCS_PTR_IS_ERR(request)) return;
  pst_ucx_lost(r->src, UCS_PTR_STATUS(request));
  free(r);
  pst_net_add(&pst_ucx.in_flight, -1u);
}

ucs_status_t pst_ucx_receive_into(gasnet_node_t src, void *to, void *data, size_t nbytes,
    const ucp_am_recv_param_t *param, void (*done)(void *context), void *context)
{
  struct receipt *r;
  if (!(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) {
    if (nbytes) pst_copy_release(to, data, nbytes);
    done(context);
    return UCS_OK;
  }
  r = malloc(sizeof *r);
  if (!r) pst_fatal("out of memory for the receipt of %zu bytes", nbytes);
  *r = (struct receipt){done, context, src};
  pst_net_add(&pst_ucx.in_flight, 1);
  data_fetch(r, to, data, nbytes);
  return UCS_INPROGRESS;
}

/* ---- callbacks ---- */

/* Other messages are copied: they are small, or UCP wants its buffer back. */
static int may_stay(const void *data, size_t nbytes, const ucp_am_recv_param_t *param)
{
  enum { LARGE = 2048 };
  return nbytes >= LARGE && (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA) && (uintptr_t)data % 8 == 0;
}

static ucs_status_t message_arrived(void *unused, const void *header, size_t header_bytes, void *data,
    size_t nbytes, const ucp_am_recv_param_t *param)
{
  (void)unused;
  (void)header;
  if (header_bytes || (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) pst_net_malformed(data, 0);
  if (!may_stay(data, nbytes, param)) {
    pst_net_keep(data, nbytes);
    return UCS_OK;
  }
  return pst_net_borrow(data, nbytes) ? UCS_INPROGRESS : UCS_OK;
}

static void long_is_here(void *waiting) { pst_net_deliver_later(waiting); }

static ucs_status_t long_arrived(void *unused, const void *header, size_t header_bytes, void *data,
    size_t nbytes, const ucp_am_recv_param_t *param)
{
  const struct pst_net_parts *p;
  struct pst_net_waiting *w = pst_net_hold(header, header_bytes, &p);
  (void)unused;
  if (!w || p->head.form != PST_NET_LONG_PLACED || p->arrival.nbytes != nbytes)
    pst_net_malformed(header, header_bytes);
  return pst_ucx_receive_into(p->head.src, p->arrival.payload, data, nbytes, param, long_is_here, w);
}

static ucs_status_t bulk_arrived(void *unused, const void *header, size_t header_bytes, void *data,
    size_t nbytes, const ucp_am_recv_param_t *param)
{
  (void)unused;
  return pst_ucx_bulk_arrived(header, header_bytes, data, nbytes, param);
}

/* The handler of a borrowed message has run. Once calls have been stopped UCX may be gone. */
static void buffer_give_back(const void *message)
{
  if (!pst_net_call_begin()) return;
  pst_net_lock(&pst_net_call_lock);
  UCX(am_data_release)(pst_ucx.worker, (void *)(uintptr_t)message);
  pst_net_call_leave();
}

int pst_ucx_receive_open(void)
{
  static const ucp_am_recv_callback_t callback[PST_UCX_AM_KINDS] = {
      message_arrived, long_arrived, bulk_arrived};
  ucs_status_t status = UCS_OK;
  pst_net_give_back = buffer_give_back;
  for (unsigned id = 0; id < PST_UCX_AM_KINDS && status == UCS_OK; id++) {
    const ucp_am_handler_param_t p = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
            UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
        .id = id,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = callback[id],
    };
    status = UCX(worker_set_am_recv_handler)(pst_ucx.worker, &p);
  }
  return status == UCS_OK ? PST_OK : PST_ERR_SYSTEM;
}
