/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/claim.h"

static uint64_t name_of(gasnet_node_t node) { return (uint64_t)node + 1; }

static uint64_t word_swap(gasnet_node_t home, uint64_t *word, uint64_t from, uint64_t to)
{
  return gasnetx_atomic64(GASNETX_CSWAP, home, word, to, from);
}

/* An operation on a lost home has ended without an answer: `found` means nothing then. */
int pst_front_claim_try(gasnet_node_t home, uint64_t *word)
{
  const uint64_t me = name_of(gasnet_mynode()), found = word_swap(home, word, 0, me);
  if (gasnetx_node_is_lost(home)) return PST_FRONT_CLAIM_HOMELESS;
  if (found == 0) return PST_FRONT_CLAIM_DONE;
  if (found == me || found > gasnet_nodes()) return PST_FRONT_CLAIM_WRONG;
  if (!gasnetx_node_is_lost((gasnet_node_t)(found - 1))) return PST_FRONT_CLAIM_BUSY;
  const uint64_t again = word_swap(home, word, found, me);
  if (gasnetx_node_is_lost(home)) return PST_FRONT_CLAIM_HOMELESS;
  return again == found ? PST_FRONT_CLAIM_INHERITED : PST_FRONT_CLAIM_BUSY;
}

int pst_front_claim_take(gasnet_node_t home, uint64_t *word)
{
  struct pst_wait wait = {0, 0};
  int rc;
  while ((rc = pst_front_claim_try(home, word)) == PST_FRONT_CLAIM_BUSY) pst_wait_step(&wait);
  return rc;
}

int pst_front_claim_release(gasnet_node_t home, uint64_t *word)
{
  const uint64_t me = name_of(gasnet_mynode()), found = word_swap(home, word, me, 0);
  if (gasnetx_node_is_lost(home)) return PST_FRONT_CLAIM_HOMELESS;
  return found == me ? PST_FRONT_CLAIM_DONE : PST_FRONT_CLAIM_WRONG;
}
