/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef TEAMS_VARIABLES_H
#define TEAMS_VARIABLES_H
#include "support/env.h"
#include "support/parse.h"

struct pst_teams_env {
  struct pst_variable cost;
};
extern const struct pst_teams_env pst_teams_env;

/* What collectives cost, in nanoseconds: teams/cost.h chooses by it. */
struct pst_collcost {
  uint32_t latency; /* a message between two groups: until the receiver has it */
  uint32_t message; /* one more message between groups, to its sender and its receiver */
  uint32_t kb;      /* 1024 bytes between groups */
  uint32_t near;    /* a message within a group */
  uint32_t near_kb; /* 1024 bytes that a member of a group reads from another's memory */
};
enum { PST_COLLCOST_FIELDS = 5, PST_COLLCOST_MOST = 100000000 };
extern const struct pst_parse_field pst_collcost_fields[PST_COLLCOST_FIELDS];

#endif
