/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/batch.h"

#include <stdlib.h>

#include "core/job.h"

static void *lists_allocate(const char *call, void *old, size_t nbytes)
{
  void *p = realloc(old, nbytes);
  if (!p) pst_fatal("%s: out of memory for %zu bytes of lists", call, nbytes);
  return p;
}

void pst_batch_add(struct pst_batch *b, gasnet_node_t node, char *remote, char *local, size_t nbytes)
{
  enum { FIRST = 64 };
  if (b->n == b->room) {
    b->room = b->room ? 4 * b->room : FIRST;
    b->range = lists_allocate(b->call, b->range, b->room * sizeof *b->range);
  }
  b->range[b->n++] = (struct pst_range){remote, local, nbytes, node, PST_BATCH_MOST};
}

/* ---- one list a node ---- */

struct chain {
  uint32_t first, last;
};

/* Makes the chains of nodes low..low+width-1; the ranges keep their order. */
static void chains_link(struct pst_batch *b, struct chain *chain, gasnet_node_t low, size_t width)
{
  for (size_t i = 0; i < width; i++) chain[i].first = PST_BATCH_MOST;
  for (unsigned i = 0; i < b->n; i++) {
    struct chain *c = &chain[b->range[i].node - low];
    if (c->first == PST_BATCH_MOST) c->first = i;
    else b->range[c->last].next = i;
    c->last = i;
  }
}

/* A side under construction. Ranges that continue each other in memory become one region. */
struct list {
  size_t n;
  gasnet_memvec_t *region;
};

static void list_append(struct list *l, char *addr, size_t nbytes)
{
  gasnet_memvec_t *last = l->n ? &l->region[l->n - 1] : NULL;
  if (last && (char *)last->addr + last->len == addr) last->len += nbytes;
  else l->region[l->n++] = (gasnet_memvec_t){addr, nbytes};
}

static void batch_start_node(
    struct pst_batch *b, gasnet_node_t node, const struct chain *c, gasnet_memvec_t *lists, struct pst_op **o)
{
  const struct pst_transfer t = {.op = b->op, .node = node, .call = b->call};
  struct list remote = {0, lists}, local = {0, lists + b->n};
  struct pst_side far, near;
  if (c->first == PST_BATCH_MOST) return;
  for (uint32_t i = c->first; i != PST_BATCH_MOST; i = b->range[i].next) {
    list_append(&remote, b->range[i].remote, b->range[i].nbytes);
    list_append(&local, b->range[i].local, b->range[i].nbytes);
  }
  pst_side_vector(&far, remote.n, remote.region);
  pst_side_vector(&near, local.n, local.region);
  pst_transfer_part(&t, &far, &near, o);
}

/* Begins with this node's number and goes upwards: where all nodes call this at once, they do not all begin
 * with the same target. */
void pst_batch_start(struct pst_batch *b, struct pst_op **o)
{
  gasnet_node_t low = UINT32_MAX, high = 0;
  gasnet_memvec_t *lists;
  struct chain *chain;
  size_t width;
  if (b->n == 0) return;
  for (unsigned i = 0; i < b->n; i++) {
    if (b->range[i].node < low) low = b->range[i].node;
    if (b->range[i].node > high) high = b->range[i].node;
  }
  width = (size_t)high - low + 1;
  chain = lists_allocate(b->call, NULL, width * sizeof *chain + 2 * b->n * sizeof *lists);
  lists = (gasnet_memvec_t *)(chain + width);
  chains_link(b, chain, low, width);
  for (size_t i = 0; i < width; i++) {
    const size_t k = (i + (pst_mynode > low ? pst_mynode - low : 0)) % width;
    batch_start_node(b, low + (gasnet_node_t)k, &chain[k], lists, o);
  }
  free(chain);
  b->n = 0;
}

void pst_batch_free(struct pst_batch *b) { free(b->range); }
