/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Round trips between two nodes before any conduit is open: which library is the faster on this network. */
#ifndef CONDUITS_NET_PROBE_H
#define CONDUITS_NET_PROBE_H
#include "core/conduit.h"

enum {
  PST_PROBE_MOST = 16 << 10, /* bytes of the largest message */
  PST_PROBE_ADDRESS = 2040   /* bytes of the longest address */
};

struct pst_probe {
  /* Opens an endpoint: the bytes of its address; 0: it fails, and nothing is open. */
  size_t (*open)(char address[PST_PROBE_ADDRESS]);
  int (*connect)(const char *address); /* 1: messages go to the peer of that address now; 0: it fails */
  int (*send)(size_t nbytes);          /* 1: the library has it; 0: not now; -1: it fails */
  int (*progress)(void);               /* how many messages have come so far; -1: it fails */
  int (*is_sent)(void);                /* nothing of what was sent waits any more */
  void (*close)(void);
};

/* Collective. Nodes measure in pairs: each other's `peer`; one without has PST_NO_PEER. The average round
 * trip of small and large messages together, in microseconds; less than 0: it took too long, or failed. */
double pst_probe(const struct pst_conduit_job *job, gasnet_node_t peer, const struct pst_probe *p);

#endif
