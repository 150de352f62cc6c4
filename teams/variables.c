/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/variables.h"

#define FIELD(name) \
  { \
#name, offsetof(struct pst_collcost, name), 0, PST_COLLCOST_MOST \
  }
const struct pst_parse_field pst_collcost_fields[PST_COLLCOST_FIELDS] = {
    FIELD(latency), FIELD(message), FIELD(kb), FIELD(near), FIELD(near_kb)};

static int check_collcost(const char *text)
{
  struct pst_collcost ignored = {0};
  return pst_parse_fields(text, pst_collcost_fields, PST_COLLCOST_FIELDS, &ignored);
}

const struct pst_teams_env pst_teams_env = {
    .cost = {"GASNET_COLLECTIVE_COST",
        PST_SPECIAL(NULL, check_collcost,
            "settings separated by commas, such as latency=2000,kb=80; names: latency, message, kb, near and "
            "near_kb (ns, 0 to 100000000)"),
        .common = 1,
        .help = "Replaces constants by which collectives choose their algorithms, the same on all nodes; "
                "gasnet_info --coll-cost prints them, and what follows from them."},
};

PST_ENV_TABLE(teams);
