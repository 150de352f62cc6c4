/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Endpoints and keys, each made when it is first needed. All nodes learn at the start what is needed to make
 * them.
 *
 * An endpoint that can report that its peer is gone is preferred; some transports (shared memory) cannot, and
 * a process that dies is then the launcher's to notice. Where UCP refuses such an endpoint it
 * would say so in its log, so the log is silent meanwhile. Both are tried in this order for each peer,
 * whatever is known of others: UCP numbers the attempts to make an endpoint to a peer, takes those of equal
 * number at both ends for one connection, and destroys one that is in use where they differ in this mode.
 *
 * Where losses are reported no other endpoint is taken: others keep what they cannot deliver for ever, and a
 * process that dies inside a transport in memory may keep others out of it.
 *
 * Such an endpoint moves nothing that it could not stop moving, so that over tcp a rendezvous is a series of
 * messages (see worker.c). A second one without reports, for large data alone, was no better: UCX may give it
 * other transports, which do not lead there (shared memory between network namespaces), and ends the process
 * when its connection breaks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conduits/ucx/call.h"
#include "core/trace.h"

const char *pst_ucx_error(ucs_status_t status) { return pst_ucx_library.ucs_status_string(status); }

void pst_ucx_lost(gasnet_node_t peer, ucs_status_t status) { pst_net_lost(peer, pst_ucx_error(status)); }

/* ---- what all learn ---- */

enum { HOST_MAX = 64, EXCHANGE_MOST = 4096 };

struct address {
  uint32_t size, message, unit;
  int32_t window;
  char host[HOST_MAX], bytes[];
};
struct key {
  uint32_t size;
  char bytes[];
};

/* Collective: the bytes of all nodes, in blobs of the size of the largest, to be freed; NULL where that is
 * too large. */
static char *exchange_blobs(const void *mine, size_t size, size_t *largest)
{
  uint32_t *sizes = malloc(pst_net.nodes * sizeof *sizes), own = (uint32_t)size;
  char *all, *blob;
  *largest = 0;
  if (!sizes) pst_fatal("out of memory for %u nodes", pst_net.nodes);
  pst_net.exchange(&own, sizeof own, sizes);
  for (unsigned i = 0; i < pst_net.nodes; i++)
    if (sizes[i] > *largest) *largest = sizes[i];
  *largest = pst_net_round_up(*largest); /* so that each blob is aligned */
  free(sizes);
  if (*largest > EXCHANGE_MOST) return NULL;
  blob = calloc(1, *largest);
  all = malloc(pst_net.nodes * *largest);
  if (!blob || !all) pst_fatal("out of memory for %u nodes", pst_net.nodes);
  memcpy(blob, mine, size);
  pst_net.exchange(blob, *largest, all);
  free(blob);
  return all;
}

static void *copy_bytes(const void *p, size_t nbytes)
{
  void *to = malloc(nbytes ? nbytes : 1);
  return to ? memcpy(to, p, nbytes) : NULL;
}

/* Two nodes that count differently would misread each other's credits. */
static int learn_address(unsigned node, const struct address *a, size_t blob)
{
  if (a->size > blob - sizeof *a || a->message != pst_ucx.message || a->unit != pst_credit.unit ||
      a->window != pst_credit.window) {
    pst_warn(
        "UCX gives node %u other abilities than this one; set the same UCX_... variables on all hosts", node);
    return PST_ERR_INVALID;
  }
  pst_ucx.peer[node].address = copy_bytes(a->bytes, a->size);
  PST_TRACE('C', "UCX_PEER", (int)node, sizeof *pst_ucx.peer + sizeof *pst_credit.peer + a->size);
  return pst_ucx.peer[node].address ? pst_net_learn_host(node, a->host, HOST_MAX) : PST_ERR_NOMEM;
}

