/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Opening: context and worker; what all nodes must know of each other; the end. */
#include <math.h>
#include <sched.h>
#include <stdlib.h>

#include "conduits/ucx/call.h"
#include "conduits/ucx/variables.h"
#include "core/trace.h"
#include "support/env.h"
#include "support/variables.h"

struct pst_ucx pst_ucx;

enum { MESSAGE = (64 << 10) + PST_NET_MORE, UNIT = 64 };

static int all_mapped; /* UCX maps the segments of all nodes here */

static void limits(struct pst_conduit_limits *l)
{
  static const struct pst_viscost copies = {.transfer = 12,
      .message = 1000,
      .piece = 8,
      .transfer_kb = 30,
      .packed_kb = 120,
      .chunk = PST_VISCOST_CHUNK};
  if (all_mapped) l->vis = copies;
  l->max_filled = MESSAGE - PST_NET_OVERHEAD;
  l->max_medium = MESSAGE - PST_NET_MORE;
  l->max_long_request = l->max_long_reply = (size_t)1 << 30;
}

/* ---- how much may be under way ---- */

/* Units that one peer may send to this node in a stream. With many peers each gets less, but at
 * least two messages of the largest size. */
static int32_t window_units(size_t peers)
{
  enum { ALL = 16 << 20, MOST = 512 << 10 };
  const size_t share = (size_t)ALL / peers / PST_NET_STREAMS, least = 2 * (size_t)MESSAGE;
  return (int32_t)((share > MOST ? MOST : share < least ? least : share) / UNIT);
}

static int open_peers(void)
{
  pst_ucx.message = MESSAGE;
  pst_credit.unit = UNIT;
  pst_credit.window = window_units(pst_net.nodes > 1 ? pst_net.nodes - 1 : 1);
  pst_ucx.peer = calloc(pst_net.nodes, sizeof *pst_ucx.peer);
  PST_TRACE('C', "UCX_WINDOW", -1, (size_t)pst_credit.window * UNIT);
  return pst_ucx.peer ? pst_credit_open(pst_ucx_am_send) : PST_ERR_NOMEM;
}

static const char *transports(void)
{
  const char *said = pst_env_is_set(&pst_ucx_env.tls) ? pst_env_string(&pst_ucx_env.tls) : getenv("UCX_TLS");
  return said ? said : "all that it has";
}

static struct {
  unsigned first, local;
  int alone;
} host; /* alone: no node of this host shares memory with this one */

/* The abilities of a context must be asked for before the context tells which devices there are. */
static int open_context(void)
{
  int rc;
  pst_ucx.atomics = pst_net.atomics == PST_ATOMICS_ANY;
  rc = pst_ucx_open_context();
  if (rc != PST_OK || pst_net.atomics != PST_ATOMICS_BY_DEVICE || !pst_ucx_has_device()) return rc;
  UCX(cleanup)(pst_ucx.context);
  pst_ucx.atomics = 1;
  return pst_ucx_open_context();
}

static int open_conduit(const struct pst_conduit_job *job)
{
  int rc;
  pst_net_open(job);
  pst_ucx_faults_read();
  host.first = job->first;
  host.local = job->local;
  host.alone = job->local > 1 && job->shared_with == 1;
  if ((rc = open_context()) != PST_OK) return rc;
  if ((rc = pst_ucx_open_worker()) != PST_OK) return rc;
  if (job->node == 0 && pst_env_bool(&pst_support_env.spawn_verbose))
    pst_say("conduit ucx: %s, transports %s", pst_net.library, transports());
  if ((rc = open_peers()) != PST_OK) return rc;
  if ((rc = pst_ucx_op_open()) != PST_OK) return rc;
  if ((rc = pst_ucx_rma_open()) != PST_OK) return rc;
  if ((rc = pst_ucx_receive_open()) != PST_OK) return rc;
  if ((rc = pst_ucx_exchange_addresses()) != PST_OK) return rc;
  pst_net.is_open = 1;
  return PST_OK;
}

static void connect_neighbours(void)
{
  for (unsigned i = host.first; i < host.first + host.local; i++)
    if (i != pst_net.node && pst_net.region[0][i].size) pst_ucx_connect_rma(i, 0);
  all_mapped = host.local == pst_net.nodes;
}

/* Where UCX maps this node's own segment it maps those of its neighbours. It opens files of theirs for that,
 * which are gone with them, and UCX 1.13 may fall over one that is missing: so that is done while all are
 * there. */
