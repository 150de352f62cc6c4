/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Peers that cannot be reached. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conduits/net/net.h"
#include "support/env.h"
#include "support/variables.h"

double pst_net_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *pst_net_host(gasnet_node_t peer)
{
  return pst_net.host && pst_net.host[peer] ? pst_net.host[peer] : "an unknown host";
}

/* Nodes of a host follow each other, and share its name. */
int pst_net_learn_host(gasnet_node_t node, const char *name, size_t most)
{
  char **host = pst_net.host;
  if (!host && !(host = pst_net.host = calloc(pst_net.nodes, sizeof *host))) return PST_ERR_NOMEM;
  if (node && strlen(host[node - 1]) == strnlen(name, most) && strncmp(name, host[node - 1], most) == 0)
    host[node] = host[node - 1];
  else host[node] = strndup(name, most);
  return host[node] ? PST_OK : PST_ERR_NOMEM;
}

static struct {
  pthread_mutex_t lock;
  _Atomic int any; /* a hint (relaxed): the lock orders the rest */
  gasnet_node_t peer;
  const char *why;
  double since;
} lost = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* When a node leaves or dies, the launcher says so and ends the job. Only if that does not happen in time,
 * the network is at fault. */
void pst_net_lost(gasnet_node_t peer, const char *why)
{
  int first;
  pthread_mutex_lock(&lost.lock);
  first = !atomic_load_explicit(&lost.any, memory_order_relaxed);
  if (first) lost.since = pst_net_now();
  if (first || lost.peer == PST_NET_SOME_PEER) {
    lost.peer = peer;
    lost.why = why;
  }
  atomic_store_explicit(&lost.any, 1, memory_order_relaxed);
  pthread_mutex_unlock(&lost.lock);
}

static _Noreturn void give_up(gasnet_node_t peer, const char *why)
{
  if (peer == PST_NET_SOME_PEER) pst_fatal("%s cannot reach some node: %s", pst_net.library, why);
  pst_fatal("%s cannot reach node %u on %s: %s", pst_net.library, peer, pst_net_host(peer), why);
}

/* Ends the job some time after a peer was lost, unless the job is ending anyway. */
void pst_net_watch(double now)
{
  enum { LAUNCHER_SECONDS = 1 }; /* beyond what the others have to end by themselves */
  pst_net_descriptors_look(now);
  if (!atomic_load_explicit(&lost.any, memory_order_relaxed)) return;
  if (atomic_load_explicit(&pst_net.closing, memory_order_relaxed)) return;
  pthread_mutex_lock(&lost.lock);
  if (now - lost.since >= pst_env_double(&pst_support_env.exittimeout) + LAUNCHER_SECONDS)
    give_up(lost.peer, lost.why);
  pthread_mutex_unlock(&lost.lock);
}
