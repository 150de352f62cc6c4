/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/net/probe.h"

#include <stdlib.h>

#include "conduits/net/net.h"

enum { SMALL = 8, SMALL_TRIPS = 48, LARGE_TRIPS = 8, TRIPS = SMALL_TRIPS + LARGE_TRIPS };
static const double MOST = 2; /* seconds; connections are made meanwhile */

static size_t bytes_of(int trip) { return trip < SMALL_TRIPS ? SMALL : PST_PROBE_MOST; }

static int probe_send(const struct pst_probe *p, size_t nbytes, double end)
{
  int rc;
  while ((rc = p->send(nbytes)) == 0 && p->progress() >= 0 && pst_net_now() < end) {}
  return rc == 1;
}

static int probe_await(const struct pst_probe *p, int messages, double end)
{
  int n;
  while ((n = p->progress()) >= 0 && n < messages && pst_net_now() < end) {}
  return n >= messages;
}

static int probe_trip(const struct pst_probe *p, int i, int first, double end)
{
  if (first) return probe_send(p, bytes_of(i), end) && probe_await(p, i + 1, end);
  return probe_await(p, i + 1, end) && probe_send(p, bytes_of(i), end);
}

/* The first trips make the connection, and are not counted. */
static double round_trips(const struct pst_probe *p, int first)
{
  enum { WARM = 8 };
  const double end = pst_net_now() + MOST;
  double begin = 0;
  for (int i = 0; i < TRIPS; i++) {
    if (i == WARM) begin = pst_net_now();
    if (!probe_trip(p, i, first, end)) return -1;
  }
  begin = (pst_net_now() - begin) / (TRIPS - WARM) * 1e6;
  while (!p->is_sent() && p->progress() >= 0 && pst_net_now() < end) {}
  return begin;
}

struct probe_address {
  uint64_t size;
  char address[PST_PROBE_ADDRESS];
};

double pst_probe(const struct pst_conduit_job *job, gasnet_node_t peer, const struct pst_probe *p)
{
  struct probe_address mine = {0}, *all = calloc(job->nodes, sizeof *all);
  double microseconds = -1;
  if (!all) pst_fatal("out of memory for %u nodes", job->nodes);
  if (peer != PST_NO_PEER) mine.size = p->open(mine.address);
  job->exchange(&mine, sizeof mine, all);
  if (mine.size && all[peer].size && p->connect(all[peer].address))
    microseconds = round_trips(p, job->node < peer);
  job->exchange(&mine.size, sizeof mine.size, all); /* the peer has what was sent */
  if (mine.size) p->close();
  free(all);
  return microseconds;
}
