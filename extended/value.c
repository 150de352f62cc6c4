/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put and get of values, where the public inlines do not do it themselves. */
#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"
#include "extended/rma.h"

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
    o->value = pst_value_load(here, nbytes);
    return o;
  }
  pst_rma_check(PST_OP_GET | PST_OP_NB | PST_OP_VALUE, node, src, nbytes);
  PST_TRACE('G', "gasnet_get_nb_val", (int)node, nbytes);
  pst_rma_start(PST_OP_GET, node, src, PST_VALUE_BYTES(o->value, nbytes), nbytes, &o->gets);
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
  pst_pending_wait(&handle->gets);
  PST_ACQUIRE_FENCE();
  value = handle->value;
  pst_op_free(t, handle);
  return value;
}
