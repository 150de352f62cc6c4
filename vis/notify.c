/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/notify.h"

#include <stdatomic.h>

#include "core/amcheck.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/region.h"
#include "core/token.h"

/* Release: a thread that acquires the word sees the data that arrived before. */
static void word_change(_Atomic uint64_t *word, const gasnetx_notify_t *n)
{
  if (n->kind == GASNETX_NOTIFY_ADD) atomic_fetch_add_explicit(word, n->value, memory_order_release);
  else atomic_store_explicit(word, n->value, memory_order_release);
}

/* The handler is that of a short request, and may not reply: the put may have been answered already. */
static void run_handler(const gasnetx_notify_t *n, gasnet_node_t src)
{
  typedef void (*notified_fn)(gasnet_token_t, gasnet_handlerarg_t, gasnet_handlerarg_t);
  struct pst_token token = {.src = src, .replied = 1, .kind = PST_AM_SHORT, .handler = n->handler};
  const notified_fn fn = (notified_fn)pst_handler[n->handler];
  if (!fn)
    pst_fatal("a put's notification from node %u names handler %u, which was not registered in gasnet_attach",
        src, n->handler);
  pst_amcheck_enter(&token);
  fn(&token, n->arg[0], n->arg[1]);
  pst_amcheck_leave(&token);
}

void pst_notify_run(const gasnetx_notify_t *n, gasnet_node_t src)
{
  if (n->kind == GASNETX_NOTIFY_HANDLER) run_handler(n, src);
  else word_change((_Atomic uint64_t *)n->word, n);
}

static int word_in_segment(gasnet_node_t node, const uint64_t *word)
{
  return (uintptr_t)word % sizeof *word == 0 && pst_region_find(node, word, sizeof *word) >= 0;
}

int pst_notify_valid(const gasnetx_notify_t *n, gasnet_node_t node)
{
  if (n->kind == GASNETX_NOTIFY_HANDLER) {
    /* Only the node itself knows which handlers it has. */
    return n->handler >= PST_HANDLER_CLIENT && (node != pst_mynode || pst_handler[n->handler] != NULL);
  }
  return (n->kind == GASNETX_NOTIFY_ADD || n->kind == GASNETX_NOTIFY_SET) && word_in_segment(node, n->word);
}

static void handle_notify(
    gasnet_token_t token, gasnet_handlerarg_t handler, gasnet_handlerarg_t a, gasnet_handlerarg_t b)
{
  const gasnetx_notify_t n = {
      .kind = GASNETX_NOTIFY_HANDLER, .handler = (gasnet_handler_t)handler, .arg = {a, b}};
  run_handler(&n, ((struct pst_token *)token)->src);
}

void pst_notify_mapped(gasnet_node_t node, ptrdiff_t delta, const gasnetx_notify_t *n)
{
  if (n->kind == GASNETX_NOTIFY_HANDLER) {
    const gasnet_handlerarg_t args[] = {n->handler, n->arg[0], n->arg[1]};
    pst_am_request_short(node, PST_HANDLER_NOTIFY, 3, args);
    return;
  }
  word_change((_Atomic uint64_t *)((uintptr_t)n->word + (uintptr_t)delta), n);
  pst_job.host->ring(node);
}

void pst_notify_open(void) { pst_handler_set(PST_HANDLER_NOTIFY, (pst_handler_fn)handle_notify); }
