/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdio.h>

#include "core/conduit.h"
#include "support/env.h"
#include "tools/gasnet_info.h"
#include "vis/cost.h"
#include "vis/variables.h"

static const char *const meanings[PST_VISCOST_FIELDS] = {
    "ns: a native put or get, beside its bytes",
    "ns: a message and its reply, beside their bytes",
    "ns: to pack, describe and unpack a piece, beside its bytes",
    "ns: 1024 bytes that go natively",
    "ns: 1024 bytes that are packed, sent and unpacked",
    "bytes that a packed message holds at most",
};

static void print_row(const char *when, size_t row)
{
  if (row == SIZE_MAX) printf("  pieces go by themselves%s: never\n", when);
  else if (row <= 1) printf("  pieces go by themselves%s: always\n", when);
  else printf("  pieces go by themselves%s: from %zu bytes on\n", when, row);
}

static void print_conduit(const struct pst_conduit *c)
{
  struct pst_viscost used;
  pst_cost_constants(c, &used);
  printf("%s\n", c->name);
  for (unsigned i = 0; i < PST_VISCOST_FIELDS; i++)
    printf("  %-12s %7u  %s\n", pst_viscost_name(i), *pst_viscost_field(&used, i), meanings[i]);
  print_row("", pst_cost_row(&used, used.transfer));
  print_row(
      " under GASNET_AM_ONLY, and as parts of puts with notification", pst_cost_row(&used, used.message));
}

void info_vis_cost(void)
{
  const char *changed = pst_env_string(&pst_vis_env.cost);
  const struct pst_conduit *c;
  for (unsigned i = 0; (c = pst_conduit_at(i)) != NULL; i++) print_conduit(c);
  if (changed) printf("changed by GASNET_VIS_COST=%s\n", changed);
}
