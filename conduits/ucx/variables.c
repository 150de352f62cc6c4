/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ucx/variables.h"

#include "support/error.h"
#include "support/namelist.h"

#ifdef PST_FAULT_INJECTION
int pst_ucx_without_parse(const char *text, struct pst_ucx_without *w)
{
  static const struct pst_name known[] = {
      {"direct", PST_UCX_WITHOUT_DIRECT, 0, 0},
      {"bulk", PST_UCX_WITHOUT_BULK, 0, 0},
      {"rma", PST_UCX_WITHOUT_RMA, 0, 0},
      {"peer_errors", PST_UCX_WITHOUT_PEER_ERRORS, 0, 0},
      {"room", 0, offsetof(struct pst_ucx_without, room), PST_UCX_ROOM_LEAST},
      {NULL, 0, 0, 0},
  };
  struct pst_ucx_without new = {0};
  const int err = text ? pst_namelist_parse(known, text, &new.what, &new) : PST_OK;
  if (err == PST_OK) *w = new;
  return err;
}

static int check_ucx_without(const char *text)
{
  struct pst_ucx_without ignored;
  return pst_ucx_without_parse(text, &ignored);
}
#endif

const struct pst_ucx_env pst_ucx_env = {
    .tls = {"GASNET_UCX_TLS", PST_STRING(NULL),
        .help = "Conduit ucx: UCX's transports, such as tcp or rc,self; the same as UCX_TLS, and stronger."},
    .devices = {"GASNET_UCX_DEVICES", PST_STRING(NULL),
        .help = "Conduit ucx: the network devices, such as eth0 or mlx5_0:1; the same as UCX_NET_DEVICES, "
                "and stronger."},
#ifdef PST_FAULT_INJECTION
    .without = {"GASNET_UCX_WITHOUT", PST_SPECIAL(NULL, check_ucx_without, PST_UCX_WITHOUT_LEGAL),
        .help = "Conduit ucx: do without these abilities; for testing. direct: memory that UCX maps from a "
                "neighbour; bulk: large transfers by messages where UCX would cut them up; rma: all "
                "transfers but those; peer_errors: endpoints that report that their peer is gone. room:N "
                "lets each N-th call find no room."},
#endif
};

PST_ENV_TABLE(ucx);
