/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ucx/variables.h"

#include "support/namelist.h"

#ifdef PST_FAULT_INJECTION
int pst_ucx_without_parse(const char *text, struct pst_ucx_without *w)
{
#define ABILITY(name) PST_NAME(struct pst_ucx_without, name)
  static const struct pst_name known[] = {{ABILITY(direct)}, {ABILITY(bulk)}, {ABILITY(rma)},
      {ABILITY(peer_errors)}, {ABILITY(room), .least = 2}, {NULL, 0, 0}};
  return pst_namelist_parse(known, text, w, sizeof *w);
}

static int check_ucx_without(const char *text) { return pst_ucx_without_parse(text, NULL); }
#endif

const struct pst_ucx_env pst_ucx_env = {
    .tls = {"GASNET_UCX_TLS", PST_STRING(NULL),
        .help = "Conduit ucx: UCX's transports, such as tcp or rc,self; the same as UCX_TLS, and stronger."},
    .devices = {"GASNET_UCX_DEVICES", PST_STRING(NULL),
        .help = "Conduit ucx: the network devices, such as eth0 or mlx5_0:1; the same as UCX_NET_DEVICES, "
                "and stronger."},
#ifdef PST_FAULT_INJECTION
    .without = {"GASNET_UCX_WITHOUT",
        PST_SPECIAL(NULL, check_ucx_without,
            "names separated by commas: direct, bulk, rma, peer_errors, room:N (2 or more)"),
        .help = "Conduit ucx: do without these abilities; for testing. direct: memory that UCX maps from a "
                "neighbour; bulk: large transfers by messages where UCX would cut them up; rma: all "
                "transfers but those; peer_errors: endpoints that report that their peer is gone. room:N "
                "lets each N-th call find no room."},
#endif
};

PST_ENV_TABLE(ucx);
