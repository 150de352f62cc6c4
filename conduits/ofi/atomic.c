/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations by the provider's own.
 *
 * All are fetching ones, also where nobody asks what was there before: these are complete when the target has
 * carried them out and its processor sees it, others when their operands may be used again. The provider need
 * not use the processor's instructions, so all of a node's own go through it, too. */
#include "conduits/ofi/call.h"
#include "gasnetx.h"

/* In an operation's room. */
struct words {
  uint64_t result, operand, expected;
};

static enum fi_op op_of(unsigned op)
{
  switch ((gasnetx_atomic_op_t)op) {
  case GASNETX_ADD: return FI_SUM;
  case GASNETX_AND: return FI_BAND;
  case GASNETX_OR: return FI_BOR;
  case GASNETX_XOR: return FI_BXOR;
  case GASNETX_SET:
  case GASNETX_SWAP: return FI_ATOMIC_WRITE;
  case GASNETX_CSWAP: return FI_CSWAP;
  case GASNETX_GET: break;
  }
  return FI_ATOMIC_READ;
}

static enum fi_datatype type_of(unsigned nbytes) { return nbytes == 4 ? FI_UINT32 : FI_UINT64; }

static ssize_t atomic_issue(
    struct pst_ofi_op *o, unsigned op, unsigned nbytes, gasnet_node_t node, const void *word)
{
  struct words *w = (struct words *)o->room;
  const struct pst_ofi_amo a = {
      .type = type_of(nbytes),
      .op = op_of(op),
      .operand = PST_VALUE_BYTES(w->operand, nbytes),
      .expected = PST_VALUE_BYTES(w->expected, nbytes),
      .result = PST_VALUE_BYTES(w->result, nbytes),
      .desc = o->desc,
      .target = pst_ofi_remote(node, word, nbytes),
  };
  return pst_ofi_call_atomic(&a, node, o);
}

/* Connections to other nodes may cross; see meet.c. */
static int is_reachable(gasnet_node_t node) { return node == pst_net.node || pst_ofi_met(node); }

int pst_ofi_atomic(unsigned op, unsigned nbytes, gasnet_node_t node, void *word, uint64_t operand,
    uint64_t expected, uint64_t *value, struct pst_completion *completion)
{
  struct pst_ofi_op *o = is_reachable(node) ? pst_ofi_op_transfer(PST_OFI_OP_RMA, node) : NULL;
  ssize_t rc;
  if (!o) return PST_ERR_AGAIN;
  *(struct words *)o->room = (struct words){0, operand, expected};
  o->to = value;
  o->nbytes = sizeof *value;
  o->completion = completion;
  o->events = value ? PST_GETS : PST_PUTS;
  pst_completion_add(completion, o->events);
  rc = atomic_issue(o, op, nbytes, node, word);
  if (rc == 0) return 1;
  pst_completion_done(completion, o->events);
  if (rc != -FI_EAGAIN) pst_ofi_lost(node, (int)-rc);
  pst_ofi_op_free(o);
  return PST_ERR_AGAIN;
}

static int has_atomic(unsigned op, unsigned nbytes)
{
  const enum fi_op o = op_of(op);
  size_t count = 0;
  const int rc = o == FI_CSWAP ? fi_compare_atomicvalid(pst_ofi.ep, type_of(nbytes), o, &count)
                               : fi_fetch_atomicvalid(pst_ofi.ep, type_of(nbytes), o, &count);
  return rc == 0 && count > 0;
}

const char *pst_ofi_lacks_atomics(void)
{
  int all = pst_ofi.atomics;
  for (unsigned op = GASNETX_SET; op <= GASNETX_CSWAP && all; op++)
    all = has_atomic(op, 4) && has_atomic(op, 8);
  return all ? NULL : pst_why("%s does not have all of them", pst_net.library);
}