static int exchange_address(const ucp_address_t *address, size_t size)
{
  const size_t bytes = sizeof(struct address) + size;
  struct address *mine = calloc(1, bytes);
  size_t blob;
  char *all;
  int rc = PST_OK;
  if (!mine) return PST_ERR_NOMEM;
  *mine = (struct address){.size = (uint32_t)size,
      .message = pst_ucx.message,
      .unit = pst_credit.unit,
      .window = pst_credit.window};
  gethostname(mine->host, HOST_MAX - 1);
  memcpy(mine->bytes, address, size);
  all = exchange_blobs(mine, bytes, &blob);
  free(mine);
  if (!all) {
    pst_warn("UCX's address of %zu bytes is too long: choose fewer transports by GASNET_UCX_TLS, or devices "
             "by GASNET_UCX_DEVICES",
        blob);
    return PST_ERR_RANGE;
  }
  for (unsigned i = 0; i < pst_net.nodes && rc == PST_OK; i++)
    rc = learn_address(i, (const struct address *)(all + i * blob), blob);
  free(all);
  return rc;
}

int pst_ucx_exchange_addresses(void)
{
  ucp_address_t *address;
  size_t size;
  int rc;
  if (UCX(worker_get_address)(pst_ucx.worker, &address, &size) != UCS_OK) return PST_ERR_SYSTEM;
  rc = exchange_address(address, size);
  UCX(worker_release_address)(pst_ucx.worker, address);
  return rc;
}

/* ---- memory that others reach ---- */

/* Where neighbours that share no memory with this process are to reach it through UCX's shared memory, the
 * segment must be UCX's: it replaces the memory at that address, which nobody has used yet. */
static ucs_status_t map_region(unsigned r, unsigned flags)
{
  const ucp_mem_map_params_t p = {
      .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
          UCP_MEM_MAP_PARAM_FIELD_FLAGS | UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE,
      .address = pst_net.own[r].addr,
      .length = pst_net.own[r].size,
      .flags = flags,
      .memory_type = UCS_MEMORY_TYPE_HOST,
  };
  return UCX(mem_map)(pst_ucx.context, &p, &pst_ucx.memory[r]);
}

static int register_region(unsigned r, int alone)
{
  ucs_status_t status = UCS_ERR_UNSUPPORTED;
  pst_ucx_library_hush();
  if (r == 0 && alone && !pst_ucx_without.direct)
    status = map_region(r, UCP_MEM_MAP_ALLOCATE | UCP_MEM_MAP_FIXED);
  pst_ucx_library_speak();
  if (status != UCS_OK) status = map_region(r, 0);
  if (status == UCS_OK) return PST_OK;
  pst_warn("UCX cannot register %zu bytes of memory that others reach: %s; see ulimit -l",
      (size_t)pst_net.own[r].size, pst_ucx_error(status));
  return PST_ERR_SYSTEM;
}

/* Inside a call that a signal may interrupt, for registration may take seconds. */
static int register_in_call(unsigned r, int alone)
{
  int rc;
  if (!pst_net_call_begin()) return PST_ERR_SYSTEM;
  rc = register_region(r, alone);
  pst_net_call_end();
  return rc;
}

static int learn_key(unsigned node, unsigned r, const struct key *k, size_t blob)
{
  if (k->size > blob - sizeof *k) return PST_ERR_INVALID;
  if (k->size && !(pst_ucx.peer[node].memory[r].key = copy_bytes(k->bytes, k->size))) return PST_ERR_NOMEM;
  return PST_OK;
}

static int exchange_key(unsigned r, const void *key, size_t size)
{
  struct key *mine = calloc(1, sizeof *mine + size);
  size_t blob;
  char *all;
  int rc = PST_OK;
  if (!mine) return PST_ERR_NOMEM;
  mine->size = (uint32_t)size;
  memcpy(mine->bytes, key, size);
  all = exchange_blobs(mine, sizeof *mine + size, &blob);
  free(mine);
  if (!all)
    pst_warn("UCX's key of memory, %zu bytes, is too long: choose fewer devices by GASNET_UCX_DEVICES", blob);
  for (unsigned i = 0; all && i < pst_net.nodes && rc == PST_OK; i++)
    rc = learn_key(i, r, (const struct key *)(all + i * blob), blob);
  free(all);
  return all ? rc : PST_ERR_RANGE;
}

