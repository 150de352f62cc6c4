/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bare program for libfabric: what its two files share. */
#ifndef BENCH_RAW_OFI_H
#define BENCH_RAW_OFI_H
#include "inside.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

struct raw_ofi {
  struct fi_info *info;
  struct fid_fabric *fabric;
  struct fid_domain *domain;
  struct fid_av *av;
  struct fid_cq *cq;
  struct fid_ep *ep;
  struct fid_mr *target_mr, *local_mr, *message_mr;
  void *local_desc, *message_desc;
  fi_addr_t peer;
  uint64_t key, base;
};
extern struct raw_ofi raw_ofi;

_Noreturn void raw_ofi_die(const char *what, ssize_t rc);

static inline void raw_ofi_need(ssize_t rc, const char *what)
{
  if (rc != 0) raw_ofi_die(what, rc);
}

/* Memory that messages are sent from and received into. */
void *raw_ofi_messages(size_t *size);
/* Makes operations and posts receives. The endpoint is open, and that memory registered. */
void raw_ofi_make_slots(void);

#endif
