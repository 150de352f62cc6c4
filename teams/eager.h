/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Transfers between groups that do not fit into a message, and are not much longer. They travel as some
 * messages at once: the receiver keeps and copies them, but nobody waits for an address and an answer. Both
 * ends decide by the length alone. A sender stops when the receiver keeps PST_CHANNEL_WINDOW messages, as
 * with all others. */
#ifndef TEAMS_EAGER_H
#define TEAMS_EAGER_H
#include "support/least.h"
#include "teams/call.h"
#include "teams/channel.h"
#include "teams/cost.h"

/* The bytes of a step of such a transfer, whole elements of `unit` bytes; n where it has one step. */
static inline size_t pst_eager_step(const struct pst_call *c, unsigned rank, size_t n, size_t unit)
{
  const size_t room = pst_inbox_room() / unit * unit;
  if (pst_lanes_reach(pst_team_node(c->team, rank)) || !room) return n;
  return pst_collcost_is_eager(&pst_collcost, room, n) ? room : n;
}

static inline void pst_eager_send(struct pst_call *c, unsigned rank, const char *from, size_t n, size_t unit)
{
  const size_t step = pst_eager_step(c, rank, n, unit);
  for (size_t at = 0; at < n; at += step) pst_call_send(c, rank, from + at, pst_least(n - at, step));
}

static inline void pst_eager_receive(struct pst_call *c, unsigned rank, char *to, size_t n, size_t unit)
{
  const size_t step = pst_eager_step(c, rank, n, unit);
  for (size_t at = 0; at < n; at += step) pst_call_receive(c, rank, to + at, pst_least(n - at, step));
}

/* Elements of the call's reduction. below: what comes is the left operand. */
static inline void pst_eager_combine(
    struct pst_call *c, unsigned rank, char *inout, size_t n, char *buffer, int below)
{
  const size_t step = pst_eager_step(c, rank, n, c->reduction.size);
  for (size_t at = 0; at < n; at += step)
    pst_call_combine(c, rank, inout + at, pst_least(n - at, step), buffer + at)->below = !!below;
}

#endif
