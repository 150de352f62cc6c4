/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts and gets.
 *
 * UCP's put is complete when its source may be used again (PST_LOCAL); only a flush proves that it is visible
 * at the target, with any transport. So puts gather in a batch of their peer, and one flush, begun at
 * the next look at the network, completes all that were begun before it. Where a flush costs nothing (the
 * transport stores into the peer's memory itself) it follows each put at once.
 *
 * Where UCX maps the peer's segment into this process, a copy is all; where all transports would cut larger
 * transfers into messages, the conduit's own messages do better (bulk.c). */
#include <stdlib.h>
#include <string.h>

#include "conduits/ucx/call.h"
#include "support/copy.h"

enum {
  ENTRIES = 32, /* of a batch: puts that have a counter, or a copy, of their own */
  PUTS = 256,   /* of a batch */
  BATCHES = 128,
  FLUSHING_MOST = 2, /* of a peer: two keep the network busy */
  GETS_MOST = 1024,  /* under way */
  BULK_LEAST = 16 << 10
};

struct pst_ucx_batch {
  struct pst_ucx_batch *next; /* among those that are open, or free */
  gasnet_node_t peer;
  unsigned count, puts;
  struct {
    struct pst_completion *completion;
    uint32_t puts;
    void *copy;
  } entry[ENTRIES];
};

/* Under the lock. */
struct pst_ucx_batch *pst_ucx_open_batches;
static struct pst_ucx_batch *free_batches;
static unsigned gets; /* under way */

int pst_ucx_rma_open(void)
{
  struct pst_ucx_batch *b = calloc(BATCHES, sizeof *b);
  if (!b) return PST_ERR_NOMEM;
  for (unsigned i = 0; i < BATCHES; i++) {
    b[i].next = free_batches;
    free_batches = &b[i];
  }
  return PST_OK;
}

/* ---- flushes ---- */

/* The owners may go on as soon as they see the count. */
static void batch_complete(struct pst_ucx_batch *b)
{
  for (unsigned i = 0; i < b->count; i++) {
    free(b->entry[i].copy);
    pst_completion_subtract(b->entry[i].completion, PST_PUTS, b->entry[i].puts);
  }
  b->next = free_batches;
  free_batches = b;
  pst_net_add(&pst_ucx.in_flight, -1u);
}

static void batch_flushed(void *request, ucs_status_t status, void *context)
{
  struct pst_ucx_batch *b = context;
  UCX(request_free)(request);
  pst_ucx.peer[b->peer].flushing--;
  if (status == UCS_OK) batch_complete(b);
  else pst_ucx_lost(b->peer, status);
}

static void close_batch(struct pst_ucx_batch *b)
{
  struct pst_ucx_batch **at = &pst_ucx_open_batches;
  while (*at != b) at = &(*at)->next;
  *at = b->next;
  pst_ucx.peer[b->peer].open = NULL;
}

/* 1: complete already. */
static int batch_flush(struct pst_ucx_batch *b)
{
  struct pst_ucx_peer *p = &pst_ucx.peer[b->peer];
  const ucp_request_param_t param = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
      .cb.send = batch_flushed,
      .user_data = b,
  };
  const ucs_status_ptr_t r = UCX(ep_flush_nbx)(p->ep, &param);
  close_batch(b);
  p->flush_is_free = r == NULL;
  if (r == NULL) batch_complete(b);
  else if (!UCS_PTR_IS_ERR(r)) p->flushing++;
  else pst_ucx_lost(b->peer, UCS_PTR_STATUS(r));
  return r == NULL;
}

void pst_ucx_flush_batches(void)
{
  for (struct pst_ucx_batch *b = pst_ucx_open_batches, *next; b; b = next) {
    next = b->next;
    if (pst_ucx.peer[b->peer].flushing < FLUSHING_MOST) batch_flush(b);
  }
}

/* ---- puts ---- */

/* A batch with room for another put; NULL: there is none now. */
static struct pst_ucx_batch *batch_for(gasnet_node_t peer)
{
  struct pst_ucx_peer *p = &pst_ucx.peer[peer];
  struct pst_ucx_batch *b = p->open;
  if (b && b->count < ENTRIES && b->puts < PUTS) return b;
  if (b) batch_flush(b);
  b = free_batches;
  if (!b) return NULL;
  free_batches = b->next;
  b->peer = peer;
  b->count = b->puts = 0;
  b->next = pst_ucx_open_batches;
  pst_ucx_open_batches = p->open = b;
  pst_net_add(&pst_ucx.in_flight, 1);
  return b;
}

static void batch_note(struct pst_ucx_batch *b, void *copy, struct pst_completion *completion)
{
  pst_completion_add(completion, PST_PUTS);
  b->puts++;
  if (b->count && !copy && !b->entry[b->count - 1].copy && b->entry[b->count - 1].completion == completion) {
    b->entry[b->count - 1].puts++;
    return;
  }
  b->entry[b->count].completion = completion;
  b->entry[b->count].puts = 1;
  b->entry[b->count++].copy = copy;
}

static ucp_rkey_h key_of(gasnet_node_t node, const void *remote)
{
  return pst_ucx.peer[node].memory[pst_net_region(node, remote)].rkey;
}

static void put_sent(void *request, ucs_status_t status, void *context)
{
  UCX(request_free)(request);
  if (status == UCS_OK) pst_completion_done(context, PST_LOCAL);
  else pst_ucx_lost(PST_NET_SOME_PEER, status);
}

