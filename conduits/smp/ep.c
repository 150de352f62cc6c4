/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdlib.h>
#include <string.h>

#include "conduits/smp/smp.h"

PST_HOT_DATA struct pst_smp pst_smp;

/* Long messages are a copy by the sender: no limit but the address space. */
static void get_limits(struct pst_conduit_limits *l)
{
  l->max_medium = l->max_filled = PST_SMP_MAX_MEDIUM;
  l->max_long_request = l->max_long_reply = SIZE_MAX / 4;
  l->vis = (struct pst_viscost){
      .transfer = 10, .message = 200, .piece = 4, .transfer_kb = 35, .packed_kb = 100, .chunk = 16384};
}

/* Bytes of shared memory before the rings. */
static size_t nodes_size(unsigned local)
{
  const size_t n = sizeof(struct pst_smp_shared) + (size_t)local * sizeof(struct pst_smp_node);
  return (n + PST_PAGESIZE - 1) & ~(size_t)(PST_PAGESIZE - 1);
}

static size_t shared_size(unsigned local)
{
  return nodes_size(local) +
      (size_t)local * PST_SMP_QUEUES * (sizeof(struct pst_smp_ring) + sizeof(struct pst_smp_data));
}

static int open_conduit(const struct pst_conduit_job *job)
{
  /* Watching n-1 lines costs less than a contended counter up to here, and only if all run at once. */
  enum { FLAT_MAX = 4 };
  struct pst_smp *s = &pst_smp;
  struct pst_smp_ring *rings;
  struct pst_smp_data *data;
  s->shared = job->host.shared;
  s->first = job->first;
  s->node = job->node - job->first;
  s->nodes = job->local;
  s->par = job->par != 0;
  s->flat = s->nodes <= FLAT_MAX && s->nodes <= job->cores;
  s->self = &s->shared->node[s->node];
  rings = (struct pst_smp_ring *)((char *)job->host.shared + nodes_size(job->local));
  data = (struct pst_smp_data *)(rings + PST_SMP_QUEUES * s->nodes);
  s->seen_head = calloc(s->nodes, sizeof *s->seen_head);
  if (!s->seen_head) return PST_ERR_NOMEM;
  for (unsigned i = 0; i < s->nodes; i++)
    for (unsigned j = 0; j < PST_SMP_QUEUES; j++) s->seen_head[i][j] = PST_SMP_UNSEEN;
  for (unsigned i = 0; i < PST_SMP_QUEUES; i++) {
    s->rings[i] = rings + i * s->nodes;
    s->data[i] = data + i * s->nodes;
    s->inbox[i].queue = &s->self->queue[i];
    s->inbox[i].ring = pst_smp_ring_of(s->node, i);
  }
  return pst_smp_sleep_open(job->host.networked);
}

static int attach_conduit(const struct pst_conduit_segments *segments)
{
  pst_smp.delta = segments->delta;
  return PST_OK;
}

/* The memory goes with the process. */
static void close_conduit(void) {}

static const struct pst_conduit owning;

static const struct pst_host_slots host_slots = {
    .reporting = &owning,
    .lost = pst_smp_lost,
    .shared_size = shared_size,
    .linger = pst_smp_linger,
    .block = pst_smp_block,
    .ring = pst_smp_ring_node,
    .sleeps = pst_smp_somebody_sleeps,
    .barrier_notify = pst_smp_barrier_notify,
    .barrier_try = pst_smp_barrier_try,
    .barrier_wait = pst_smp_barrier_wait,
};

#define COMMON_SLOTS \
  .name = "smp", .host = &host_slots, .limits = get_limits, .open = open_conduit, .attach = attach_conduit, \
  .put = pst_smp_put, .get = pst_smp_get, .memset = pst_smp_memset, .atomic = pst_smp_atomic, \
  .poll = pst_smp_poll, .poll_replies = pst_smp_poll_replies, .serve_every = 16, .served = pst_smp_served, \
  .close = close_conduit, .inspect = pst_smp_inspect

const struct pst_conduit pst_conduit_smp = {COMMON_SLOTS, .am = pst_smp_am, .am_short = pst_smp_am_short};

/* Where nodes may be lost: lost.c. */
static const struct pst_conduit owning = {COMMON_SLOTS, .am = pst_smp_am_owning};
