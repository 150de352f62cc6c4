/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* upccc --inst, oshcc --inst: a call that first tells its place in the source. The wrapper makes `#pragma
 * pupc off` and `on` change PST_PUPC_ON, which each call reads. */
#ifndef PENSTOCK_INST_H
#define PENSTOCK_INST_H

#include "penstock/gasp_site.h"

#ifndef PST_PUPC_ON /* a pragma may come first */
#define PST_PUPC_ON 1
#endif
#define PST_INST_FILE       (PST_PUPC_ON ? __FILE__ : NULL)
#define PST_INST_LINE       (PST_PUPC_ON ? __LINE__ : -1)
#define PST_INST(call, ...) PST_GASP_AT(PST_INST_FILE, PST_INST_LINE, (call)(__VA_ARGS__))
/* A call that finds the tool, if there is one: its place is set in any case. */
#define PST_INST_OPENING(call, ...) \
  (pst_gasp_set_site(PST_INST_FILE, PST_INST_LINE, PST_GASP_COLUMN), (call)(__VA_ARGS__))

#endif
