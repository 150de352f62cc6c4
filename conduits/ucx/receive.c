/* What UCP receives. Its callbacks run inside ucp_worker_progress. There the handlers of small messages run in a process of one thread
 * (late.c); else it may be any thread and inside any handler, and so none is started: messages are copied to where they wait, or, if larger,
 * wait where they are. */
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

static void received(void *request, ucs_status_t status, size_t nbytes, void *user)
{
  struct receipt *r = user;
  (void)nbytes;
  UCX(request_free)(request);
  if (status == UCS_OK) r->done(r->context);
  else pst_ucx_lost(r->src, status);
  free(r);
  pst_net_add(&pst_ucx.in_flight, -1u);
}

/* By rendezvous: only now it moves. */
static void fetch(struct receipt *r, void *to, void *data, size_t nbytes)
{
  const ucp_request_param_t param = {
    .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_FLAG_NO_IMM_CMPL,
    .cb.recv_am = received, .user_data = r, .memory_type = UCS_MEMORY_TYPE_HOST,
  };
  const ucs_status_ptr_t request = UCX(am_recv_data_nbx)(pst_ucx.worker, data, to, nbytes, &param);
  if (!UCS_PTR_IS_ERR(request)) return;
  pst_ucx_lost(r->src, UCS_PTR_STATUS(request));
  free(r);
  pst_net_add(&pst_ucx.in_flight, -1u);
}

ucs_status_t pst_ucx_receive_into(gasnet_node_t src, void *to, void *data, size_t nbytes, const ucp_am_recv_param_t *param,
                                  void (*done)(void *context), void *context)
{
  struct receipt *r;
  if (!(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) {
    if (nbytes) pst_copy_release(to, data, nbytes);
    done(context);
    return UCS_OK;
  }
  r = malloc(sizeof *r);
  if (!r) pst_fatal("out of memory for the receipt of %zu bytes", nbytes);
  *r = (struct receipt){ done, context, src };
  pst_net_add(&pst_ucx.in_flight, 1);
  fetch(r, to, data, nbytes);
  return UCS_INPROGRESS;
}

/* ---- callbacks ---- */

/* Others are small, or UCP wants its buffer back. */
static int may_stay(const void *data, size_t nbytes, const ucp_am_recv_param_t *param)
{
  enum { LARGE = 2048 };
  return nbytes >= LARGE && (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA) && (uintptr_t)data % 8 == 0;
}

/* ---- handlers of small messages, where the message lies if it is aligned there ----
 *
 * Only in a process of one thread, which is inside a call as long as they run (pst_ucx_inside): for them to wait costs a third of a round trip
 * over shared memory. What they may not do there is ask UCP for progress. A reply without room is kept (late.c); a handler that polls, or whose reply is
 * a long of which UCP would read the payload after its return, is unfit, and runs outside from then on. */

static unsigned char unfit[256]; /* handlers */
static int is_unfit;             /* the one that runs */

enum { RUN_MOST = 2048 };

/* An endpoint is not made there. */
static inline int may_run(const struct pst_net_head *h)
{
  const gasnet_node_t src = h->src; /* read once: the sender may still write there */
  return src < pst_net.nodes && pst_ucx.peer[src].ep && !unfit[h->handler];
}

static inline int run_at(const void *message, size_t nbytes)
{
  const struct pst_net_head *h = message;
  if (!may_run(h)) return 0;
  pst_net_message(message, nbytes);
  if (__builtin_expect(is_unfit, 0)) {
    unfit[h->handler] = 1;
    is_unfit = 0;
  }
  return 1;
}

static __attribute__((noinline)) int run_copy(const void *message, size_t nbytes)
{
  alignas(8) char copy[RUN_MOST];
  memcpy(copy, message, nbytes);
  return run_at(copy, nbytes);
}

/* A medium's payload must be aligned. */
static inline int is_aligned(const void *message)
{
  const uintptr_t at = (uintptr_t)message;
  return at % 8 == 0 || (at % 4 == 0 && ((const struct pst_net_head *)message)->form == PST_NET_SHORT);
}

static inline int run_here(const void *message, size_t nbytes)
{
  if (pst_net.par || pst_ucx_late_replies || nbytes < sizeof(struct pst_net_head) || nbytes > RUN_MOST) return 0;
  return __builtin_expect(is_aligned(message), 1) ? run_at(message, nbytes) : run_copy(message, nbytes);
}

void pst_ucx_is_unfit(void) { is_unfit = 1; }

static ucs_status_t message_arrived(void *unused, const void *header, size_t header_bytes, void *data, size_t nbytes,
                                    const ucp_am_recv_param_t *param)
{
  (void)unused;
  (void)header;
  if (header_bytes || (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) pst_net_malformed(data, 0);
  if (run_here(data, nbytes)) return UCS_OK;
  if (!may_stay(data, nbytes, param)) {
    pst_net_keep(data, nbytes);
    return UCS_OK;
  }
  return pst_net_borrow(data, nbytes) ? UCS_INPROGRESS : UCS_OK;
}

/* Behind what aligns it. */
static ucs_status_t inline_arrived(void *unused, const void *header, size_t header_bytes, void *data, size_t nbytes,
                                   const ucp_am_recv_param_t *param)
{
  const char *message = (const char *)data + PST_UCX_INLINE_PAD;
  (void)unused;
  (void)header;
  if (header_bytes || nbytes < PST_UCX_INLINE_PAD || (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) pst_net_malformed(data, 0);
  nbytes -= PST_UCX_INLINE_PAD;
  if (!run_here(message, nbytes)) pst_net_keep(message, nbytes);
  return UCS_OK;
}

static void long_is_here(void *waiting) { pst_net_deliver_later(waiting); }

static ucs_status_t long_arrived(void *unused, const void *header, size_t header_bytes, void *data, size_t nbytes,
                                 const ucp_am_recv_param_t *param)
{
  const struct pst_net_parts *p;
  struct pst_net_waiting *w = pst_net_hold(header, header_bytes, &p);
  (void)unused;
  if (!w || p->head.form != PST_NET_LONG_PLACED || p->arrival.nbytes != nbytes) pst_net_malformed(header, header_bytes);
  return pst_ucx_receive_into(p->head.src, p->arrival.payload, data, nbytes, param, long_is_here, w);
}

static ucs_status_t bulk_arrived(void *unused, const void *header, size_t header_bytes, void *data, size_t nbytes,
                                 const ucp_am_recv_param_t *param)
{
  (void)unused;
  return pst_ucx_bulk_arrived(header, header_bytes, data, nbytes, param);
}

/* A message that stayed has run. Once calls have been stopped UCX may be gone. */
static void give_back(const void *message)
{
  if (!pst_net_call_begin()) return;
  pst_net_lock(&pst_ucx_lock);
  UCX(am_data_release)(pst_ucx.worker, (void *)(uintptr_t)message);
  pst_ucx_leave();
}

int pst_ucx_receive_open(void)
{
  static const ucp_am_recv_callback_t callback[PST_UCX_AM_KINDS] = { message_arrived, long_arrived, bulk_arrived, inline_arrived };
  ucs_status_t status = UCS_OK;
  pst_net_give_back = give_back;
  for (unsigned id = 0; id < PST_UCX_AM_KINDS && status == UCS_OK; id++) {
    const ucp_am_handler_param_t p = {
      .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
      .id = id, .flags = UCP_AM_FLAG_WHOLE_MSG, .cb = callback[id],
    };
    status = UCX(worker_set_am_recv_handler)(pst_ucx.worker, &p);
  }
  return status == UCS_OK ? PST_OK : PST_ERR_SYSTEM;
}
