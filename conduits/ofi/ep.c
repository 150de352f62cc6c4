/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Opening: fabric, domain, endpoint; addresses and keys of all nodes. */
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conduits/net/library.h"
#include "conduits/ofi/call.h"
#include "conduits/ofi/rxm.h"
#include "core/trace.h"
#include "support/env.h"
#include "support/variables.h"

struct pst_ofi pst_ofi;

static void limits(struct pst_conduit_limits *l)
{
  const size_t message = pst_ofi.message ? pst_ofi.message : PST_NET_LEAST_MESSAGE;
  l->max_filled = message - PST_NET_OVERHEAD;
  l->max_medium = message > PST_NET_LEAST_MESSAGE ? message - PST_NET_MORE : l->max_filled;
  l->max_long_request = l->max_long_reply = (size_t)1 << 30;
}

static int report_failure(const char *what, ssize_t rc)
{
  const char *limit = pst_net_limit_reached();
  if (limit) pst_warn("%s: %s: %s", pst_net.library, what, limit);
  else pst_warn("%s: %s: %s", pst_net.library, what, pst_ofi_error(rc));
  return PST_ERR_SYSTEM;
}

/* A queue with a descriptor makes each transfer over tcp;ofi_rxm slower by 5 to 15 % (docs/bench.md), whether
 * a thread sleeps or not. So the queue has one only where threads may sleep: processes that wait for a core,
 * and a progress thread. A provider without descriptors refuses the queue, or the descriptor. */
static int open_queue(void)
{
  struct pst_ofi *o = &pst_ofi;
  struct fi_cq_attr cq = {
      .format = FI_CQ_FORMAT_DATA, .size = o->queue, .wait_obj = o->sleeps ? FI_WAIT_FD : FI_WAIT_NONE};
  int rc = fi_cq_open(o->domain, &cq, &o->cq, NULL);
  if (rc == -FI_ENOSYS && o->sleeps) {
    cq.wait_obj = FI_WAIT_NONE;
    rc = fi_cq_open(o->domain, &cq, &o->cq, NULL);
  }
  o->wait_fd = -1;
  if (rc == 0 && cq.wait_obj == FI_WAIT_FD && fi_control(&o->cq->fid, FI_GETWAIT, &o->wait_fd) != 0)
    o->wait_fd = -1;
  return rc;
}

static const char *open_in_order(int *rc)
{
  struct pst_ofi *o = &pst_ofi;
  struct fi_av_attr av = {.type = FI_AV_TABLE, .count = pst_net.nodes};
  o->fabric = NULL, o->domain = NULL, o->av = NULL, o->cq = NULL, o->ep = NULL;
  if ((*rc = pst_ofi_library.fabric(o->info->fabric_attr, &o->fabric, NULL)) != 0) return "fi_fabric";
  if ((*rc = fi_domain(o->fabric, o->info, &o->domain, NULL)) != 0) return "fi_domain";
  if ((*rc = fi_av_open(o->domain, &av, &o->av, NULL)) != 0) return "fi_av_open";
  if ((*rc = open_queue()) != 0) return "fi_cq_open";
  if ((*rc = fi_endpoint(o->domain, o->info, &o->ep, NULL)) != 0) return "fi_endpoint";
  if ((*rc = fi_ep_bind(o->ep, &o->av->fid, 0)) != 0) return "fi_ep_bind";
  if ((*rc = fi_ep_bind(o->ep, &o->cq->fid, FI_TRANSMIT | FI_RECV)) != 0) return "fi_ep_bind";
  return (*rc = fi_enable(o->ep)) != 0 ? "fi_enable" : NULL;
}

static uint32_t limit; /* an endpoint does not connect to one with another */

const char *pst_ofi_objects_open(int *rc)
{
  pst_ofi_rxm_set(pst_ofi.info->fabric_attr->prov_name);
  limit = pst_ofi_rxm_limit();
  const char *failed = open_in_order(rc);
  pst_ofi_rxm_unset();
  return failed;
}

enum { ADDRESS_MAX = 244, HOST_MAX = 64 };
struct address {
  uint32_t size, message, unit, limit;
  int32_t window;
  char bytes[ADDRESS_MAX], host[HOST_MAX];
};

