/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/lane.h"

#include <stdlib.h>

#include "core/neighbourhood.h"
#include "core/scratch.h"

struct pst_lanes pst_lanes;

enum { SLOTS_MOST = 32 };

gasnet_node_t pst_lanes_block(gasnet_node_t node)
{
  if (pst_job.am_only) return node;
  const gasnet_node_t supernode = pst_neighbour_supernode(node);
  return supernode + (node - supernode) / PST_BLOCK_MOST * PST_BLOCK_MOST;
}

static void block_find(void)
{
  pst_lanes.first = pst_lanes_block(pst_mynode);
  pst_lanes.in_block = 1;
  if (pst_job.am_only) return;
  const unsigned near = pst_neighbour_supernode(pst_mynode) + pst_neighbour_near() - pst_lanes.first;
  pst_lanes.in_block = near < PST_BLOCK_MOST ? near : PST_BLOCK_MOST;
}

/* Bytes of a lane, with the receiver's line, in whole lines. */
static size_t lane_size(void)
{
  return (size_t)PST_SCRATCH / (pst_lanes.in_block - 1) / PST_LANE_LINE * PST_LANE_LINE;
}

/* As many slots as have two lines each, but two slots at least. */
static void slots_divide(void)
{
  const size_t lines = lane_size() / PST_LANE_LINE - 1;
  size_t slots = SLOTS_MOST;
  while (slots > 2 && lines / slots < 2) slots /= 2;
  pst_lanes.mask = slots - 1;
  pst_lanes.size = lines / slots * PST_LANE_LINE;
  pst_lanes.room = pst_lanes.size - PST_SLOT_HEAD;
  for (pst_lanes.shift = 0; (size_t)4 << pst_lanes.shift <= slots; pst_lanes.shift++) {}
}
_Static_assert(PST_SCRATCH / (PST_BLOCK_MOST - 1) >= 3 * PST_LANE_LINE, "two slots of a line each");
_Static_assert(PST_SCRATCH < 1 << 16, "a slot's word has 16 bits for the size");

/* The lane in the scratch of `to` on which `from` sends to it. */
static char *lane_at(gasnet_node_t to, gasnet_node_t from)
{
  return (char *)pst_scratch(to) + (from - pst_lanes.first - (from > to)) * lane_size();
}

static void lane_open(struct pst_lane *l, gasnet_node_t node)
{
  char *out = lane_at(node, pst_mynode), *in = lane_at(pst_mynode, node);
  l->out_counts = (struct pst_lane_counts *)(void *)out;
  l->in_counts = (struct pst_lane_counts *)(void *)in;
  l->out = out + PST_LANE_LINE;
  l->in = in + PST_LANE_LINE;
}

void pst_lanes_open(void)
{
  block_find();
  pst_lanes.lane = pst_job_alloc(pst_lanes.in_block, sizeof *pst_lanes.lane);
  if (pst_lanes.in_block == 1) return;
  slots_divide();
  for (unsigned i = 0; i < pst_lanes.in_block; i++)
    if (pst_lanes.first + i != pst_mynode) lane_open(&pst_lanes.lane[i], pst_lanes.first + i);
}

void pst_lane_tell(struct pst_lane *l, gasnet_node_t node)
{
  l->told = l->received;
  atomic_store_explicit(&l->in_counts->consumed, l->received - l->kept, memory_order_relaxed);
  atomic_store_explicit(&l->in_counts->taken, l->received, memory_order_release);
  pst_job.host->ring(node);
}
