/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations by those of UCX, which makes them of messages where the transports have none.
 *
 * All are fetching ones, also where nobody asks what was there before: their answer says that they have been
 * carried out. UCX may leave them to a device, which need not be atomic with respect to the processor: so
 * operations on a node's own words go through UCX, too. Its transports in memory, of UCX 1.13 at least,
 * compute a fetching AND, OR and XOR with what was there in place of the operand: so all are tried before
 * they are used (extended/atomic_choice.c). */
#include "conduits/ucx/call.h"
#include "gasnetx.h"

/* In an operation's room. At first `result` is what a comparison is to store. */
struct atomic {
  uint64_t operand, result;
  uint64_t *value;
  struct pst_completion *completion;
  unsigned events;
};

static ucp_atomic_op_t op_of(unsigned op)
{
  switch ((gasnetx_atomic_op_t)op) {
  case GASNETX_SET:
  case GASNETX_SWAP: return UCP_ATOMIC_OP_SWAP;
  case GASNETX_AND: return UCP_ATOMIC_OP_AND;
  case GASNETX_OR: return UCP_ATOMIC_OP_OR;
  case GASNETX_XOR: return UCP_ATOMIC_OP_XOR;
  case GASNETX_CSWAP: return UCP_ATOMIC_OP_CSWAP;
  case GASNETX_ADD:
  case GASNETX_GET: break;
  }
  return UCP_ATOMIC_OP_ADD;
}

/* To look at a word is to add nothing. */
static void atomic_fill(struct atomic *a, unsigned op, unsigned nbytes, uint64_t operand, uint64_t expected)
{
  const uint64_t first = op == GASNETX_CSWAP ? expected : op == GASNETX_GET ? 0 : operand;
  const uint64_t store = op == GASNETX_CSWAP ? operand : 0;
  a->operand = a->result = 0;
  pst_register_store(&a->operand, first, nbytes);
  pst_register_store(&a->result, store, nbytes);
}

/* The owner may go on as soon as it sees the count, so the count changes last. */
static void atomic_finish(struct pst_ucx_op *o, unsigned nbytes)
{
  const struct atomic *a = (const struct atomic *)o->room;
  struct pst_completion *completion = a->completion;
  const unsigned events = a->events;
  if (a->value) *a->value = pst_register_load(&a->result, nbytes);
  pst_ucx_op_free(o);
  pst_completion_done(completion, events);
}

static void atomic_done(void *request, ucs_status_t status, void *context, unsigned nbytes)
{
  struct pst_ucx_op *o = context;
  UCX(request_free)(request);
  if (status == UCS_OK) atomic_finish(o, nbytes);
  else pst_ucx_lost(o->peer, status);
}
static void atomic_done4(void *request, ucs_status_t status, void *context)
{
  atomic_done(request, status, context, 4);
}
static void atomic_done8(void *request, ucs_status_t status, void *context)
{
  atomic_done(request, status, context, 8);
}

static int atomic_issue(struct pst_ucx_op *o, unsigned op, unsigned nbytes, const void *word, ucp_rkey_h rkey)
{
  struct atomic *a = (struct atomic *)o->room;
  const ucp_request_param_t param = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_DATATYPE |
          UCP_OP_ATTR_FIELD_REPLY_BUFFER | UCP_OP_ATTR_FIELD_MEMORY_TYPE,
      .cb.send = nbytes == 4 ? atomic_done4 : atomic_done8,
      .user_data = o,
      .datatype = ucp_dt_make_contig(nbytes),
      .reply_buffer = &a->result,
      .memory_type = UCS_MEMORY_TYPE_HOST,
  };
  const ucs_status_ptr_t r = UCX(atomic_op_nbx)(
      pst_ucx.peer[o->peer].ep, op_of(op), &a->operand, 1, (uintptr_t)word, rkey, &param);
  if (r == NULL) {
    atomic_finish(o, nbytes);
    return PST_OK;
  }
  if (!UCS_PTR_IS_ERR(r)) return 1;
  if (UCS_PTR_STATUS(r) != UCS_ERR_NO_RESOURCE) pst_ucx_lost(o->peer, UCS_PTR_STATUS(r));
  return PST_ERR_AGAIN;
}

/* Connected, and under the lock. */
static int atomic_start(
    struct atomic a, unsigned op, unsigned nbytes, gasnet_node_t node, const void *word, ucp_rkey_h rkey)
{
  struct pst_ucx_op *o = pst_ucx_op_take(&pst_ucx_transfers, node);
  int rc;
  if (!o) return PST_ERR_AGAIN;
  o->bulk.kind = 0; /* no transfer's */
  *(struct atomic *)o->room = a;
  pst_completion_add(a.completion, a.events);
  rc = atomic_issue(o, op, nbytes, word, rkey);
  if (rc != PST_ERR_AGAIN) return rc;
  pst_ucx_op_free(o);
  pst_completion_done(a.completion, a.events);
  return rc;
}

int pst_ucx_atomic(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
    uint64_t expected, uint64_t *value, struct pst_completion *completion)
{
  const unsigned region = pst_net_region(node, word);
  struct atomic a = {.value = value, .completion = completion, .events = value ? PST_GETS : PST_PUTS};
  int rc = PST_ERR_AGAIN;
  atomic_fill(&a, op, nbytes, operand, expected);
  if (!pst_net_call_enter()) return rc;
  if (pst_ucx_connect_rma(node, region) == PST_OK)
    rc = atomic_start(a, op, nbytes, node, word, pst_ucx.peer[node].memory[region].rkey);
  pst_net_call_leave();
  return rc;
}

static const char *atomics_lacking(void)
{
  if (!pst_ucx.atomics) return "has no device that has them";
  if (!pst_ucx_connect_self()) return "has no transport that leads to the node itself";
  return pst_net.atomics == PST_ATOMICS_ANY || pst_ucx_has_device_atomics() ? NULL : "makes them of messages";
}

const char *pst_ucx_lacks_atomics(void)
{
  const char *what = "is about to be closed";
  if (pst_net_call_begin()) {
    pst_net_lock(&pst_net_call_lock);
    what = atomics_lacking();
    pst_net_call_leave();
  }
  return what ? pst_why("%s %s", pst_net.library, what) : NULL;
}
