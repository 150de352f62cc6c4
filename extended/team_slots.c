/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "extended/team_slots.h"

#include <stdlib.h>

#include "core/neighbourhood.h"
#include "core/scratch.h"

struct pst_slots pst_slots;
gasnet_node_t pst_team_block;
unsigned pst_team_in_block;

enum { BLOCK_MOST = 64, SLOTS_MOST = 8 };

gasnet_node_t pst_slots_block(gasnet_node_t node)
{
  const gasnet_node_t supernode = pst_neighbour_supernode(node);
  return pst_job.am_only ? node : supernode + (node - supernode) / BLOCK_MOST * BLOCK_MOST;
}

static void block_find(void)
{
  const gasnet_node_t supernode = pst_neighbour_supernode(pst_mynode);
  const unsigned near = pst_job.am_only ? 1 : supernode + pst_neighbour_near() - pst_slots_block(pst_mynode);
  pst_team_block = pst_slots_block(pst_mynode);
  pst_team_in_block = near < BLOCK_MOST ? near : BLOCK_MOST;
}

/* Bytes of a lane, with the receiver's word, in whole lines. */
static size_t lane_size(void)
{
  return (size_t)PST_SCRATCH / (pst_team_in_block - 1) / PST_SLOT_LINE * PST_SLOT_LINE;
}

/* As many slots as have two lines each, but two slots at least. */
static void slots_divide(void)
{
  const size_t lines = lane_size() / PST_SLOT_LINE - 1;
  size_t slots = SLOTS_MOST;
  while (slots > 2 && lines / slots < 2) slots /= 2;
  pst_slots.mask = slots - 1;
  pst_slots.size = lines / slots * PST_SLOT_LINE;
  pst_slots.room = pst_slots.size - PST_SLOT_HEAD;
  for (pst_slots.shift = 0; (size_t)4 << pst_slots.shift <= slots; pst_slots.shift++) {}
}
_Static_assert(PST_SCRATCH / (BLOCK_MOST - 1) >= 3 * PST_SLOT_LINE, "two slots of a line each");

/* The lane in the scratch of `to` on which `from` sends to it. */
static char *lane_at(gasnet_node_t to, gasnet_node_t from)
{
  return (char *)pst_scratch(to) + (from - pst_team_block - (from > to)) * lane_size();
}

static void lane_open(struct pst_lane *l, gasnet_node_t node)
{
  char *out = lane_at(node, pst_mynode), *in = lane_at(pst_mynode, node);
  l->out_taken = (_Atomic uint64_t *)(void *)out;
  l->in_taken = (_Atomic uint64_t *)(void *)in;
  l->out = out + PST_SLOT_LINE;
  l->in = in + PST_SLOT_LINE;
}

void pst_slots_open(void)
{
  block_find();
  pst_slots.lane = calloc(pst_team_in_block, sizeof *pst_slots.lane);
  if (!pst_slots.lane) pst_fatal("out of memory for %u neighbours", pst_team_in_block);
  if (pst_team_in_block == 1) return;
  slots_divide();
  for (unsigned i = 0; i < pst_team_in_block; i++)
    if (pst_team_block + i != pst_mynode) lane_open(&pst_slots.lane[i], pst_team_block + i);
}

void pst_lane_tell(struct pst_lane *l, gasnet_node_t node)
{
  l->told = l->received;
  atomic_store_explicit(l->in_taken, l->received, memory_order_release);
  pst_job.host->ring(node);
}
