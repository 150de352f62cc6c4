/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Atomic operations, where the public inlines do not do them themselves.
 *
 * Over active messages the target's processor carries them out, with the instructions that its neighbours use
 * on the same words, so that both may be used at once. Each is one request and one reply, which brings the
 * value before, or only says that it is done. */
#include "extended/atomic.h"

#include <stdlib.h>

#include "core/am_args.h"
#include "core/amcheck.h"
#include "core/atomic.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/region.h"
#include "core/segment.h"
#include "core/trace.h"
#include "core/wait.h"
#include "extended/pending.h"

const ptrdiff_t *pst_atomic_map;

/* One operation on its way. */
struct request {
  gasnetx_atomic_op_t op;
  unsigned nbytes;
  gasnet_node_t node;
  void *addr;
  uint64_t operand, expected;
};

/* What the caller waits for: `value` is valid when nothing is outstanding. */
struct answer {
  struct pst_completion completion;
  uint64_t value;
};

/* ---- over active messages ---- */

static gasnet_handlerarg_t request_kind(const struct request *r)
{
  return (gasnet_handlerarg_t)((unsigned)r->op | r->nbytes << 8);
}

/* The arguments may come from a network, so they are checked. */
static uint64_t atomic_carry_out(gasnet_handlerarg_t kind, void *word, uint64_t operand, uint64_t expected)
{
  const unsigned op = kind & 255, nbytes = (unsigned)kind >> 8;
  if (op > GASNETX_CSWAP || (nbytes != 2 && nbytes != 4 && nbytes != 8) || (uintptr_t)word % nbytes ||
      pst_region_find(pst_mynode, word, nbytes) < 0)
    pst_fatal("malformed atomic operation %u of %u bytes at %p", op, nbytes, word);
  return pst_atomic_cpu((gasnetx_atomic_op_t)(kind & 255), (unsigned)kind >> 8, word, operand, expected);
}

static void handle_atomic(gasnet_token_t token, gasnet_handlerarg_t ahi, gasnet_handlerarg_t alo,
    gasnet_handlerarg_t whi, gasnet_handlerarg_t wlo, gasnet_handlerarg_t kind, gasnet_handlerarg_t ohi,
    gasnet_handlerarg_t olo, gasnet_handlerarg_t ehi, gasnet_handlerarg_t elo)
{
  const uint64_t before = atomic_carry_out(
      kind, (void *)PST_JOIN(whi, wlo), PST_JOIN(ohi, olo), PST_JOIN(ehi, elo));
  const gasnet_handlerarg_t args[] = {ahi, alo, PST_SPLIT(before)};
  pst_am_reply_short(token, PST_HANDLER_ATOMIC_DONE, PST_ARGS(args), args);
}

/* Writes the value before the count: the owner goes on as soon as it sees the count. */
static void handle_atomic_done(gasnet_token_t token, gasnet_handlerarg_t ahi, gasnet_handlerarg_t alo,
    gasnet_handlerarg_t vhi, gasnet_handlerarg_t vlo)
{
  struct answer *a = (void *)PST_JOIN(ahi, alo);
  if (!pst_pending_end(token, &a->completion, PST_GETS)) return;
  a->value = PST_JOIN(vhi, vlo);
  pst_completion_done(&a->completion, PST_GETS);
}

static void handle_atomic_nbi(gasnet_token_t token, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo,
    gasnet_handlerarg_t whi, gasnet_handlerarg_t wlo, gasnet_handlerarg_t kind, gasnet_handlerarg_t ohi,
    gasnet_handlerarg_t olo)
{
  const gasnet_handlerarg_t args[] = {phi, plo};
  atomic_carry_out(kind, (void *)PST_JOIN(whi, wlo), PST_JOIN(ohi, olo), 0);
  pst_am_reply_short(token, PST_HANDLER_PUT_DONE, PST_ARGS(args), args);
}

static void request_send(const struct request *r, struct answer *a)
{
  const gasnet_handlerarg_t args[] = {
      PST_SPLIT(a), PST_SPLIT(r->addr), request_kind(r), PST_SPLIT(r->operand), PST_SPLIT(r->expected)};
  pst_pending_begin(r->node, &a->completion, &a->completion, PST_GETS);
  pst_am_request_short(r->node, PST_HANDLER_ATOMIC, PST_ARGS(args), args);
}

static void request_send_nbi(const struct request *r, struct pst_completion *completion)
{
  const gasnet_handlerarg_t args[] = {
      PST_SPLIT(completion), PST_SPLIT(r->addr), request_kind(r), PST_SPLIT(r->operand)};
  pst_pending_begin(r->node, completion, completion, PST_PUTS);
  pst_am_request_short(r->node, PST_HANDLER_ATOMIC_NBI, PST_ARGS(args), args);
}

