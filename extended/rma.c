/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put, get and memset, of memory and of values, where the public inlines do not do them themselves. */
#include "extended/rma.h"

#include "core/amcheck.h"
#include "core/job.h"
#include "core/segment.h"
#include "core/trace.h"
#include "core/wait.h"

const char *pst_rma_name(unsigned op)
{
  static const char *const put[] = {"gasnet_put", "gasnet_put_bulk", "gasnet_put_nb", "gasnet_put_nb_bulk",
      "gasnet_put_nbi", "gasnet_put_nbi_bulk"};
  static const char *const get[] = {"gasnet_get", "gasnet_get_bulk", "gasnet_get_nb", "gasnet_get_nb_bulk",
      "gasnet_get_nbi", "gasnet_get_nbi_bulk"};
  static const char *const put_value[] = {
      "gasnet_put_val", "", "gasnet_put_nb_val", "", "gasnet_put_nbi_val"};
  static const char *const get_value[] = {"gasnet_get_val", "", "gasnet_get_nb_val"};
  static const char *const set[] = {"gasnet_memset", "", "gasnet_memset_nb", "", "gasnet_memset_nbi"};
  const unsigned form = (op & PST_OP_NB ? 2 : op & PST_OP_NBI ? 4 : 0) + (op & PST_OP_BULK ? 1 : 0);
  if (op & PST_OP_MEMSET) return set[form];
  if (op & PST_OP_VALUE) return op & PST_OP_GET ? get_value[form] : put_value[form];
  return op & PST_OP_GET ? get[form] : put[form];
}

void pst_rma_check(unsigned op, gasnet_node_t node, const void *remote, size_t nbytes)
{
  const char *call = pst_rma_name(op);
  if (!PST_DEBUG) return;
  pst_job_check(call, node);
  pst_amcheck_client(call);
  if (op & PST_OP_VALUE && (nbytes < 1 || nbytes > sizeof(gasnet_register_value_t)))
    pst_fatal("%s: %zu bytes; a value has 1 to %zu", call, nbytes, sizeof(gasnet_register_value_t));
  pst_segment_check(call, op & PST_OP_GET ? "src" : "dest", node, remote, nbytes);
}

struct pst_op *pst_rma_begin(unsigned op, struct pst_thread *t)
{
  return op & PST_OP_NBI ? pst_op_implicit(t) : pst_op_new(t, PST_OPKIND_EXPLICIT);
}

gasnet_handle_t pst_rma_end(unsigned op, struct pst_thread *t, struct pst_op *o)
{
  if (op & PST_OP_NBI) return GASNET_INVALID_HANDLE;
  if (op & PST_OP_NB && !pst_op_done(o)) return o;
  pst_completion_wait(&o->completion, PST_EVENTS);
  pst_op_free(t, o);
  return GASNET_INVALID_HANDLE;
}

typedef int (*transfer_fn)(unsigned, gasnet_node_t, void *, const void *, size_t, struct pst_completion *);

static void transfer_native(transfer_fn fn, unsigned op, gasnet_node_t node, void *dst, const void *src,
    size_t nbytes, struct pst_completion *completion)
{
  struct pst_wait w = {0, 0};
  while (
      fn(op, node, dst, src, nbytes, completion) == PST_ERR_AGAIN && !pst_completion_loses(completion, node))
    pst_wait_step(&w);
}

void pst_rma_start(unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes,
    struct pst_completion *completion)
{
  const struct pst_conduit *c = pst_conduit_to(node);
  if (nbytes == 0) return;
  if (op & PST_OP_GET) {
    if (c->get && !pst_job.am_only) transfer_native(c->get, op, node, local, remote, nbytes, completion);
    else pst_reference_get(node, local, remote, nbytes, completion);
  } else {
    if (c->put && !pst_job.am_only) transfer_native(c->put, op, node, remote, local, nbytes, completion);
    else pst_reference_put(node, remote, local, nbytes, completion);
  }
}

int (*pst_rma_coalesce)(
    unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes, struct pst_op *o);

