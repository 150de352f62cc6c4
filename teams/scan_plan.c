/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Scans. In the round of distance d a rank has combined the elements of the d ranks that end with its own. It
 * sends them to the rank d places further on, and combines what comes from the rank d places behind before
 * its own. An exclusive scan ends with a round in which each rank gives its result to the next one. */
#include <string.h>

#include "teams/call.h"

/* What came in the round before becomes the left operand. */
static void scan_combine(struct pst_call *c)
{
  c->reduction.combine(c->buffer, c->data, c->of.count, c->reduction.context);
  memcpy(c->data, c->buffer, pst_call_bytes(c));
}

static int plan_own(struct pst_call *c)
{
  if (c->stage) return 0;
  pst_call_copy(c, c->data, c->of.src, pst_call_bytes(c));
  return 1;
}

static int plan_rounds(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  const unsigned d = c->stage < 32 ? 1u << c->stage : 0;
  if (c->stage > 0 && t->me >= d / 2 && d) scan_combine(c);
  if (d == 0 || d >= t->size) return 0;
  if (t->me + d < t->size) pst_call_send(c, t->me + d, c->data, pst_call_bytes(c));
  if (t->me >= d) pst_call_receive(c, t->me - d, c->buffer, pst_call_bytes(c));
  return 1;
}

static int plan_shift(struct pst_call *c)
{
  const struct pst_team *t = c->team;
  if (c->stage) return 0;
  if (t->me + 1 < t->size) pst_call_send(c, t->me + 1, c->data, pst_call_bytes(c));
  if (t->me) pst_call_receive(c, t->me - 1, c->of.dst, pst_call_bytes(c));
  return 1;
}

void pst_plan_scan(struct pst_call *c)
{
  if (c->of.count == 0) return;
  c->buffer = pst_call_memory(c, pst_call_bytes(c));
  c->data = c->of.kind == GASNETX_SCAN ? c->of.dst : pst_call_memory(c, pst_call_bytes(c));
  pst_call_add_plan(c, plan_own);
  pst_call_add_plan(c, plan_rounds);
  if (c->of.kind == GASNETX_EXSCAN) pst_call_add_plan(c, plan_shift);
}