/* Two nodes that count differently would misread each other's credits. */
static int address_agrees(const struct address *a, unsigned node)
{
  if (a->message == pst_ofi.message && a->unit == pst_credit.unit && a->window == pst_credit.window &&
      a->limit == limit)
    return 1;
  pst_warn("libfabric gives node %u other abilities than this one; choose a provider that all hosts have by "
           "GASNET_OFI_PROVIDER, "
           "and set the same FI_... variables on all",
      node);
  return 0;
}

static int insert_addresses(const struct address *all)
{
  for (unsigned i = 0; i < pst_net.nodes; i++) {
    const int n = !address_agrees(&all[i], i)
        ? -FI_EINVAL
        : fi_av_insert(pst_ofi.av, all[i].bytes, 1, &pst_ofi.peer[i].addr, 0, NULL);
    if (n != 1) return report_failure("fi_av_insert", n < 0 ? n : -FI_EINVAL);
  }
  return PST_OK;
}

static int exchange_addresses(void (*exchange)(const void *mine, size_t size, void *all))
{
  struct address mine = {0}, *all;
  size_t size = ADDRESS_MAX;
  int rc = fi_getname(&pst_ofi.ep->fid, mine.bytes, &size);
  if (rc) return report_failure("fi_getname", rc);
  if (!(all = malloc(pst_net.nodes * sizeof *all))) return PST_ERR_NOMEM;
  mine.size = (uint32_t)size;
  mine.message = pst_ofi.message;
  mine.unit = pst_credit.unit;
  mine.limit = limit;
  mine.window = pst_credit.window;
  gethostname(mine.host, HOST_MAX - 1);
  exchange(&mine, sizeof mine, all);
  rc = insert_addresses(all);
  for (unsigned i = 0; i < pst_net.nodes && rc == PST_OK; i++)
    rc = pst_net_learn_host(i, all[i].host, HOST_MAX);
  free(all);
  return rc;
}

/* ---- how much may be under way ---- */

/* Bytes that one peer may send to this node in a stream, before any bound is looked at. */
static size_t share_of(size_t peers)
{
  enum { ALL = 16 << 20 };
  return (size_t)ALL / peers / PST_NET_STREAMS;
}

/* Larger messages save much where each costs two reads and the target's answer. They are safe where the bytes
 * in a buffer can be counted (receive.c): other providers report a buffer as full while they still write to
 * it. Two messages must fit into a window: see am.c. */
static uint32_t largest_message(size_t peers)
{
  static const uint32_t sizes[] = {
      (64 << 10) + PST_NET_MORE, (32 << 10) + PST_NET_MORE, PST_NET_LEAST_MESSAGE};
  int i = 0;
  if (!pst_ofi.multi_recv || !pst_ofi.without_gaps || pst_ofi_without.queue) return PST_NET_LEAST_MESSAGE;
  while (sizes[i] > PST_NET_LEAST_MESSAGE &&
      (sizes[i] > share_of(peers) / 2 || sizes[i] > pst_ofi.info->ep_attr->max_msg_size))
    i++;
  return sizes[i];
}

/* Bytes of a stream. With many peers each gets less. */
static size_t window_bytes(size_t peers)
{
  enum { MOST = 512 << 10 };
  const size_t share = share_of(peers), least = 2 * (size_t)pst_ofi.message;
  const size_t bytes = share > MOST ? MOST : share < least ? least : share;
  return bytes / pst_ofi.message * pst_ofi.message;
}

/* Credit and counts use no window. */
static size_t most_messages(size_t peers)
{
  return peers * (2 * PST_NET_STREAMS * (size_t)pst_credit.window + PST_OFI_MOST_COUNTS);
}

/* Each message uses a unit at least: larger units are fewer messages. Where each takes a buffer of its own a
 * unit is a buffer. */
static void choose_unit(uint32_t unit, size_t peers)
{
  pst_credit.unit = unit;
  pst_credit.window = (int32_t)(window_bytes(peers) / unit);
}

/* All that may complete before a thread reads: operations, messages, and buffers that are full. */
static size_t most_completions(size_t peers, unsigned operations)
{
  return operations + most_messages(peers) + pst_ofi_receive_buffers();
}