/* For a put from a copy, UCP may free its request at once: the flush tells when the put is complete. */
static int put_in_batch(gasnet_node_t node, void *dst, const void *src, size_t nbytes, void *copy,
    struct pst_completion *completion)
{
  const unsigned told = copy ? 0 : UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  const ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_MEMORY_TYPE | told,
      .cb.send = put_sent,
      .user_data = completion,
      .memory_type = UCS_MEMORY_TYPE_HOST};
  struct pst_ucx_peer *p = &pst_ucx.peer[node];
  struct pst_ucx_batch *b = batch_for(node);
  ucs_status_ptr_t r;
  if (!b) return PST_ERR_AGAIN;
  r = UCX(put_nbx)(p->ep, copy ? copy : src, nbytes, (uintptr_t)dst, key_of(node, dst), &param);
  if (UCS_PTR_IS_ERR(r)) {
    if (UCS_PTR_STATUS(r) != UCS_ERR_NO_RESOURCE) pst_ucx_lost(node, UCS_PTR_STATUS(r));
    return PST_ERR_AGAIN;
  }
  if (r && copy) UCX(request_free)(r);
  else if (r) pst_completion_add(completion, PST_LOCAL);
  batch_note(b, copy, completion);
  return r == NULL && p->flush_is_free && batch_flush(b) ? PST_OK : 1;
}

/* ---- gets ---- */

static void get_done(void *request, ucs_status_t status, void *context)
{
  UCX(request_free)(request);
  gets--;
  pst_net_add(&pst_ucx.in_flight, -1u);
  if (status == UCS_OK) pst_completion_done(context, PST_GETS);
  else pst_ucx_lost(PST_NET_SOME_PEER, status);
}

static int get_start(
    gasnet_node_t node, void *dst, const void *src, size_t nbytes, struct pst_completion *completion)
{
  struct pst_ucx_peer *p = &pst_ucx.peer[node];
  const ucp_request_param_t param = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
          UCP_OP_ATTR_FIELD_MEMORY_TYPE,
      .cb.send = get_done,
      .user_data = completion,
      .memory_type = UCS_MEMORY_TYPE_HOST,
  };
  ucs_status_ptr_t r;
  if (gets >= GETS_MOST) return PST_ERR_AGAIN;
  r = UCX(get_nbx)(p->ep, dst, nbytes, (uintptr_t)src, key_of(node, src), &param);
  if (!r) return PST_OK;
  if (UCS_PTR_IS_ERR(r)) {
    if (UCS_PTR_STATUS(r) != UCS_ERR_NO_RESOURCE) pst_ucx_lost(node, UCS_PTR_STATUS(r));
    return PST_ERR_AGAIN;
  }
  gets++;
  pst_net_add(&pst_ucx.in_flight, 1);
  pst_completion_add(completion, PST_GETS);
  return 1;
}

/* ---- the slots ---- */

/* NULL where the region is not mapped, or not known to be yet. A transfer that leaves the region is the
 * client's error, and ends the job here: UCX would blame the network, or write to what lies beside the
 * region. */
static char *mapped_here(gasnet_node_t node, const void *remote, size_t nbytes)
{
  const unsigned r = pst_net_region(node, remote);
  char *base;
  if (!pst_net_is_in(&pst_net.region[r][node], (uintptr_t)remote, nbytes))
    pst_net_outside(node, remote, nbytes);
  base = atomic_load_explicit(&pst_ucx.peer[node].memory[r].direct, memory_order_acquire);
  return base ? base + ((const char *)remote - (const char *)pst_net.region[r][node].addr) : NULL;
}

static int is_bulk(const struct pst_ucx_peer *p, size_t nbytes)
{
  if (pst_ucx_without.bulk) return 0;
  return (p->by_message && nbytes >= BULK_LEAST) || pst_ucx_without.rma;
}

/* 1 when UCP may be called for the peer, which is connected. */
static int rma_begin(gasnet_node_t node, const void *remote)
{
  if (!pst_net_call_enter()) return 0;
  if (pst_ucx_connect_rma(node, pst_net_region(node, remote)) == PST_OK) return 1;
  pst_net_call_leave();
  return 0;
}

static int start_put(gasnet_node_t node, void *dst, const void *src, size_t nbytes, void *copy,
    struct pst_completion *completion)
{
  int rc;
  if (!rma_begin(node, dst)) return PST_ERR_AGAIN;
  if (is_bulk(&pst_ucx.peer[node], nbytes))
    rc = pst_ucx_bulk_put(node, dst, copy ? copy : src, nbytes, copy, completion);
  else rc = put_in_batch(node, dst, src, nbytes, copy, completion);
  pst_net_call_leave();
  return rc;
}

static void *copy_of(const void *src, size_t nbytes)
{
  void *copy = malloc(nbytes);
  if (!copy) pst_fatal("out of memory for a put of %zu bytes", nbytes);
  return memcpy(copy, src, nbytes);
}

int pst_ucx_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  char *here = mapped_here(node, dst, nbytes);
  void *copy = NULL;
  int rc;
  if (here) {
    pst_copy_release(here, src, nbytes);
    return PST_OK;
  }
  if (!(op & PST_OP_BULK)) copy = copy_of(src, nbytes);
  rc = start_put(node, dst, src, nbytes, copy, completion);
  if (rc == PST_ERR_AGAIN) free(copy);
  return rc;
}

int pst_ucx_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion)
{
  const char *here = mapped_here(node, src, nbytes);
  int rc;
  (void)op;
  if (here) {
    pst_copy(dst, here, nbytes);
    return PST_OK;
  }
  if (!rma_begin(node, src)) return PST_ERR_AGAIN;
  if (is_bulk(&pst_ucx.peer[node], nbytes)) rc = pst_ucx_bulk_get(node, dst, src, nbytes, completion);
  else rc = get_start(node, dst, src, nbytes, completion);
  pst_net_call_leave();
  return rc;
}
