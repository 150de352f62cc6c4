/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which provider serves, and what it can.
 *
 * libfabric's order of preference decides, without providers that cannot span the job's hosts or that some
 * node lacks (agree.c). The chosen one is then asked for abilities that it need not have:
 *
 *   multi-receive         else each message takes a buffer of its own (receive.c)
 *   delivery complete     else a read behind each put, which may not overtake the put, proves that it is
 *                         visible (rma.c)
 *   atomic operations     else messages; asked for only where the job would use them
 *   resource management   else the completion queue has room for all that may ever be in it (ep.c)
 *
 * No order between messages is needed: windows and replies do without. */
#include <arpa/inet.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"
#include "conduits/ofi/rxm.h"
#include "conduits/ofi/variables.h"
#include "support/env.h"
#include "support/integers.h"

const char *pst_ofi_error(ssize_t rc) { return pst_ofi_library.strerror((int)-rc); }

/* An ability with a larger number is worth more than all those with smaller ones. */
enum { ASK_ATOMIC = 1, ASK_RESOURCE_MGMT = 2, ASK_MULTI_RECV = 4, ASK_DELIVERY_COMPLETE = 8 };

/* Every registration mode is served: see register.c. */
static const uint64_t mr_modes = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY |
    FI_MR_ENDPOINT | FI_MR_RAW;

static struct fi_info *make_hints(void)
{
  struct fi_info *h = pst_ofi_library.dupinfo(NULL);
  const int manual = pst_ofi.crowded || pst_ofi_without.auto_progress;
  if (!h) return NULL;
  h->caps = FI_MSG | FI_RMA;
  h->mode = FI_CONTEXT | FI_CONTEXT2;
  h->ep_attr->type = FI_EP_RDM;
  h->domain_attr->mr_mode = (int)mr_modes;
  h->domain_attr->threading = pst_net.par ? FI_THREAD_SAFE : FI_THREAD_DOMAIN;
  h->domain_attr->av_type = FI_AV_TABLE;
  if (manual) h->domain_attr->control_progress = h->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  return h;
}

/* ---- who may serve ---- */

