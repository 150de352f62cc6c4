/* Opening: fabric, domain, endpoint; addresses and keys of all nodes. */
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"
#include "support/env.h"

struct pst_ofi pst_ofi;

static void limits(struct pst_conduit_limits *l)
{
  l->max_medium = PST_OFI_MAX_MEDIUM;
  l->max_long_request = l->max_long_reply = (size_t)1 << 30;
}

static size_t shared_size(unsigned local)
{
  (void)local;
  return 0;
}

static int failed(const char *what, ssize_t rc)
{
  pst_warn("libfabric (%s): %s: %s", pst_ofi.info->fabric_attr->prov_name, what, pst_ofi_error(rc));
  return PST_ERR_SYSTEM;
}

/* All that may complete before somebody reads: every operation and every receive. */
static size_t queue_size(void) { return 16384; }

static int open_endpoint(void)
{
  struct pst_ofi *o = &pst_ofi;
  struct fi_av_attr av = { .type = FI_AV_TABLE, .count = o->nodes };
  struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_DATA, .size = queue_size(), .wait_obj = o->has_thread ? FI_WAIT_FD : FI_WAIT_NONE };
  ssize_t rc;
  if ((rc = pst_ofi_library.fabric(o->info->fabric_attr, &o->fabric, NULL)) != 0) return failed("fi_fabric", rc);
  if ((rc = fi_domain(o->fabric, o->info, &o->domain, NULL)) != 0) return failed("fi_domain", rc);
  if ((rc = fi_av_open(o->domain, &av, &o->av, NULL)) != 0) return failed("fi_av_open", rc);
  rc = fi_cq_open(o->domain, &cq, &o->cq, NULL);
  if (rc == -FI_ENOSYS && cq.wait_obj != FI_WAIT_NONE) { /* nothing to sleep on */
    cq.wait_obj = FI_WAIT_NONE;
    rc = fi_cq_open(o->domain, &cq, &o->cq, NULL);
  }
  if (rc != 0) return failed("fi_cq_open", rc);
  if ((rc = fi_endpoint(o->domain, o->info, &o->ep, NULL)) != 0) return failed("fi_endpoint", rc);
  if ((rc = fi_ep_bind(o->ep, &o->av->fid, 0)) != 0) return failed("fi_ep_bind", rc);
  if ((rc = fi_ep_bind(o->ep, &o->cq->fid, FI_TRANSMIT | FI_RECV)) != 0) return failed("fi_ep_bind", rc);
  if ((rc = fi_enable(o->ep)) != 0) return failed("fi_enable", rc);
  return PST_OK;
}

enum { ADDRESS_MAX = 252 };
struct address { uint32_t size; char bytes[ADDRESS_MAX]; };

static int insert(const struct address *all)
{
  for (unsigned i = 0; i < pst_ofi.nodes; i++) {
    const int n = fi_av_insert(pst_ofi.av, all[i].bytes, 1, &pst_ofi.peer[i].addr, 0, NULL);
    if (n != 1) return failed("fi_av_insert", n < 0 ? n : -FI_EINVAL);
  }
  return PST_OK;
}

static int exchange_addresses(void (*exchange)(const void *mine, size_t size, void *all))
{
  struct address mine = { 0 }, *all = malloc(pst_ofi.nodes * sizeof *all);
  size_t size = ADDRESS_MAX;
  int rc;
  if (!all) return PST_ERR_NOMEM;
  rc = fi_getname(&pst_ofi.ep->fid, mine.bytes, &size);
  if (rc) return failed("fi_getname", rc);
  mine.size = (uint32_t)size;
  exchange(&mine, sizeof mine, all);
  rc = insert(all);
  free(all);
  return rc;
}

/* Many peers get less each, but never less than two of the largest messages: see am.c. */
static int32_t window_units(unsigned nodes)
{
  enum { ALL = 16 << 20, MOST = 256 << 10, LEAST = (2 * PST_OFI_MAX_MESSAGE + PST_OFI_UNIT - 1) / PST_OFI_UNIT * PST_OFI_UNIT };
  size_t share = (size_t)ALL / (nodes > 1 ? nodes - 1 : 1) / PST_OFI_STREAMS;
  if (share > MOST) share = MOST;
  if (share < LEAST) share = LEAST;
  return (int32_t)(share / PST_OFI_UNIT);
}

