/* Shorts and small mediums of a process of one thread. Where there is no room at once am.c sends them.
 *
 * A program often sends what it has sent before. Where that is still there nothing is stored: UCP's locked instruction waits for the stores
 * before it, and its copy for those that are smaller than its loads, which is a fifth of a round trip over shared memory. For the same
 * reason the counts change when the message has left. They and all that is static here are that one thread's, and UCP calls nothing back while
 * it sends: so nobody else changes them between the look at the window and its count. */
#include <string.h>

#include "conduits/ucx/call.h"

static inline void keep_word(void *at, uint64_t word)
{
  uint64_t there;
  memcpy(&there, at, sizeof there);
  if (there != word) memcpy(at, &word, sizeof word);
}

/* ---- windows: what is owed to the peer, requests in the low half, replies in the high one, goes with the message ---- */

#define MORE_THAN_A_HEAD_HOLDS UINT64_C(0xffff0000ffff0000)

static inline uint64_t owed_to(const struct pst_credit_peer *c)
{
  uint64_t owed;
  memcpy(&owed, (const void *)c->owed, sizeof owed);
  return owed;
}

static inline int has_room(struct pst_credit_peer *c, unsigned stream, size_t nbytes, uint64_t owed)
{
  return (int32_t)pst_net_count(&c->window[stream]) >= pst_credit_units(nbytes) && !(owed & MORE_THAN_A_HEAD_HOLDS);
}

static inline int sent(struct pst_credit_peer *c, unsigned stream, size_t nbytes)
{
  pst_net_add(&c->window[stream], -(uint32_t)pst_credit_units(nbytes));
  if (owed_to(c)) memset((void *)c->owed, 0, sizeof c->owed);
  return PST_OK;
}

/* ---- messages ---- */

struct message {
  alignas(16) struct pst_net_head head;
  gasnet_handlerarg_t args[PST_NET_MAX_ARGS];
};

static inline void put_down(struct message *m, uint32_t kind, size_t payload, uint64_t owed, unsigned nargs, const gasnet_handlerarg_t *args)
{
  keep_word(m, pst_net.node | (uint64_t)payload << 32);
  keep_word((char *)m + offsetof(struct pst_net_head, credit), (uint64_t)kind << 32 | (uint32_t)(owed | owed >> 16));
  for (unsigned i = 0; i < nargs; i++)
    if (m->args[i] != args[i]) m->args[i] = args[i];
}

/* What a head says of its message, in its last word. */
static inline uint32_t kind_of(unsigned form, unsigned stream, gasnet_handler_t handler, unsigned nargs)
{
  return form | stream << 8 | (uint32_t)handler << 16 | (uint32_t)nargs << 24;
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && offsetof(struct pst_net_head, credit) == 8 && offsetof(struct pst_net_head, form) == 12 &&
               offsetof(struct pst_net_head, stream) == 13 && offsetof(struct pst_net_head, handler) == 14 &&
               offsetof(struct pst_net_head, nargs) == 15, "a head is two words");

/* UCP has done with it when it returns, or has not taken it. */
static inline int send_now(gasnet_node_t dest, const struct message *m, size_t nbytes)
{
  static const ucp_request_param_t param = {
    .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL,
    .flags = UCP_AM_SEND_FLAG_EAGER, .memory_type = UCS_MEMORY_TYPE_HOST,
  };
  const ucp_ep_h ep = pst_ucx.peer[dest].ep;
  ucs_status_ptr_t r;
  if (!ep || !pst_ucx_enter()) return 0;
  r = UCX(am_send_nbx)(ep, PST_UCX_AM_MESSAGE, NULL, 0, m, nbytes, &param);
  pst_ucx_leave();
  return r == NULL;
}

static struct message last[PST_NET_STREAMS];

