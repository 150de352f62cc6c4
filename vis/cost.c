/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/cost.h"

#include "support/env.h"
#include "vis/variables.h"

struct pst_cost pst_cost_near, pst_cost_far;

/* For a conduit that has not been measured. */
static const struct pst_viscost network = {.transfer = 1000,
    .message = 2500,
    .piece = 8,
    .transfer_kb = 100,
    .packed_kb = 250,
    .chunk = PST_VISCOST_CHUNK};

void pst_cost_constants(const struct pst_conduit *conduit, struct pst_viscost *c)
{
  struct pst_conduit_limits limits = {0};
  const char *text = pst_env_string(&pst_vis_env.cost);
  conduit->limits(&limits);
  *c = limits.vis.chunk ? limits.vis : network;
  if (text) pst_parse_fields(text, pst_viscost_fields, PST_VISCOST_FIELDS, c);
}

/* single + n * transfer_kb / 1024 = piece + n * packed_kb / 1024 + n * message / chunk, solved for n. */
size_t pst_cost_row(const struct pst_viscost *c, unsigned single)
{
  const int64_t gain = (int64_t)c->packed_kb * c->chunk + (int64_t)c->message * 1024 -
      (int64_t)c->transfer_kb * c->chunk;
  const int64_t start = ((int64_t)single - c->piece) * 1024 * c->chunk;
  if (start <= 0) return 1;
  return gain <= 0 ? SIZE_MAX : (size_t)((start + gain - 1) / gain);
}

int pst_cost_packs(const struct pst_cost *c, size_t pieces, size_t nbytes)
{
  const struct pst_viscost *k = &c->constant;
  const uint64_t packed = (k->message + (uint64_t)pieces * k->piece) * 1024 + (uint64_t)nbytes * k->packed_kb;
  return packed < (uint64_t)pieces * c->single * 1024 + (uint64_t)nbytes * k->transfer_kb;
}

static void cost_open(struct pst_cost *c, const struct pst_conduit *conduit)
{
  struct pst_conduit_limits limits = {0};
  pst_cost_constants(conduit, &c->constant);
  conduit->limits(&limits);
  c->message = limits.max_filled;
  if (c->constant.chunk > pst_job.limits.max_medium) c->constant.chunk = (uint32_t)pst_job.limits.max_medium;
  c->single = pst_job.am_only || !conduit->put || !conduit->get ? c->constant.message : c->constant.transfer;
  c->native_row = pst_cost_row(&c->constant, c->single);
  c->message_row = pst_cost_row(&c->constant, c->constant.message);
}

void pst_cost_open(void)
{
  cost_open(&pst_cost_near, pst_job.conduit);
  if (pst_job.network) cost_open(&pst_cost_far, pst_job.network);
}
