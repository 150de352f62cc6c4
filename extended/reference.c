/* Put, get and memset over active messages: for conduits without their own, and under GASNET_AM_ONLY.
 *
 *   put     request long (data straight to its place), reply: done
 *   get     request short: address, length; reply medium: the data, copied to its place by the reply's handler,
 *           or reply long when the place lies in the requester's segment
 *   memset  request short, reply: done
 *
 * Requests are at most as large as a message; each counts once on *pending until its reply has run. */
#include <string.h>

#include "core/am_args.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/segment.h"
#include "extended/rma.h"
#include "support/copy.h"
#include "support/least.h"

static void done(gasnet_token_t token, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  (void)token;
  pst_pending_done((pst_pending_t *)PST_JOIN(hi, lo));
}

static void reply_done(gasnet_token_t token, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  const gasnet_handlerarg_t args[] = { hi, lo };
  pst_am_reply_short(token, PST_HANDLER_PUT_DONE, PST_ARGS(args), args);
}

static void handle_put(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t hi, gasnet_handlerarg_t lo)
{
  (void)buf;
  (void)nbytes;
  reply_done(token, hi, lo);
}

/* The payload of a long request may be reused on return, so this serves bulk and non-bulk alike. */
void pst_reference_put(gasnet_node_t node, void *dst, const void *src, size_t nbytes, pst_pending_t *pending)
{
  const gasnet_handlerarg_t args[] = { PST_SPLIT(pending) };
  for (size_t at = 0, n; at < nbytes; at += n) {
    n = pst_least(nbytes - at, pst_job.limits.max_long_request);
    pst_pending_add(pending);
    pst_am_request_long(node, PST_HANDLER_PUT, (const char *)src + at, n, (char *)dst + at, PST_ARGS(args), args);
  }
}

static void get_done(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo,
                     gasnet_handlerarg_t dhi, gasnet_handlerarg_t dlo)
{
  (void)token;
  memcpy((void *)PST_JOIN(dhi, dlo), buf, nbytes);
  pst_pending_done((pst_pending_t *)PST_JOIN(phi, plo));
}

static void get_placed(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo)
{
  (void)token;
  (void)buf;
  (void)nbytes;
  pst_pending_done((pst_pending_t *)PST_JOIN(phi, plo));
}

static void handle_get(gasnet_token_t token, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo, gasnet_handlerarg_t dhi,
                       gasnet_handlerarg_t dlo, gasnet_handlerarg_t shi, gasnet_handlerarg_t slo,
                       gasnet_handlerarg_t nhi, gasnet_handlerarg_t nlo, gasnet_handlerarg_t placed)
{
  const gasnet_handlerarg_t args[] = { phi, plo, dhi, dlo };
  void *const src = (void *)PST_JOIN(shi, slo);
  const size_t nbytes = PST_JOIN(nhi, nlo);
  if (placed)
    pst_am_reply_long(token, PST_HANDLER_GET_PLACED, src, nbytes, (void *)PST_JOIN(dhi, dlo), 2, args);
  else
    pst_am_reply_medium(token, PST_HANDLER_GET_DONE, src, nbytes, PST_ARGS(args), args);
}

static int in_own_segment(const void *p, size_t nbytes)
{
  const gasnet_seginfo_t *s = &pst_segments.info[pst_mynode];
  const uintptr_t begin = (uintptr_t)s->addr, a = (uintptr_t)p;
  return a >= begin && a - begin <= s->size && nbytes <= s->size - (a - begin);
}

void pst_reference_get(gasnet_node_t node, void *dst, const void *src, size_t nbytes, pst_pending_t *pending)
{
  const int placed = in_own_segment(dst, nbytes);
  const size_t most = placed ? pst_job.limits.max_long_reply : pst_job.limits.max_medium;
  for (size_t at = 0, n; at < nbytes; at += n) {
    n = pst_least(nbytes - at, most);
    const gasnet_handlerarg_t args[] = { PST_SPLIT(pending), PST_SPLIT((char *)dst + at), PST_SPLIT((const char *)src + at),
                                         PST_SPLIT(n), placed };
    pst_pending_add(pending);
    pst_am_request_short(node, PST_HANDLER_GET, PST_ARGS(args), args);
  }
}

static void handle_memset(gasnet_token_t token, gasnet_handlerarg_t phi, gasnet_handlerarg_t plo,
                          gasnet_handlerarg_t dhi, gasnet_handlerarg_t dlo, gasnet_handlerarg_t nhi,
                          gasnet_handlerarg_t nlo, gasnet_handlerarg_t byte)
{
  pst_fill((void *)PST_JOIN(dhi, dlo), byte, PST_JOIN(nhi, nlo));
  reply_done(token, phi, plo);
}

void pst_reference_memset(gasnet_node_t node, void *dst, int byte, size_t nbytes, pst_pending_t *pending)
{
  const gasnet_handlerarg_t args[] = { PST_SPLIT(pending), PST_SPLIT(dst), PST_SPLIT(nbytes), byte };
  pst_pending_add(pending);
  pst_am_request_short(node, PST_HANDLER_MEMSET, PST_ARGS(args), args);
}

void pst_reference_open(void)
{
  pst_handler_set(PST_HANDLER_PUT, (pst_handler_fn)handle_put);
  pst_handler_set(PST_HANDLER_PUT_DONE, (pst_handler_fn)done);
  pst_handler_set(PST_HANDLER_GET, (pst_handler_fn)handle_get);
  pst_handler_set(PST_HANDLER_GET_DONE, (pst_handler_fn)get_done);
  pst_handler_set(PST_HANDLER_GET_PLACED, (pst_handler_fn)get_placed);
  pst_handler_set(PST_HANDLER_MEMSET, (pst_handler_fn)handle_memset);
}
