/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/losses.h"

void pst_losses_add(struct pst_jobstate *state, uint32_t node)
{
  const uint32_t n = atomic_load_explicit(&state->losses, memory_order_relaxed);
  for (uint32_t i = 0; i < n; i++)
    if (pst_losses_node(state, i) == node) return;
  pst_control_losses(state)[n] = node;
  atomic_store_explicit(&state->losses, n + 1, memory_order_release);
}