static int exchange_region(unsigned r, int alone)
{
  const size_t bytes = pst_net.own[r].size;
  void *key = NULL;
  size_t size = 0;
  int rc = PST_OK;
  if (bytes && (rc = register_in_call(r, alone)) != PST_OK) return rc;
  if (bytes && UCX(rkey_pack)(pst_ucx.context, pst_ucx.memory[r], &key, &size) != UCS_OK)
    return PST_ERR_SYSTEM;
  rc = exchange_key(r, key ? key : "", size);
  if (key) UCX(rkey_buffer_release)(key);
  return rc;
}

int pst_ucx_exchange_keys(int alone)
{
  struct pst_ucx_memory *all = calloc((size_t)pst_net.nodes * pst_net.regions, sizeof *all);
  int rc = PST_OK;
  pst_ucx.memory = calloc(pst_net.regions, sizeof *pst_ucx.memory);
  if (!all || !pst_ucx.memory) {
    free(all);
    return PST_ERR_NOMEM;
  }
  for (unsigned i = 0; i < pst_net.nodes; i++) pst_ucx.peer[i].memory = all + (size_t)i * pst_net.regions;
  for (unsigned r = 0; r < pst_net.regions && rc == PST_OK; r++) rc = exchange_region(r, alone);
  return rc;
}

/* ---- endpoints ---- */

/* Its operations end with the error, too. */
static void endpoint_failed(void *peer, ucp_ep_h ep, ucs_status_t status)
{
  (void)ep;
  pst_ucx_lost((gasnet_node_t)(uintptr_t)peer, status);
}

static ucs_status_t endpoint_create(gasnet_node_t peer, ucp_err_handling_mode_t mode, ucp_ep_h *ep)
{
  const ucp_ep_params_t p = {
      .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
          UCP_EP_PARAM_FIELD_ERR_HANDLER,
      .address = pst_ucx.peer[peer].address,
      .err_mode = mode,
      .err_handler = {endpoint_failed, (void *)(uintptr_t)peer},
  };
  return UCX(ep_create)(pst_ucx.worker, &p, ep);
}

static ucs_status_t endpoint_create_reporting(gasnet_node_t peer)
{
  ucs_status_t status;
  pst_ucx_library_hush();
  status = endpoint_create(peer, UCP_ERR_HANDLING_MODE_PEER, &pst_ucx.peer[peer].ep);
  pst_ucx_library_speak();
  return status;
}

/* Which transports an endpoint took, and what for, UCX 1.13 tells in its description alone, in lines like
 * "lane[0]:  0:self/memory0.0 md[0]  -> md[0]/self/sysdev[255] amo#0 am am_bw#0". Returns how many lanes have
 * both texts; *lanes is how many there are. */
static int count_lanes(char *text, const char *transport, const char *use, int *lanes)
{
  int n = 0;
  char *rest;
  *lanes = 0;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    if (!strstr(line, "lane[")) continue;
    if (strstr(line, transport) && strstr(line, use)) n++;
    ++*lanes;
  }
  return n;
}

static int lanes_with(ucp_ep_h ep, const char *transport, const char *use, int *lanes)
{
  char *text = NULL;
  size_t size;
  int n;
  FILE *f = open_memstream(&text, &size);
  *lanes = 0;
  if (!f) return 0;
  UCX(ep_print_info)(ep, f);
  fclose(f);
  n = count_lanes(text, transport, use, lanes);
  free(text);
  return n;
}

/* tcp has no transfers of its own: UCP makes small messages of them, which the peer's processor moves. 1: all
 * lanes are tcp's. */
static int moves_by_message(ucp_ep_h ep)
{
  int lanes;
  return lanes_with(ep, ":tcp/", "", &lanes) == lanes && lanes > 0;
}

/* No endpoint can be made later either. UCX says "unreachable" where no transport leads to the node, but
 * also where the node has ended: then the launcher ends this process before the job gives up on the peer. */
