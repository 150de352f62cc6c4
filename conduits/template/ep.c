/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Opening, the end, and the table of slots: what core/conduit.h asks of a conduit, with what each must
 * promise, and what a conduit for real use would do better than this one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "conduits/template/template.h"
#include "support/env.h"
#include "support/variables.h"

struct pst_template pst_template;

/* Of what is open, or else, for gasnet_info, of any job. The most that one message can carry, whatever its
 * arguments; and, where they are known, what transfers and messages cost (`vis`: gasnet_info --vis-cost), by
 * which packing is chosen. Better: messages of 64 KiB where a peer's window has room for two, and longs of
 * any size, whose payload goes to its place by itself (PST_NET_LONG_PLACED, as in ucx/am.c). */
static void get_limits(struct pst_conduit_limits *l)
{
  l->max_medium = l->max_filled = l->max_long_request = l->max_long_reply = PST_TEMPLATE_MESSAGE -
      PST_NET_OVERHEAD;
}

static int tables_allocate(void)
{
  struct pst_template *t = &pst_template;
  t->ins = pst_net.nodes + PST_TEMPLATE_STRANGERS;
  t->contact = calloc(pst_net.nodes, sizeof *t->contact);
  t->out = calloc(pst_net.nodes, sizeof *t->out);
  t->came = calloc(pst_net.nodes, sizeof *t->came);
  t->in = calloc(t->ins, sizeof *t->in);
  if (!t->contact || !t->out || !t->came || !t->in) return PST_ERR_NOMEM;
  for (unsigned i = 0; i < t->ins; i++) t->in[i].socket.fd = -1;
  for (unsigned i = 0; i < pst_net.nodes; i++) t->out[i].socket.fd = -1;
  pst_credit.unit = PST_TEMPLATE_UNIT;
  pst_credit.window = PST_TEMPLATE_WINDOW / PST_TEMPLATE_UNIT;
  return pst_credit_open(pst_template_am_send);
}

/* The exchange goes through the launcher, which all nodes trust: so they can share a secret by it. */
static int contacts_exchange(struct pst_template_contact *mine)
{
  struct pst_template *t = &pst_template;
  int rc = PST_OK;
  if (getrandom(mine->secret.bytes, sizeof mine->secret.bytes, 0) != (ssize_t)sizeof mine->secret.bytes)
    return PST_ERR_SYSTEM;
  gethostname(mine->host, PST_TEMPLATE_HOST - 1);
  pst_net.exchange(mine, sizeof *mine, t->contact);
  t->secret = t->contact[0].secret;
  for (unsigned i = 0; i < pst_net.nodes && rc == PST_OK; i++)
    rc = pst_net_learn_host(i, t->contact[i].host, PST_TEMPLATE_HOST);
  return rc;
}

static void say_where(const struct pst_template_contact *c)
{
  const unsigned char *a = (const unsigned char *)&c->address, *p = (const unsigned char *)&c->port;
  if (pst_net.node == 0 && pst_env_bool(&pst_support_env.spawn_verbose))
    pst_say("conduit template: TCP, node 0 at %u.%u.%u.%u port %u", a[0], a[1], a[2], a[3],
        (unsigned)p[0] << 8 | p[1]);
}

/* Collective, and the first call: makes memory, and exchanges what nodes need to reach each other. No message
 * is sent before attach. A step that fails prints the reason and returns an error, which ends the job.
 * Nothing here may wait for a peer but job->exchange. */
static int open_conduit(const struct pst_conduit_job *job)
{
  struct pst_template_contact mine = {0};
  int rc;
  pst_net_open(job);
  snprintf(pst_net.library, sizeof pst_net.library, "TCP");
  if ((rc = tables_allocate()) != PST_OK) return rc;
  if ((rc = pst_template_listen(job->local == job->nodes, &mine)) != PST_OK) return rc;
  if ((rc = contacts_exchange(&mine)) != PST_OK) return rc;
  say_where(&mine);
  pst_net.is_open = 1;
  return PST_OK;
}

