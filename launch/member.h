/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A host of the job, as the launcher knows it. */
#ifndef LAUNCH_MEMBER_H
#define LAUNCH_MEMBER_H
#include "launch/hosts.h"
#include "launch/link.h"
#include "launch/order.h"
#include "launch/remote.h"

struct launcher;

struct member {
  struct launcher *launcher;
  const struct host *host;
  unsigned index;
  struct remote remote;
  struct link link;
  struct order_daemon order;
  int connected;
  int over;                            /* it said goodbye, or was lost */
  int joined, only_wrappers, cleaning; /* as its last STATE said */
  int asked;                           /* a STATE is on its way */
  uint32_t untaken;                    /* bytes of its output that are not written yet */
  uint16_t *leaving;                   /* [local] as each node announced it */
};

#endif
