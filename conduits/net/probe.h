/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Round trips between two nodes before any conduit is open: which library is the faster on this network. */
#ifndef CONDUITS_NET_PROBE_H
#define CONDUITS_NET_PROBE_H
#include <stddef.h>

enum { PST_PROBE_MOST = 16 << 10 }; /* bytes of the largest message */

struct pst_probe {
  int (*send)(size_t nbytes); /* 1: the library has it; 0: not now; -1: it fails */
  int (*progress)(void);      /* how many messages have come so far; -1: it fails */
  int (*is_sent)(void);       /* nothing of what was sent waits any more */
};

/* Two nodes call it, one of them with `first`. The average round trip of small and large messages together,
 * in microseconds; less than 0: it took too long, or failed. */
double pst_probe(const struct pst_probe *p, int first);

#endif