/* Collective: the segments are known. A network that reads and writes memory by itself registers it here, and
 * exchanges keys (ucx/peer.c, ofi/register.c); this one only notes which addresses its decoder accepts. From
 * now on there may be a progress thread. */
static int attach_conduit(const struct pst_conduit_segments *segments)
{
  static const struct pst_net_thread thread = {pst_template_serve, pst_template_sleep};
  pst_net_attach(segments);
  return pst_net_thread_open(&thread);
}

/* No call is under way, and none will begin. The system closes what is left open. */
static void *close_objects(void *unused)
{
  (void)unused;
  close(pst_template.listening.fd);
  return NULL;
}

/* The process is about to end, maybe in a signal handler, and maybe with other threads inside the conduit:
 * net/net.c says in which order things are stopped. It waits for what was sent to leave, for a second at
 * most. */
static void close_conduit(void)
{
  static const struct pst_net_end end = {.flush = pst_template_flush, .close = close_objects, .unflushed = 1};
  pst_net_close(&end);
}

/* What only networks have; none of it is needed.
 *
 * grade, probe: whether the library finds hardware here, and how long a round trip takes, before anything is
 * open. core/choose.c asks the conduits that it names, where a job on several hosts says nothing of
 * GASNET_CONDUIT. The template is not among them.
 *
 * lacks_atomics: goes with the slot `atomic`, where the network's devices have operations on words.
 *
 * arm: gives a descriptor that wakes a sleeper; see ofi/progress.c. Without it sleepers look every 0.2 ms. */
static const struct pst_network_slots network_slots = {
    /* A signal that ends the process may have interrupted a call of this conduit: then the process ends when
     * that call has ended. */
    .defer = pst_net_call_defer,
};

/* What every conduit has. `host` stays empty: only smp has memory that processes share. A thread that waits
 * beside a network polls, pauses, yields, and sleeps for a time (core/wait.c); barriers between hosts are
 * messages (teams/barrier.c). */
const struct pst_conduit pst_conduit_template = {
    .name = "template",
    .net = &network_slots,

    .limits = get_limits,
    .open = open_conduit,
    .attach = attach_conduit,

    /* Never blocks, and never runs a handler: no room is PST_ERR_AGAIN, and the core makes progress and
     * repeats. PST_OK: sent, and nothing of the message is looked at any more. What was begun and cannot be
     * had again stays with the message (m->started, m->placed; ucx/am.c). Better: several small messages in
     * one system call, writing large payloads from where they are. */
    .am = pst_template_am,

    /* Transfers that run no handler at the target. PST_OK: complete, a put visible; 1: it counts on
     * *completion until it is. A put's source may change on return, unless PST_OP_BULK is in op. A conduit
     * may begin without them: extended/reference.c then makes them of messages, and a target that computes
     * serves none of those, also with GASNET_PROGRESS_THREAD. Better: networks that write and read memory by
     * themselves (ofi/rma.c, ucx/rma.c); here, data from and to where they belong, uncopied. */
    .put = pst_template_put,
    .get = pst_template_get,

    /* .memset: likewise. Without it, a message.
     * .atomic: operations on words. Without it a message asks the target. */

    /* Deliver what has come: `poll` all messages, for a client; `poll_replies` replies alone, inside
     * handlers. A bounded number, or a flood would keep a client from its own work. Return how many, or
     * anything but 0 where something was found: then the caller does not sleep. Better: to look at memory,
     * where the network has some, before a system call. */
    .poll = pst_template_poll,
    .poll_replies = pst_template_poll_replies,

    /* A client that only sends polls after so many messages. 1, for a message may wait in the buffer for the
     * connection. */
    .serve_every = 1,

    /* How many messages have run here, by any thread: a thread that is about to sleep sees by it that another
     * one has served a message, and looks again. */
    .served = pst_net_served,

    .close = close_conduit,
};