static int open_peers(void)
{
  pst_ofi.peer = calloc(pst_ofi.nodes, sizeof *pst_ofi.peer);
  pst_ofi.key = calloc(pst_ofi.nodes, sizeof *pst_ofi.key);
  if (!pst_ofi.peer || !pst_ofi.key) return PST_ERR_NOMEM;
  pst_ofi.window = window_units(pst_ofi.nodes);
  for (unsigned i = 0; i < pst_ofi.nodes; i++)
    for (int k = 0; k < PST_OFI_STREAMS; k++) pst_ofi.peer[i].window[k] = pst_ofi.window;
  return PST_OK;
}

static int open_conduit(const struct pst_conduit_job *job)
{
  int rc;
  pst_ofi.node = job->node;
  pst_ofi.nodes = job->nodes;
  pst_ofi.has_thread = pst_ofi_thread_wanted();
  pst_ofi.par = job->par || pst_ofi.has_thread;
  pst_ofi.exchange = job->exchange;
  pst_ofi_signals_keep();
  if ((rc = pst_ofi_library_load()) != PST_OK) return rc;
  if ((rc = pst_ofi_choose(job->nodes, &pst_ofi.info)) != PST_OK) return rc;
  if (job->node == 0 && pst_env_bool(PST_ENV_SPAWN_VERBOSE))
    pst_say("conduit ofi: provider %s, device %s", pst_ofi.info->fabric_attr->prov_name, pst_ofi.info->domain_attr->name);
  if ((rc = open_peers()) != PST_OK) return rc;
  if ((rc = open_endpoint()) != PST_OK) return rc;
  pst_ofi_signals_restore();
  if ((rc = pst_ofi_op_open()) != PST_OK) return rc;
  if ((rc = pst_ofi_receive_open()) != PST_OK) return rc;
  if ((rc = exchange_addresses(job->exchange)) != PST_OK) return rc;
  return pst_ofi_thread_open();
}

static int register_segment(const gasnet_seginfo_t *s)
{
  const uint64_t mode = pst_ofi.info->domain_attr->mr_mode;
  int rc;
  if (s->size == 0) return PST_OK;
  rc = fi_mr_reg(pst_ofi.domain, s->addr, s->size, FI_REMOTE_READ | FI_REMOTE_WRITE | FI_READ | FI_WRITE, 0, 0, 0,
                 &pst_ofi.segment_mr, NULL);
  if (rc) return failed("cannot register the segment; see ulimit -l", rc);
  if (!(mode & FI_MR_ENDPOINT)) return PST_OK;
  if ((rc = fi_mr_bind(pst_ofi.segment_mr, &pst_ofi.ep->fid, 0)) != 0) return failed("fi_mr_bind", rc);
  if ((rc = fi_mr_enable(pst_ofi.segment_mr)) != 0) return failed("fi_mr_enable", rc);
  return PST_OK;
}

static int attach(const struct pst_conduit_segments *segments)
{
  uint64_t key = 0;
  int rc;
  pst_ofi.segment = segments->info;
  rc = register_segment(&segments->info[pst_ofi.node]);
  if (rc != PST_OK) return rc;
  if (pst_ofi.segment_mr) key = fi_mr_key(pst_ofi.segment_mr);
  pst_ofi.exchange(&key, sizeof key, pst_ofi.key);
  return PST_OK;
}

static void close_conduit(void)
{
  enum { SECONDS = 2 };
  pst_ofi_thread_close();
  if (pst_ofi.ep) pst_ofi_flush(SECONDS);
}

const struct pst_conduit pst_conduit_ofi = {
  .name = "ofi",
  .limits = limits,
  .shared_size = shared_size,
  .open = open_conduit,
  .attach = attach,
  .am = pst_ofi_am,
  .am_short = pst_ofi_am_short,
  .put = pst_ofi_put,
  .get = pst_ofi_get,
  .poll = pst_ofi_poll,
  .poll_replies = pst_ofi_poll_replies,
  .served = pst_ofi_served,
  .close = close_conduit,
};