/* ---- the conduits' own ---- */

enum { NETWORK_LEAST = 4 }; /* bytes of a word that a network can operate on */
static int by_network;      /* all nodes leave such words to it */

/* The conduit that has the operation; NULL: none has. */
static const struct pst_conduit *request_conduit(const struct request *r)
{
  const struct pst_conduit *c = pst_conduit_to(r->node);
  if (by_network && r->nbytes >= NETWORK_LEAST) return pst_job.network;
  return c == pst_job.conduit && c->atomic && !pst_job.am_only ? c : NULL;
}

static void request_start_native(
    const struct pst_conduit *c, const struct request *r, uint64_t *value, struct pst_completion *completion)
{
  struct pst_wait w = {0, 0};
  while (c->atomic(r->op, r->nbytes, r->node, r->addr, r->operand, r->expected, value, completion) ==
          PST_ERR_AGAIN &&
      !pst_completion_loses(completion, r->node))
    pst_wait_step(&w);
}

/* ---- the calls ---- */

static const char *call_name(unsigned nbytes, int nbi)
{
  static const char *const names[][2] = {{"gasnetx_atomic16", "gasnetx_atomic16_nbi"},
      {"gasnetx_atomic32", "gasnetx_atomic32_nbi"}, {"gasnetx_atomic64", "gasnetx_atomic64_nbi"}};
  return names[nbytes >> 2][nbi];
}

/* Debug builds: everything that can be wrong with the arguments or the moment. */
static void request_check(const char *call, const struct request *r, int nbi)
{
  const int answers = r->op == GASNETX_GET || r->op == GASNETX_SWAP || r->op == GASNETX_CSWAP;
  if (!PST_DEBUG) return;
  pst_job_check(call, r->node);
  pst_amcheck_client(call);
  if ((unsigned)r->op > GASNETX_CSWAP) pst_fatal("%s: there is no operation %u", call, (unsigned)r->op);
  if (nbi && answers)
    pst_fatal("%s: operation %u gives an answer, which this call has no place for", call, (unsigned)r->op);
  if ((uintptr_t)r->addr % r->nbytes)
    pst_fatal("%s: addr %p is not aligned to %u bytes", call, r->addr, r->nbytes);
  pst_segment_check(call, "addr", r->node, r->addr, r->nbytes);
}

uint64_t pst_atomic(gasnetx_atomic_op_t op, unsigned nbytes, gasnet_node_t node, void *addr, uint64_t operand,
    uint64_t expected)
{
  const struct request r = {op, nbytes, node, addr, operand, expected};
  const char *call = call_name(nbytes, 0);
  const struct pst_conduit *native;
  struct answer a = {0};
  request_check(call, &r, 0);
  PST_TRACE('G', call, (int)node, nbytes);
  native = request_conduit(&r);
  if (native) request_start_native(native, &r, &a.value, &a.completion);
  else request_send(&r, &a);
  pst_completion_wait(&a.completion, PST_GETS);
  return a.value;
}

void pst_atomic_nbi(gasnetx_atomic_op_t op, unsigned nbytes, gasnet_node_t node, void *addr, uint64_t operand)
{
  const struct request r = {op, nbytes, node, addr, operand, 0};
  const char *call = call_name(nbytes, 1);
  const struct pst_conduit *native;
  struct pst_completion *completion = &pst_op_implicit(pst_thread_get())->completion;
  request_check(call, &r, 1);
  PST_TRACE('P', call, (int)node, nbytes);
  native = request_conduit(&r);
  if (native) request_start_native(native, &r, NULL, completion);
  else request_send_nbi(&r, completion);
}

static const ptrdiff_t *map_of_no_peers(void)
{
  ptrdiff_t *map = malloc(pst_nodes * sizeof *map);
  if (!map) pst_fatal("out of memory for %u nodes", pst_nodes);
  for (gasnet_node_t i = 0; i < pst_nodes; i++) map[i] = PST_UNMAPPED;
  return map;
}

void pst_atomic_open(void)
{
  pst_handler_set(PST_HANDLER_ATOMIC, (pst_handler_fn)handle_atomic);
  pst_handler_set(PST_HANDLER_ATOMIC_DONE, (pst_handler_fn)handle_atomic_done);
  pst_handler_set(PST_HANDLER_ATOMIC_NBI, (pst_handler_fn)handle_atomic_nbi);
  by_network = pst_atomic_choose_network();
  pst_atomic_map = by_network ? map_of_no_peers() : pst_map;
}
