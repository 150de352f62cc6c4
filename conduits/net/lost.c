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

/* Peers that could not be reached: why, and since when. The last one stands for PST_NET_SOME_PEER. */
struct failure {
  const char *why; /* NULL: it can be reached, as far as is known; or it is lost, and nobody minds */
  double since;
};
static struct {
  pthread_mutex_t lock;
  _Atomic int any;    /* a hint (relaxed): the lock orders the rest */
  struct failure *of; /* [nodes + 1] */
} failures = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct failure *failure_of(gasnet_node_t peer)
{
  if (!failures.of && !(failures.of = calloc(pst_net.nodes + 1, sizeof *failures.of)))
    pst_fatal("out of memory for %u nodes", pst_net.nodes);
  return &failures.of[peer == PST_NET_SOME_PEER ? pst_net.nodes : peer];
}

/* When a node leaves or dies, the launcher says so and ends the job, or reports its loss. Only if that does
 * not happen in time, the network is at fault. */
void pst_net_lost(gasnet_node_t peer, const char *why)
{
  pthread_mutex_lock(&failures.lock);
  struct failure *f = failure_of(peer);
  if (!f->why && (peer == PST_NET_SOME_PEER || !pst_net_is_lost(peer))) {
    *f = (struct failure){why, pst_net_now()};
    atomic_store_explicit(&failures.any, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&failures.lock);
}

static _Noreturn void give_up(gasnet_node_t peer)
{
  const char *why = failures.of[peer].why;
  if (peer == pst_net.nodes) pst_fatal("%s cannot reach some node: %s", pst_net.library, why);
  pst_fatal("%s cannot reach node %u on %s: %s", pst_net.library, peer, pst_net_host(peer), why);
}

/* The peer that has failed first, before `until`; one that is known rather than some peer. */
static gasnet_node_t first_failed(double until)
{
  const struct failure *f = failures.of;
  gasnet_node_t first = pst_net.nodes;
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++)
    if (f[i].why && f[i].since <= until && (first == pst_net.nodes || f[i].since < f[first].since)) first = i;
  return first;
}

static void failures_judge(double now)
{
  enum { LAUNCHER_SECONDS = 1 }; /* beyond what the others have to end by themselves */
  const double until = now - pst_env_double(&pst_support_env.exittimeout) - LAUNCHER_SECONDS;
  const struct failure *some = &failures.of[pst_net.nodes];
  const gasnet_node_t due = first_failed(until);
  if (due < pst_net.nodes) give_up(due);
  if (some->why && some->since <= until) give_up(first_failed(now));
}

/* Ends the job some time after a peer was lost, unless the job is ending anyway. */
void pst_net_watch(double now)
{
  pst_net_descriptors_look(now);
  if (!atomic_load_explicit(&failures.any, memory_order_relaxed)) return;
  if (atomic_load_explicit(&pst_net.closing, memory_order_relaxed)) return;
  pthread_mutex_lock(&failures.lock);
  failures_judge(now);
  pthread_mutex_unlock(&failures.lock);
}

/* ---- where losses are reported ---- */

void pst_net_report_losses(void)
{
  _Atomic uint8_t *lost = calloc(pst_net.nodes, sizeof *lost);
  if (!lost) pst_fatal("out of memory for %u nodes", pst_net.nodes);
  atomic_store_explicit(&pst_net.lost, lost, memory_order_release);
}

void pst_net_forget(gasnet_node_t node)
{
  pthread_mutex_lock(&failures.lock);
  atomic_store_explicit(
      &atomic_load_explicit(&pst_net.lost, memory_order_relaxed)[node], 1, memory_order_relaxed);
  failure_of(node)->why = NULL;
  pthread_mutex_unlock(&failures.lock);
}

unsigned pst_net_count_lost(void)
{
  unsigned n = 0;
  for (gasnet_node_t i = 0; pst_net_reports() && i < pst_net.nodes; i++) n += (unsigned)pst_net_is_lost(i);
  return n;
}
