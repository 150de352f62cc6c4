/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/am_fill.h"

#include "core/amcheck.h"
#include "core/job.h"
#include "core/token.h"
#include "core/trace.h"
#include "core/wait.h"

/* As in core/am.c, but that requests do not serve. */
void pst_am_request_filled(gasnet_node_t dest, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_message m = {.dest = dest,
      .kind = PST_AM_MEDIUM,
      .handler = h,
      .nargs = nargs,
      .args = args,
      .fill = fill,
      .context = context,
      .nbytes = nbytes};
  const struct pst_conduit *c = pst_conduit_to(dest);
  struct pst_wait w = {0, 0};
  pst_amcheck_request("gasnet_AMRequestMedium", &m);
  PST_TRACE('A', "AM_REQUEST_MEDIUM", (int)dest, nbytes);
  while (c->am(&m) == PST_ERR_AGAIN) pst_wait_room(&w);
}

int pst_am_request_try(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, unsigned nargs,
    const gasnet_handlerarg_t *args)
{
  struct pst_message m = {.dest = dest,
      .kind = PST_AM_MEDIUM,
      .handler = h,
      .nargs = nargs,
      .args = args,
      .payload = src,
      .nbytes = nbytes};
  const int rc = pst_conduit_to(dest)->am(&m);
  if (rc == PST_OK) PST_TRACE('A', "AM_REQUEST_MEDIUM", (int)dest, nbytes);
  return rc;
}

void pst_am_reply_filled(gasnet_token_t token, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args)
{
  struct pst_token *t = token;
  struct pst_message m = {.dest = t->src,
      .kind = PST_AM_MEDIUM,
      .reply = 1,
      .handler = h,
      .nargs = nargs,
      .args = args,
      .fill = fill,
      .context = context,
      .nbytes = nbytes};
  const struct pst_conduit *c = pst_conduit_to(m.dest);
  struct pst_wait w = {0, 0};
  pst_amcheck_reply("gasnet_AMReplyMedium", t, &m);
  PST_TRACE('A', "AM_REPLY_MEDIUM", (int)m.dest, nbytes);
  while (c->am(&m) == PST_ERR_AGAIN) pst_wait_replies(&w);
}