/* What was written last, the longer way. */
static __attribute__((noinline)) int send_last(gasnet_node_t dest, unsigned stream)
{
  const struct pst_net_head *h = &last[stream].head;
  struct pst_message m = { .dest = dest, .kind = PST_AM_SHORT, .reply = (uint8_t)stream, .handler = h->handler, .nargs = h->nargs,
                           .args = last[stream].args };
  return pst_ucx_am(&m);
}

/* Few values have to be kept over the call of UCP, for they would be stored before it. */
int pst_ucx_short_alone(gasnet_node_t dest, unsigned stream, gasnet_handler_t handler, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_credit_peer *c = &pst_credit.peer[dest];
  const uint64_t owed = owed_to(c);
  size_t nbytes = sizeof(struct pst_net_head) + pst_net_arguments_bytes(nargs);
  const int room = has_room(c, stream, nbytes, owed);
  put_down(&last[stream], kind_of(PST_NET_SHORT, stream, handler, nargs), 0, owed, nargs, args);
  if (!room || !send_now(dest, &last[stream], nbytes)) return send_last(dest, stream);
  nbytes = sizeof(struct pst_net_head) + pst_net_arguments_bytes(last[stream].head.nargs);
  return sent(&pst_credit.peer[dest], stream, nbytes);
}

/* An operation in hand, of each stream and size, that is only given away where UCP keeps it. */
static struct pst_ucx_op **in_hand(unsigned stream, size_t nbytes, gasnet_node_t dest)
{
  static struct pst_ucx_op *ops[PST_NET_STREAMS][2];
  struct pst_ucx_op **op = &ops[stream][nbytes > PST_UCX_SMALL];
  if (!*op && (*op = pst_ucx_op_message(stream, nbytes, dest)) != NULL) pst_net_add(&pst_ucx.in_flight, -1u);
  return *op ? op : NULL;
}

/* Where a message lies in its operation, with the pad before it. */
enum { AT = sizeof(struct pst_net_head) };
_Static_assert(sizeof(struct pst_net_head) >= PST_UCX_INLINE_PAD && AT % alignof(struct message) == 0, "the pad is before the message");

static inline int send_kept(gasnet_node_t dest, struct pst_ucx_op **op, size_t nbytes)
{
  const int is_inline = nbytes <= pst_ucx.peer[dest].inline_most;
  const size_t pad = is_inline ? PST_UCX_INLINE_PAD : 0;
  int rc;
  if (!pst_ucx.peer[dest].ep || !pst_ucx_enter()) return 0;
  (*op)->peer = dest;
  rc = pst_ucx_send_by(&(*op)->param, dest, is_inline ? PST_UCX_AM_INLINE : PST_UCX_AM_MESSAGE, NULL, 0, (*op)->room + AT - pad, nbytes + pad);
  if (rc == 1) {
    pst_net_add(&pst_ucx.in_flight, 1);
    *op = NULL;
  }
  pst_ucx_leave();
  return rc >= 0;
}

int pst_ucx_medium_alone(const struct pst_message *m)
{
  enum { MOST = 4096 };
  struct pst_credit_peer *c = &pst_credit.peer[m->dest];
  const size_t before = sizeof(struct pst_net_head) + pst_net_arguments_bytes(m->nargs), nbytes = pst_net_round_up(before + m->nbytes);
  const uint64_t owed = owed_to(c);
  struct pst_ucx_op **op;
  char *message;
  if (m->fill || m->nbytes > MOST || !has_room(c, m->reply, nbytes, owed)) return PST_ERR_AGAIN;
  if (!(op = in_hand(m->reply, AT + nbytes, m->dest))) return PST_ERR_AGAIN;
  message = (*op)->room + AT;
  put_down((struct message *)message, kind_of(PST_NET_MEDIUM, m->reply, m->handler, m->nargs), m->nbytes, owed, m->nargs, m->args);
  if (m->nbytes) memcpy(message + before, m->payload, m->nbytes);
  return send_kept(m->dest, op, nbytes) ? sent(c, m->reply, nbytes) : PST_ERR_AGAIN;
}
