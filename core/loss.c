/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/loss.h"

#include <pthread.h>
#include <unistd.h>

#include "bootstrap/foreign_job.h"
#include "bootstrap/losses.h"
#include "core/exit.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/trace.h"

struct pst_loss pst_loss;
void (*pst_loss_hook)(gasnet_node_t node);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void gasnetx_report_losses(void)
{
  if (pst_job.phase == PST_PHASE_ATTACHED) pst_fatal("gasnetx_report_losses was called after gasnet_attach");
  pst_loss.asked = 1;
}

/* ---- beginning ---- */

static void handle_nothing(gasnet_token_t token) { (void)token; }

void pst_loss_open(void)
{
  if (!pst_loss.asked) return;
  if (pst_foreign_is_job())
    pst_fatal("gasnetx_report_losses: the launcher of this job ends all processes when one dies; start the "
              "job with gasnetrun");
  if (pst_job.network && !pst_job.network->net->reporting.am)
    pst_fatal("gasnetx_report_losses: the conduit %s cannot go on without a node; choose another one by "
              "GASNET_CONDUIT",
        pst_job.network->name);
  pst_loss.lost = pst_job_alloc(pst_nodes, sizeof *pst_loss.lost);
  pst_handler_set(PST_HANDLER_NOTHING, (pst_handler_fn)handle_nothing);
  pst_job_report_losses();
  pst_loss.on = 1;
}

void pst_loss_begin(void)
{
  if (pst_loss.on) atomic_store_explicit(&pst_job.place.hm.state->reports, 1, memory_order_release);
}

/* ---- learning ---- */

static void node_mark(gasnet_node_t node)
{
  if (node >= pst_nodes) pst_fatal("the job's shared memory is damaged");
  atomic_store_explicit(&pst_loss.lost[node], 1, memory_order_relaxed);
  PST_TRACE('I', "NODE_LOST", (int)node, 0);
  pst_job.host->lost(node, PST_HANDLER_NOTHING);
  if (pst_job.network) pst_job.network->net->lost(node);
  if (pst_loss_hook) pst_loss_hook(node);
}

static void losses_learn(uint32_t count)
{
  pthread_mutex_lock(&lock);
  uint32_t seen = atomic_load_explicit(&pst_loss.seen, memory_order_relaxed);
  for (; seen < count && seen < pst_nodes; seen++) node_mark(pst_loss_node(seen));
  atomic_store_explicit(&pst_loss.seen, seen, memory_order_release);
  pthread_mutex_unlock(&lock);
}

uint32_t pst_loss_look(void)
{
  const uint32_t count = pst_losses_count(pst_job.place.hm.state);
  if (atomic_load_explicit(&pst_loss.seen, memory_order_acquire) < count) losses_learn(count);
  return count;
}

gasnet_node_t pst_loss_node(uint32_t i) { return pst_losses_node(pst_job.place.hm.state, i); }

int pst_loss_ask(gasnet_node_t node)
{
  pst_loss_look();
  return pst_loss_is_marked(node);
}

/* ---- what clients ask ---- */

static int knows_losses(void) { return pst_job.phase == PST_PHASE_ATTACHED && pst_loss.on; }

gasnet_node_t gasnetx_lost_count(void) { return knows_losses() ? pst_loss_look() : 0; }

int gasnetx_node_is_lost(gasnet_node_t node)
{
  return node < pst_nodes && knows_losses() && pst_loss_ask(node);
}

gasnet_node_t gasnetx_lost_nodes(gasnet_node_t nodes[], gasnet_node_t most)
{
  gasnet_node_t n = 0;
  if (gasnetx_lost_count() == 0) return 0;
  for (gasnet_node_t i = 0; i < pst_nodes; i++)
    if (pst_loss_is_marked(i) && n++ < most) nodes[n - 1] = i;
  return n;
}

void gasnetx_node_fail(void)
{
  if (!knows_losses()) gasnet_exit(1);
  pst_exit_fail();
}

/* ---- the status ---- */

static _Thread_local int status;

void pst_loss_note(unsigned why)
{
  status = why == PST_LOSS_LEFT ? GASNETX_ERR_NODE_LEFT : GASNETX_ERR_NODE_LOST;
}

int gasnetx_status_take(void)
{
  const int was = status;
  status = GASNET_OK;
  return was;
}
