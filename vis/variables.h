/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef VIS_VARIABLES_H
#define VIS_VARIABLES_H
#include "core/viscost.h"
#include "support/env.h"
#include "support/parse.h"

struct pst_vis_env {
  struct pst_variable coalesce, cost, cpu;
};
extern const struct pst_vis_env pst_vis_env;

/* GASNET_VIS_COST */
enum {
  PST_VISCOST_FIELDS = 6,
  PST_VISCOST_MOST = 1000000,
  PST_VISCOST_CHUNK_LEAST = 2048,
  PST_VISCOST_CHUNK_MOST = 65536
};
#define PST_VISCOST_LEGAL \
  "settings separated by commas, such as transfer=250,piece=8; names: transfer, message, piece, " \
  "transfer_kb and " \
  "packed_kb (ns, 0 to 1000000), chunk (bytes, 2048 to 65536)"

extern const struct pst_parse_field pst_viscost_fields[PST_VISCOST_FIELDS];

#endif