/* A provider that manages its resources makes senders wait where the queue is too small. For other providers,
 * and where tests bound the queue, units grow until no more completions can come than the queue holds. Half
 * of a small queue is for operations. */
static int bound_queue(size_t peers, unsigned *operations)
{
  enum { USUAL = 16384, OPERATIONS = 1 << 11, FEW = 96, MOST = 1 << 20 };
  const int managed = pst_ofi.info->domain_attr->resource_mgmt == FI_RM_ENABLED && !pst_ofi_without.queue;
  const size_t most = managed ? SIZE_MAX : pst_ofi_without.queue ? pst_ofi_without.queue : MOST;
  *operations = pst_ofi_mixes_up(pst_ofi.info->fabric_attr->prov_name) ? FEW : OPERATIONS;
  if (most / 2 < *operations) *operations = (unsigned)(most / 2);
  pst_ofi.message = largest_message(peers);
  choose_unit(pst_ofi.multi_recv ? PST_OFI_LEAST_UNIT : pst_ofi.message, peers);
  while (most_completions(peers, *operations) > most && pst_credit.unit < pst_ofi.message)
    choose_unit(2 * pst_credit.unit, peers);
  while (most_completions(peers, *operations) > most && pst_credit.window > 2) pst_credit.window--;
  pst_ofi.queue = most_completions(peers, *operations);
  if (managed && pst_ofi.queue > USUAL) pst_ofi.queue = USUAL;
  if (pst_ofi.queue <= most) return PST_OK;
  pst_warn("a completion queue of %zu is too small for %u nodes, which need %zu", most, pst_net.nodes,
      pst_ofi.queue);
  return PST_ERR_RANGE;
}

static int open_peers(void)
{
  pst_ofi.peer = calloc(pst_net.nodes, sizeof *pst_ofi.peer);
  if (!pst_ofi.peer) return PST_ERR_NOMEM;
  if (pst_credit_open(pst_ofi_am_send) != PST_OK) return PST_ERR_NOMEM;
  for (unsigned i = 0; i < pst_net.nodes; i++) {
    PST_TRACE('C', "OFI_PEER", (int)i, sizeof *pst_ofi.peer + sizeof *pst_ofi.key + sizeof *pst_credit.peer);
  }
  PST_TRACE('C', "OFI_WINDOW", -1, (size_t)pst_credit.window * pst_credit.unit);
  PST_TRACE('C', "OFI_QUEUE", -1, pst_ofi.queue * sizeof(struct fi_cq_data_entry));
  return PST_OK;
}

/* Messages but greetings and counts are counted. */
static void message_heard(const struct pst_net_head *h)
{
  switch ((enum pst_net_form)h->form) {
  case PST_NET_COUNT:
  case PST_NET_COUNTED: pst_ofi_counted(h); break;
  case PST_NET_HELLO:
  case PST_NET_WELCOME: pst_ofi_greeted(h->src, (enum pst_net_form)h->form); break;
  default: pst_net_add(&pst_ofi.peer[h->src].counts.got[h->period], 1);
  }
}

static int open_thread(void)
{
  static const struct pst_net_thread t = {pst_ofi_serve, pst_ofi_sleep};
  return pst_net_thread_open(&t);
}

static int open_conduit(const struct pst_conduit_job *job)
{
  const size_t peers = job->nodes > 1 ? job->nodes - 1 : 1;
  unsigned operations;
  int rc;
  pst_net_open(job);
  pst_ofi.crowded = 2 * job->local > job->cores && !pst_net.has_thread;
  pst_ofi.sleeps = job->local > job->cores || pst_net.has_thread;
  pst_net_signals_keep();
  if ((rc = pst_net_library_judge(pst_ofi_library_open())) != PST_OK) return rc;
  if ((rc = pst_ofi_agree(job->local == job->nodes, 0)) != PST_OK) return rc;
  snprintf(pst_net.library, sizeof pst_net.library, "libfabric (%s)", pst_ofi.info->fabric_attr->prov_name);
  if (job->node == 0 && pst_env_bool(&pst_support_env.spawn_verbose))
    pst_say("conduit ofi: provider %s, device %s", pst_ofi.info->fabric_attr->prov_name,
        pst_ofi.info->domain_attr->name);
  if (job->node == 0 && strcmp(pst_ofi.info->fabric_attr->prov_name, PST_OFI_UNSAFE) == 0)
    pst_warn("libfabric's provider " PST_OFI_UNSAFE
             " hangs when strangers write to its ports; name another one by GASNET_OFI_PROVIDER, or none");
  pst_net_heard = message_heard;
  if ((rc = bound_queue(peers, &operations)) != PST_OK) return rc;
  if ((rc = open_peers()) != PST_OK) return rc;
  const char *failed = pst_ofi_objects_open(&rc);
  if (failed) return report_failure(failed, rc);
  pst_net_signals_restore();
  if ((rc = pst_ofi_op_open(operations)) != PST_OK) return rc;
  if ((rc = pst_ofi_receive_open()) != PST_OK) return rc;
  if ((rc = exchange_addresses(job->exchange)) != PST_OK) return rc;
  if ((rc = open_thread()) != PST_OK) return rc;
  pst_net.is_open = 1;
  return PST_OK;
}