static void map_neighbours(void)
{
  if (!host.alone || !pst_net_call_begin()) return;
  if (pst_ucx_maps_segments()) connect_neighbours();
  pst_net_call_end();
}

/* Only from now on may another node want anything of a node that computes. */
static int open_thread(void)
{
  static const struct pst_net_thread thread = {pst_ucx_serve, pst_ucx_sleep};
  return pst_net_thread_open(&thread);
}

static int attach(const struct pst_conduit_segments *segments)
{
  int rc;
  pst_net_attach(segments);
  rc = pst_ucx_exchange_keys(host.alone);
  if (rc == PST_OK) map_neighbours();
  return rc == PST_OK ? open_thread() : rc;
}

/* ---- where losses are reported ---- */

/* UCX 1.13 ends a process that answers the first contact of a peer that is gone. So all nodes connect to each
 * other here, while all are there: each greets all others, and goes on when all have greeted it and its own
 * greetings are with them. */
static unsigned greeted;

static void greeting_heard(const struct pst_net_head *h)
{
  if (h->form == PST_NET_HELLO) greeted++;
  else if (h->form > PST_NET_CREDIT) pst_net_malformed(h, sizeof *h);
}

static void check_endpoint(gasnet_node_t peer)
{
  if (!pst_net_call_enter()) return;
  const int rc = pst_ucx_connect(peer);
  pst_net_call_leave();
  if (rc != PST_OK)
    pst_fatal("gasnetx_report_losses: UCX has no transport to node %u that reports the end of a peer, as tcp "
              "does; GASNET_UCX_TLS, or UCX_TLS, says which it may use",
        peer);
}

static void look_again(void)
{
  pst_ucx_progress();
  sched_yield();
}

static void greet_all(void)
{
  for (unsigned i = 1; i < pst_net.nodes; i++) {
    struct pst_message m = {.dest = (pst_net.node + i) % pst_net.nodes, .reply = PST_NET_REPLIES};
    check_endpoint(m.dest);
    while (pst_ucx_am_send(&m, PST_NET_HELLO, sizeof(struct pst_net_head)) != PST_OK) look_again();
  }
  while (greeted < pst_net.nodes - 1) look_again();
  while (!pst_ucx_flush_worker(HUGE_VAL)) look_again();
}

/* No memory is registered: messages alone move data. */
static int attach_reporting(const struct pst_conduit_segments *segments)
{
  pst_net_report_losses();
  pst_net_attach(segments);
  pst_net_heard = greeting_heard;
  greet_all();
  return open_thread();
}

/* ---- the end ---- */

static int has_memory(void)
{
  for (unsigned r = 0; pst_ucx.memory && r < pst_net.regions; r++)
    if (pst_ucx.memory[r]) return 1;
  return 0;
}

/* The worker's endpoints end with it. Segments stay mapped, this one's and those of others: threads of the
 * client may still use them, and what runs after this in the process; and so does the context, which must not
 * end before them. */
static void *close_objects(void *unused)
{
  (void)unused;
  UCX(worker_destroy)(pst_ucx.worker);
  if (!has_memory()) UCX(cleanup)(pst_ucx.context);
  return NULL;
}

/* UCX ends the process where a worker is destroyed that has something under way still, as it has where a peer
 * is gone: then it stays. */
static int flush(double seconds) { return pst_ucx_flush(seconds) && pst_net_count_lost() == 0; }

static void close_conduit(void)
{
  static const struct pst_net_end end = {.flush = flush, .close = close_objects};
  pst_net_close(&end);
}

static const struct pst_network_slots network_slots = {
    .grade = pst_ucx_grade,
    .probe = pst_ucx_probe,
    .lacks_atomics = pst_ucx_lacks_atomics,
    .reporting = {attach_reporting, pst_ucx_am_reporting, PST_NET_INLINE_MOST},
    .lost = pst_net_forget,
    .defer = pst_net_call_defer,
};

const struct pst_conduit pst_conduit_ucx = {
    .name = "ucx",
    .net = &network_slots,
    .limits = limits,
    .open = open_conduit,
    .attach = attach,
    .am = pst_ucx_am,
    .put = pst_ucx_put,
    .get = pst_ucx_get,
    .atomic = pst_ucx_atomic,
    .poll = pst_ucx_poll,
    .poll_replies = pst_ucx_poll_replies,
    .serve_every = 8,
    .served = pst_net_served,
    .close = close_conduit,
    .inspect = pst_ucx_inspect,
};
