/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/control.h"

#include "bootstrap/exchange.h"
#include "gasnet_config.h"

static size_t (*reserved_bytes)(unsigned local);

void pst_control_reserve(size_t (*bytes)(unsigned local)) { reserved_bytes = bytes; }

static size_t whole_pages(size_t n) { return (n + PST_PAGESIZE - 1) & ~(size_t)(PST_PAGESIZE - 1); }

static size_t losses_offset(const struct pst_part *p)
{
  return whole_pages(sizeof(struct pst_jobstate)) + whole_pages(pst_exchange_size(p->local));
}

static size_t jobexchange_offset(const struct pst_part *p)
{
  return losses_offset(p) + whole_pages(p->nodes * sizeof(uint32_t));
}

static size_t reserved_offset(const struct pst_part *p)
{
  return jobexchange_offset(p) + (p->hosts > 1 ? whole_pages(pst_jobexchange_size(p)) : 0);
}

size_t pst_control_size(const struct pst_part *part)
{
  return reserved_offset(part) + (reserved_bytes ? reserved_bytes(part->local) : 0);
}

struct pst_exchange *pst_control_exchange(struct pst_jobstate *state)
{
  return (struct pst_exchange *)((char *)state + whole_pages(sizeof *state));
}

uint32_t *pst_control_losses(struct pst_jobstate *state)
{
  return (uint32_t *)(void *)((char *)state + losses_offset(&state->part));
}

struct pst_jobexchange *pst_control_jobexchange(struct pst_jobstate *state)
{
  return (struct pst_jobexchange *)((char *)state + jobexchange_offset(&state->part));
}

void *pst_control_reserved(struct pst_jobstate *state)
{
  return (char *)state + reserved_offset(&state->part);
}