static int attach(const struct pst_conduit_segments *segments)
{
  pst_net_attach(segments);
  return pst_ofi_keys();
}

/* ---- where losses are reported ---- */

/* A connection ends with the peer's process, and all that is under way on it ends with an error. Other
 * providers send to a dead process again and again, or share locks with it. */
static int ends_with_peers(const char *provider)
{
  return strcmp(provider, "net") == 0 || strcmp(provider, "tcp") == 0 || strstr(provider, "ofi_rxm");
}

/* No memory is registered: messages alone move data. */
static int attach_reporting(const struct pst_conduit_segments *segments)
{
  const char *provider = pst_ofi.info->fabric_attr->prov_name;
  if (!ends_with_peers(provider))
    pst_fatal("gasnetx_report_losses: libfabric's provider %s does not end what is under way to a node that "
              "is lost; choose net, tcp or one with ofi_rxm by GASNET_OFI_PROVIDER",
        provider);
  pst_net_report_losses();
  pst_net_attach(segments);
  return PST_OK;
}

/* ---- the end ---- */

static void unregister_all(void)
{
  for (unsigned r = 0; pst_ofi.region_mr && r < pst_net.regions; r++)
    pst_ofi_unregister(&pst_ofi.region_mr[r]);
  pst_ofi_op_close();
  pst_ofi_receive_close();
}

/* Memory that is bound to the endpoint is closed before it, other memory after: the endpoint may still move
 * it. */
void pst_ofi_objects_close(void (*unregister)(void))
{
  struct pst_ofi *o = &pst_ofi;
  const int bound = pst_ofi_has_mode(FI_MR_ENDPOINT);
  if (bound) unregister();
  if (o->ep) fi_close(&o->ep->fid);
  if (!bound) unregister();
  if (o->cq) fi_close(&o->cq->fid);
  if (o->av) fi_close(&o->av->fid);
  if (o->domain) fi_close(&o->domain->fid);
  if (o->fabric) fi_close(&o->fabric->fid);
}

static void *close_objects(void *unused)
{
  (void)unused;
  pst_ofi_objects_close(unregister_all);
  return NULL;
}

static void close_conduit(void)
{
  static const struct pst_net_end end = {.flush = pst_ofi_flush, .close = close_objects, .unflushed = 1};
  pst_net_close(&end);
}

static const struct pst_network_slots network_slots = {
    .grade = pst_ofi_grade,
    .probe = pst_ofi_probe,
    .lacks_atomics = pst_ofi_lacks_atomics,
    .arm = pst_ofi_arm,
    .reporting = {attach_reporting, pst_ofi_am_reporting, PST_NET_INLINE_MOST},
    .lost = pst_net_forget,
    .defer = pst_net_call_defer,
};

const struct pst_conduit pst_conduit_ofi = {
    .name = "ofi",
    .net = &network_slots,
    .limits = limits,
    .open = open_conduit,
    .attach = attach,
    .am = pst_ofi_am,
    .put = pst_ofi_put,
    .get = pst_ofi_get,
    .atomic = pst_ofi_atomic,
    .poll = pst_ofi_poll,
    .poll_replies = pst_ofi_poll_replies,
    .serve_every = 1,
    .served = pst_net_served,
    .close = close_conduit,
    .inspect = pst_ofi_inspect,
};
