/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Put, get and memset over active messages: for conduits without their own, and under GASNET_AM_ONLY.
 *
 *   put     request long (data straight to its place), reply: done
 *   get     request short: address and length; reply long: the data straight to its place, where that is in
 *           the requester's segment; else reply medium, whose handler copies the data to its place
 *   memset  request short; reply: done
 *
 * Requests are at most as large as a message; each counts once on *completion until its reply has run. The
 * conduit checks where a long message's payload goes. The addresses in a short one are checked here, for it
 * may come from a network. */
#include <string.h>

#include "core/am_args.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/region.h"
#include "extended/pending.h"
#include "extended/rma.h"
#include "support/copy.h"
#include "support/integers.h"

static void handle_put_done(gasnet_token_t token, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  pst_pending_done(token, (struct pst_completion *)PST_JOIN(hi, lo), PST_PUTS);
}

static void reply_done(gasnet_token_t token, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  const gasnet_handlerarg_t args[] = {hi, lo};
  pst_am_reply_short(token, PST_HANDLER_PUT_DONE, PST_ARGS(args), args);
}

static void handle_put(
    gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  (void)buf;
  (void)nbytes;
  reply_done(token, hi, lo);
}

/* The payload of a long request may be reused on return, so this serves bulk and non-bulk alike. */
void pst_reference_put(
    gasnet_node_t node, void *dst, const void *src, size_t nbytes, struct pst_completion *completion)
{
  const gasnet_handlerarg_t args[] = {PST_SPLIT(completion)};
  for (size_t at = 0, n; at < nbytes; at += n) {
    n = pst_least(nbytes - at, pst_job.limits.max_long_request);
    pst_pending_begin(node, completion, completion, PST_PUTS);
    pst_am_request_long(
        node, PST_HANDLER_PUT, (const char *)src + at, n, (char *)dst + at, PST_ARGS(args), args);
  }
}

static void handle_get_done(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t phi,
    gasnet_handlerarg_t plo, gasnet_handlerarg_t dhi, gasnet_handlerarg_t dlo)
{
  struct pst_completion *const completion = (struct pst_completion *)PST_JOIN(phi, plo);
  if (!pst_pending_end(token, completion, PST_GETS)) return;
  memcpy((void *)PST_JOIN(dhi, dlo), buf, nbytes);
  pst_completion_done(completion, PST_GETS);
}

static void handle_get_placed(
    gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo)
{
  (void)buf;
  (void)nbytes;
  pst_pending_done(token, (struct pst_completion *)PST_JOIN(phi, plo), PST_GETS);
}

/* The memory that a request names. Ends the job unless it is memory of this node that others may reach. */
static void *own_memory(const char *call, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo, size_t nbytes)
{
  void *const at = (void *)PST_JOIN(hi, lo);
  if (pst_region_find(pst_mynode, at, nbytes) < 0)
    pst_fatal("malformed %s of %zu bytes at %p: they are not in this node's segment", call, nbytes, at);
  return at;
}

static void handle_get(gasnet_token_t token, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo,
    gasnet_handlerarg_t dhi, gasnet_handlerarg_t dlo, gasnet_handlerarg_t shi, gasnet_handlerarg_t slo,
    gasnet_handlerarg_t nhi, gasnet_handlerarg_t nlo, gasnet_handlerarg_t placed)
{
  const gasnet_handlerarg_t args[] = {phi, plo, dhi, dlo};
  const size_t nbytes = PST_JOIN(nhi, nlo);
  void *const src = own_memory("get", shi, slo, nbytes);
  if (placed)
    pst_am_reply_long(token, PST_HANDLER_GET_PLACED, src, nbytes, (void *)PST_JOIN(dhi, dlo), 2, args);
  else pst_am_reply_medium(token, PST_HANDLER_GET_DONE, src, nbytes, PST_ARGS(args), args);
}

void pst_reference_get(
    gasnet_node_t node, void *dst, const void *src, size_t nbytes, struct pst_completion *completion)
{
  /* A long reply needs a place in the segment. Where losses are reported it might come late from a lost node,
   * and overwrite what has another use by then. */
  const int placed = !pst_loss.on && pst_region_find(pst_mynode, dst, nbytes) == 0;
  const size_t most = placed ? pst_job.limits.max_long_reply : pst_job.limits.max_medium;
  for (size_t at = 0, n; at < nbytes; at += n) {
    n = pst_least(nbytes - at, most);
    const gasnet_handlerarg_t args[] = {PST_SPLIT(completion), PST_SPLIT((char *)dst + at),
        PST_SPLIT((const char *)src + at), PST_SPLIT(n), placed};
    pst_pending_begin(node, completion, completion, PST_GETS);
    pst_am_request_short(node, PST_HANDLER_GET, PST_ARGS(args), args);
  }
}

static void handle_memset(gasnet_token_t token, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo,
    gasnet_handlerarg_t dhi, gasnet_handlerarg_t dlo, gasnet_handlerarg_t nhi, gasnet_handlerarg_t nlo,
    gasnet_handlerarg_t byte)
{
  const size_t nbytes = PST_JOIN(nhi, nlo);
  pst_fill(own_memory("memset", dhi, dlo, nbytes), byte, nbytes);
  reply_done(token, phi, plo);
}

/* In pieces, since the target's other messages wait while a handler fills memory. */
void pst_reference_memset(
    gasnet_node_t node, void *dst, int byte, size_t nbytes, struct pst_completion *completion)
{
  enum { PIECE = 1 << 20 };
  for (size_t at = 0, n; at < nbytes; at += n) {
    n = pst_least(nbytes - at, PIECE);
    const gasnet_handlerarg_t args[] = {
        PST_SPLIT(completion), PST_SPLIT((char *)dst + at), PST_SPLIT(n), byte};
    pst_pending_begin(node, completion, completion, PST_PUTS);
    pst_am_request_short(node, PST_HANDLER_MEMSET, PST_ARGS(args), args);
  }
}

void pst_reference_open(void)
{
  pst_pending_open();
  pst_handler_set(PST_HANDLER_PUT, (pst_handler_fn)handle_put);
  pst_handler_set(PST_HANDLER_PUT_DONE, (pst_handler_fn)handle_put_done);
  pst_handler_set(PST_HANDLER_GET, (pst_handler_fn)handle_get);
  pst_handler_set(PST_HANDLER_GET_DONE, (pst_handler_fn)handle_get_done);
  pst_handler_set(PST_HANDLER_GET_PLACED, (pst_handler_fn)handle_get_placed);
  pst_handler_set(PST_HANDLER_MEMSET, (pst_handler_fn)handle_memset);
}
