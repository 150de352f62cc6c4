/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/env_ucx.h"

#include "support/error.h"
#include "support/namelist.h"

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