static void send_nothing(struct pst_completion *c) { (void)c; }
void (*pst_rma_send_kept)(struct pst_completion *c) = send_nothing;

static inline int transfer_coalesce(
    unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes, struct pst_op *o)
{
  return op & PST_OP_NBI && pst_rma_coalesce && pst_rma_coalesce(op, node, remote, local, nbytes, o);
}

gasnet_handle_t pst_rma(unsigned op, gasnet_node_t node, void *remote, void *local, size_t nbytes)
{
  struct pst_thread *t = pst_thread_get();
  struct pst_op *o;
  pst_rma_check(op, node, remote, nbytes);
  PST_TRACE(op & PST_OP_GET ? 'G' : 'P', pst_rma_name(op), (int)node, nbytes);
  o = pst_rma_begin(op, t);
  if (!transfer_coalesce(op, node, remote, local, nbytes, o))
    pst_rma_start(op, node, remote, local, nbytes, &o->completion);
  return pst_rma_end(op, t, o);
}

static void memset_start(
    gasnet_node_t node, void *remote, int byte, size_t nbytes, struct pst_completion *completion)
{
  const struct pst_conduit *c = pst_conduit_to(node);
  struct pst_wait w = {0, 0};
  if (nbytes == 0) return;
  if (!c->memset || pst_job.am_only) {
    pst_reference_memset(node, remote, byte, nbytes, completion);
    return;
  }
  while (c->memset(node, remote, byte, nbytes, completion) == PST_ERR_AGAIN &&
      !pst_completion_loses(completion, node))
    pst_wait_step(&w);
}

gasnet_handle_t pst_rma_memset(unsigned op, gasnet_node_t node, void *remote, int byte, size_t nbytes)
{
  struct pst_thread *t = pst_thread_get();
  struct pst_op *o;
  pst_rma_check(op, node, remote, nbytes);
  PST_TRACE('P', pst_rma_name(op), (int)node, nbytes);
  o = pst_rma_begin(op, t);
  memset_start(node, remote, byte, nbytes, &o->completion);
  return pst_rma_end(op, t, o);
}

/* ---- values ---- */

gasnet_handle_t pst_value_put(
    unsigned op, gasnet_node_t node, void *dest, gasnet_register_value_t value, size_t nbytes)
{
  /* Not bulk: the value may go when this returns. */
  return pst_rma(op, node, dest, PST_VALUE_BYTES(value, nbytes), nbytes);
}

gasnet_register_value_t pst_value_get(gasnet_node_t node, void *src, size_t nbytes)
{
  gasnet_register_value_t value = 0;
  pst_rma(PST_OP_GET | PST_OP_VALUE, node, src, PST_VALUE_BYTES(value, nbytes), nbytes);
  return value;
}

gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *src, size_t nbytes)
{
  struct pst_thread *t = pst_thread_get();
  struct pst_op *o = pst_op_new(t, PST_OPKIND_VALUE);
  void *here;
  o->value = 0;
  if (pst_mapped(node, src, &here)) {
    o->value = pst_register_load(here, nbytes);
    return o;
  }
  pst_rma_check(PST_OP_GET | PST_OP_NB | PST_OP_VALUE, node, src, nbytes);
  PST_TRACE('G', "gasnet_get_nb_val", (int)node, nbytes);
  pst_rma_start(PST_OP_GET, node, src, PST_VALUE_BYTES(o->value, nbytes), nbytes, &o->completion);
  return o;
}

gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle)
{
  struct pst_thread *t = pst_thread_get();
  gasnet_register_value_t value;
  pst_amcheck_client("gasnet_wait_syncnb_valget");
  if (PST_DEBUG && (!handle || handle->kind != PST_OPKIND_VALUE))
    pst_fatal(
        "gasnet_wait_syncnb_valget: handle %p is not one of gasnet_get_nb_val, or was waited for before",
        (void *)handle);
  pst_completion_wait(&handle->completion, PST_GETS);
  PST_ACQUIRE_FENCE();
  value = handle->value;
  pst_op_free(t, handle);
  return value;
}