static void peer_refuse(gasnet_node_t peer, ucs_status_t status)
{
  static const char none[] = "no transport leads there; GASNET_UCX_TLS, or UCX_TLS, says which may be used",
                    silent[] = "no transport leads there that reports the end of a peer, as tcp does; "
                               "GASNET_UCX_TLS, or UCX_TLS, says which may be used";
  pst_ucx.peer[peer].gone = 1;
  if (pst_net_reports()) {
    pst_net_lost(peer, silent);
    return;
  }
  pst_net_lost(peer, status == UCS_ERR_UNREACHABLE ? none : pst_ucx_error(status));
}

int pst_ucx_connect(gasnet_node_t peer)
{
  struct pst_ucx_peer *p = &pst_ucx.peer[peer];
  ucs_status_t status = UCS_ERR_UNREACHABLE;
  if (__builtin_expect(p->ep != NULL, 1)) return PST_OK;
  if (p->gone) return PST_ERR_AGAIN;
  if (!pst_ucx_without.peer_errors) status = endpoint_create_reporting(peer);
  if (status != UCS_OK && !pst_net_reports())
    status = endpoint_create(peer, UCP_ERR_HANDLING_MODE_NONE, &p->ep);
  if (status == UCS_OK) {
    p->by_message = moves_by_message(p->ep);
    return PST_OK;
  }
  p->ep = NULL;
  peer_refuse(peer, status);
  return PST_ERR_AGAIN;
}

/* ---- keys ---- */

static void look_for_direct(gasnet_node_t peer, unsigned r)
{
  struct pst_ucx_memory *m = &pst_ucx.peer[peer].memory[r];
  void *here = NULL;
  if (pst_ucx_without.direct) return;
  if (UCX(rkey_ptr)(m->rkey, (uintptr_t)pst_net.region[r][peer].addr, &here) == UCS_OK)
    atomic_store_explicit(&m->direct, here, memory_order_release);
}

/* Little depends on an endpoint to this node itself, so it may fail. */
int pst_ucx_connect_self(void)
{
  struct pst_ucx_peer *p = &pst_ucx.peer[pst_net.node];
  if (p->ep || endpoint_create(pst_net.node, UCP_ERR_HANDLING_MODE_NONE, &p->ep) == UCS_OK) return 1;
  p->ep = NULL;
  return 0;
}

/* Transports in memory are called self/memory, posix/memory and so on. */
int pst_ucx_has_device_atomics(void)
{
  ucp_ep_h self = pst_ucx.peer[pst_net.node].ep;
  int lanes;
  return lanes_with(self, "", " amo", &lanes) > lanes_with(self, "/memory", " amo", &lanes);
}

int pst_ucx_maps_segments(void)
{
  const gasnet_node_t self = pst_net.node;
  struct pst_ucx_peer *p = &pst_ucx.peer[self];
  if (!p->memory[0].key || !pst_ucx_connect_self()) return 0;
  if (UCX(ep_rkey_unpack)(p->ep, p->memory[0].key, &p->memory[0].rkey) != UCS_OK) return 0;
  look_for_direct(self, 0);
  return atomic_load_explicit(&p->memory[0].direct, memory_order_relaxed) != NULL;
}

int pst_ucx_connect_rma(gasnet_node_t peer, unsigned region)
{
  struct pst_ucx_peer *p = &pst_ucx.peer[peer];
  struct pst_ucx_memory *m = &p->memory[region];
  ucs_status_t status;
  if (__builtin_expect(m->rkey != NULL, 1)) return PST_OK;
  if (!m->key) pst_fatal("a transfer to or from the segment of node %u, which is empty", peer);
  if (pst_ucx_connect(peer) != PST_OK) return PST_ERR_AGAIN;
  status = UCX(ep_rkey_unpack)(p->ep, m->key, &m->rkey);
  if (status == UCS_OK) {
    look_for_direct(peer, region);
    return PST_OK;
  }
  m->rkey = NULL;
  pst_ucx_lost(peer, status);
  return PST_ERR_AGAIN;
}