static int is_loopback(const struct fi_info *i)
{
  const struct sockaddr_in *v4 = i->src_addr;
  const struct sockaddr_in6 *v6 = i->src_addr;
  if (i->src_addr && i->src_addrlen >= sizeof *v4 && v4->sin_family == AF_INET)
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
  if (i->src_addr && i->src_addrlen >= sizeof *v6 && v6->sin6_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
  return 0;
}

/* Shared memory ends at the host, and so do devices that say that they reach this host alone. */
static int spans_hosts(const struct fi_info *i)
{
  if (strstr(i->fabric_attr->prov_name, "shm") || is_loopback(i)) return 0;
  return (i->caps & (FI_LOCAL_COMM | FI_REMOTE_COMM)) != FI_LOCAL_COMM;
}

static int is_device(const struct fi_info *i, const char *name)
{
  return !name || strcmp(i->domain_attr->name, name) == 0;
}

static int is_named(const char *name)
{
  const char *wanted = pst_env_string(&pst_ofi_env.provider);
  return wanted && strcmp(wanted, name) == 0;
}

/* Not every provider looks for the device by itself. */
static int is_suitable(const struct fi_info *i, int one_host)
{
  if (strcmp(i->fabric_attr->prov_name, PST_OFI_UNSAFE) == 0 && !is_named(PST_OFI_UNSAFE)) return 0;
  return is_device(i, pst_env_string(&pst_ofi_env.device)) && (one_host || spans_hosts(i)) &&
      i->ep_attr->max_msg_size >= PST_NET_LEAST_MESSAGE;
}

/* ---- what it can ---- */

static struct fi_info *first_answer(struct fi_info *h)
{
  struct fi_info *list = NULL, *i, *first = NULL;
  if (pst_ofi_library.getinfo(FI_VERSION(1, 15), NULL, NULL, 0, h, &list) != 0) return NULL;
  for (i = list; i && !is_device(i, h->domain_attr->name); i = i->next) {}
  if (i) first = pst_ofi_library.dupinfo(i);
  pst_ofi_library.freeinfo(list);
  return first;
}

/* The same provider, device and network, with the abilities `what`; NULL: they are not granted. */
static struct fi_info *ask_provider(const struct fi_info *i, unsigned what)
{
  struct fi_info *h = make_hints(), *found;
  if (!h) return NULL;
  h->fabric_attr->prov_name = strdup(i->fabric_attr->prov_name);
  h->fabric_attr->name = i->fabric_attr->name ? strdup(i->fabric_attr->name) : NULL;
  h->domain_attr->name = i->domain_attr->name ? strdup(i->domain_attr->name) : NULL;
  h->addr_format = i->addr_format;
  if (what & ASK_MULTI_RECV) h->caps |= FI_MULTI_RECV;
  if (what & ASK_ATOMIC) h->caps |= FI_ATOMIC;
  if (what & ASK_RESOURCE_MGMT) h->domain_attr->resource_mgmt = FI_RM_ENABLED;
  if (what & ASK_DELIVERY_COMPLETE) h->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
  else h->tx_attr->msg_order = h->rx_attr->msg_order = FI_ORDER_RAW;
  found = first_answer(h);
  pst_ofi_library.freeinfo(h);
  return found;
}

/* Without one of the two nothing tells when a put is visible. */
static int proves_puts(const struct fi_info *i, unsigned asked)
{
  const int ordered = (i->tx_attr->msg_order & FI_ORDER_RAW) &&
      i->ep_attr->max_order_raw_size >= PST_NET_LEAST_MESSAGE;
  return (asked & ASK_DELIVERY_COMPLETE) || ordered;
}

/* rxd (libfabric 1.17) gives the lengths of messages that share a buffer to one another, and what reads bring
 * where more than 128 are under way. So each message has a buffer, and there are fewer operations (ep.c). */
int pst_ofi_mixes_up(const char *provider) { return strstr(provider, "ofi_rxd") != NULL; }

/* Layers over other providers, and providers without a device, leave atomic operations to the target's
 * processor, as our own messages do. */
static int by_device(const char *provider)
{
  return pst_ofi_is_native(provider) && !strstr(provider, ";ofi_rx") && !strstr(provider, "shm");
}

/* rxd (libfabric 1.17) fails with many atomic operations at a time, too. */
static int wants_atomics(const char *provider)
{
  if (pst_net.atomics == PST_ATOMICS_ANY) return !pst_ofi_mixes_up(provider);
  return pst_net.atomics == PST_ATOMICS_BY_DEVICE && by_device(provider);
}

static unsigned abilities_allowed(const char *provider)
{
  unsigned all = pst_ofi_mixes_up(provider) ? PST_OFI_ASK_ALL & ~(unsigned)ASK_MULTI_RECV : PST_OFI_ASK_ALL;
  if (!wants_atomics(provider)) all &= ~(unsigned)ASK_ATOMIC;
  if (pst_ofi_without.multi_recv) all &= ~(unsigned)ASK_MULTI_RECV;
  if (pst_ofi_without.resource_mgmt) all &= ~(unsigned)ASK_RESOURCE_MGMT;
  if (pst_ofi_without.delivery_complete) all &= ~(unsigned)ASK_DELIVERY_COMPLETE;
  return all;
}

/* Whether messages lie in a buffer one directly behind the other: see receive.c. */
static int leaves_no_gaps(const char *provider)
{
  static const char *const known[] = {"net", "tcp", "tcp;ofi_rxm", "shm"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(provider, known[i]) == 0) return 1;
  return 0;
}

static void note_provider(struct fi_info *i, unsigned granted)
{
  i->tx_attr->op_flags &= ~FI_DELIVERY_COMPLETE; /* asked for with each put, and with nothing else */
  pst_ofi.info = i;
  pst_ofi.atomics = (granted & ASK_ATOMIC) != 0;
  pst_ofi.multi_recv = (granted & ASK_MULTI_RECV) != 0;
  pst_ofi.without_gaps = leaves_no_gaps(i->fabric_attr->prov_name);
  pst_ofi.delivery_complete = (granted & ASK_DELIVERY_COMPLETE) != 0;
  pst_ofi.inject = pst_ofi_without.inject ? 0 : pst_least(i->tx_attr->inject_size, PST_OFI_INJECT_MOST);
  pst_ofi.transfer = i->ep_attr->max_msg_size;
  if (!pst_ofi.delivery_complete)
    pst_ofi.transfer = pst_least(pst_ofi.transfer, i->ep_attr->max_order_raw_size);
  if (pst_ofi_without.size) pst_ofi.transfer = pst_least(pst_ofi.transfer, pst_ofi_without.size);
  if (!(granted & ASK_RESOURCE_MGMT)) i->domain_attr->resource_mgmt = FI_RM_DISABLED;
}

/* The largest set of abilities, of those that may be asked for, that the provider grants; -1: it cannot
 * serve. */
static int take_abilities(const struct fi_info *i, unsigned may)
{
  for (unsigned what = PST_OFI_ASK_ALL + 1; what-- > 0;) {
    struct fi_info *found = (what & may) == what ? ask_provider(i, what) : NULL;
    if (found && proves_puts(found, what)) {
      note_provider(found, what);
      return (int)what;
    }
    if (found) pst_ofi_library.freeinfo(found);
  }
  return -1;
}

/* ---- what is offered to the other nodes, and taken ---- */

static struct {
  struct fi_info *list;
  int one_host, rc;
} offered;

static int add_name(char names[PST_OFI_NAMES][PST_OFI_NAME], const char *name)
{
  int i = 0;
  if (strlen(name) >= PST_OFI_NAME) return 0;
  while (i < PST_OFI_NAMES && names[i][0] && strcmp(names[i], name) != 0) i++;
  if (i < PST_OFI_NAMES) strcpy(names[i], name);
  return i < PST_OFI_NAMES;
}

int pst_ofi_offer(int one_host, char names[PST_OFI_NAMES][PST_OFI_NAME])
{
  const char *provider = pst_env_string(&pst_ofi_env.provider), *device = pst_env_string(&pst_ofi_env.device);
  struct fi_info *h;
  pst_ofi_faults_read();
  if (!(h = make_hints())) return PST_ERR_NOMEM;
  if (provider) h->fabric_attr->prov_name = strdup(provider);
  if (device) h->domain_attr->name = strdup(device);
  offered.one_host = one_host;
  pst_ofi_rxm_set(provider);
  offered.rc = pst_ofi_library.getinfo(FI_VERSION(1, 15), NULL, NULL, 0, h, &offered.list);
  pst_ofi_rxm_unset();
  pst_ofi_library.freeinfo(h);
  if (offered.rc != 0) offered.list = NULL;
  for (const struct fi_info *i = offered.list; i; i = i->next)
    if (is_suitable(i, one_host)) add_name(names, i->fabric_attr->prov_name);
  return PST_OK;
}

int pst_ofi_take(const char *name, unsigned may)
{
  int granted = -1;
  if (pst_ofi.info) pst_ofi_library.freeinfo(pst_ofi.info);
  pst_ofi.info = NULL;
  for (const struct fi_info *i = offered.list; i && granted < 0; i = i->next)
    if (is_suitable(i, offered.one_host) && strcmp(i->fabric_attr->prov_name, name) == 0)
      granted = take_abilities(i, may & abilities_allowed(name));
  return granted;
}

void pst_ofi_forget(void)
{
  if (offered.list) pst_ofi_library.freeinfo(offered.list);
  offered.list = NULL;
}

void pst_ofi_settle(void)
{
  pst_ofi_forget();
  pst_ofi_faults_force_modes();
}

static int is_offered(const char *name)
{
  for (const struct fi_info *i = offered.list; i; i = i->next)
    if (strcmp(i->fabric_attr->prov_name, name) == 0) return 1;
  return 0;
}

int pst_ofi_reaches_hosts(const char *name)
{
  for (const struct fi_info *i = offered.list; i; i = i->next)
    if (strcmp(i->fabric_attr->prov_name, name) == 0 && spans_hosts(i)) return 1;
  return 0;
}

/* ---- why no provider serves, or the one that node 0 has does not ---- */

static const char *reason_of(const char *name)
{
  return !offered.list                      ? pst_ofi_error(offered.rc)
      : is_offered(name)                    ? "it cannot tell when a put is visible"
      : pst_env_string(&pst_ofi_env.device) ? "there is no such device that serves"
                                            : "none spans the job's hosts";
}

static const char *text_of_none(const char *name)
{
  const char *provider = pst_env_string(&pst_ofi_env.provider), *device = pst_env_string(&pst_ofi_env.device);
  return pst_why(
      "libfabric has no provider of reliable datagrams%s%s%s%s here: %s; `fi_info -t FI_EP_RDM` lists them",
      provider ? " for GASNET_OFI_PROVIDER=" : "", provider ? provider : "",
      device ? " GASNET_OFI_DEVICE=" : "", device ? device : "", reason_of(name));
}

const char *pst_ofi_why_none(void) { return text_of_none(""); }

void pst_ofi_refuse(const char *name)
{
  if (name[0] && !pst_env_string(&pst_ofi_env.provider) && !pst_env_string(&pst_ofi_env.device))
    pst_say("libfabric's provider %s, which node 0 has, cannot be used here: %s; choose one that all hosts "
            "have by GASNET_OFI_PROVIDER; "
            "`fi_info -t FI_EP_RDM` lists them",
        name, !offered.list || is_offered(name) ? reason_of(name) : "it is not there");
  else pst_say("%s", text_of_none(name));
}
