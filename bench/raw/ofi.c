/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bare program for libfabric: one endpoint with the settings that conduits/ofi asks for, and one
 * completion queue. */
#include "ofi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/rxm.h"

/* raw_address's content. */
struct address {
  uint64_t key, base; /* of its target memory */
  uint32_t size;
  char name[244];
};
_Static_assert(sizeof(struct address) <= sizeof(struct raw_address), "it holds what the peer must know");

struct raw_ofi raw_ofi;

_Noreturn void raw_ofi_die(const char *what, ssize_t rc)
{
  fprintf(stderr, "gasnetbench: bare libfabric program: %s: %s\n", what, fi_strerror((int)-rc));
  exit(1);
}

/* ---- the provider ---- */

/* What conduits/ofi/info.c asks for. */
static struct fi_info *hints(const char *provider)
{
  const char *device = getenv("GASNET_OFI_DEVICE");
  struct fi_info *h = fi_allocinfo();
  if (!h) raw_ofi_die("fi_allocinfo", -FI_ENOMEM);
  h->caps = FI_MSG | FI_RMA | FI_MULTI_RECV;
  h->mode = FI_CONTEXT | FI_CONTEXT2;
  h->ep_attr->type = FI_EP_RDM;
  h->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  h->domain_attr->threading = FI_THREAD_DOMAIN;
  h->domain_attr->resource_mgmt = FI_RM_ENABLED;
  h->domain_attr->av_type = FI_AV_TABLE;
  h->tx_attr->op_flags = FI_COMPLETION;
  h->fabric_attr->prov_name = strdup(provider);
  if (device) h->domain_attr->name = strdup(device);
  return h;
}

static int choose(const char *provider, struct fi_info **list)
{
  struct fi_info *h = hints(provider);
  const int rc = fi_getinfo(FI_VERSION(1, 15), NULL, NULL, 0, h, list);
  fi_freeinfo(h);
  return rc;
}

int raw_offers(const char *provider)
{
  struct fi_info *list = NULL;
  if (choose(provider, &list) != 0) return 0;
  fi_freeinfo(list);
  return 1;
}

/* ---- opening ---- */

static void open_endpoint(void)
{
  struct fi_av_attr av = {.type = FI_AV_TABLE, .count = 1};
  struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_DATA, .size = 16384, .wait_obj = FI_WAIT_NONE};
  raw_ofi_need(fi_fabric(raw_ofi.info->fabric_attr, &raw_ofi.fabric, NULL), "fi_fabric");
  raw_ofi_need(fi_domain(raw_ofi.fabric, raw_ofi.info, &raw_ofi.domain, NULL), "fi_domain");
  raw_ofi_need(fi_av_open(raw_ofi.domain, &av, &raw_ofi.av, NULL), "fi_av_open");
  raw_ofi_need(fi_cq_open(raw_ofi.domain, &cq, &raw_ofi.cq, NULL), "fi_cq_open");
  raw_ofi_need(fi_endpoint(raw_ofi.domain, raw_ofi.info, &raw_ofi.ep, NULL), "fi_endpoint");
  raw_ofi_need(fi_ep_bind(raw_ofi.ep, &raw_ofi.av->fid, 0), "fi_ep_bind");
  raw_ofi_need(fi_ep_bind(raw_ofi.ep, &raw_ofi.cq->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  raw_ofi_need(fi_enable(raw_ofi.ep), "fi_enable");
}

static struct fid_mr *registered(void *p, size_t nbytes, uint64_t access, uint64_t key)
{
  struct fid_mr *mr;
  raw_ofi_need(fi_mr_reg(raw_ofi.domain, p, nbytes, access, 0, key, 0, &mr, NULL), "fi_mr_reg");
  if (!(raw_ofi.info->domain_attr->mr_mode & FI_MR_ENDPOINT)) return mr;
  raw_ofi_need(fi_mr_bind(mr, &raw_ofi.ep->fid, 0), "fi_mr_bind");
  raw_ofi_need(fi_mr_enable(mr), "fi_mr_enable");
  return mr;
}

/* Local memory is registered only where the provider asks for it. */
static void register_memory(const struct raw_memory *m)
{
  enum { TARGET, LOCAL, MESSAGES };
  size_t size;
  void *messages = raw_ofi_messages(&size);
  raw_ofi.target_mr = registered(m->target, m->size, FI_REMOTE_READ | FI_REMOTE_WRITE, TARGET);
  if (!(raw_ofi.info->domain_attr->mr_mode & FI_MR_LOCAL)) return;
  raw_ofi.local_mr = registered(m->local, m->size, FI_READ | FI_WRITE, LOCAL);
  raw_ofi.message_mr = registered(messages, size, FI_SEND | FI_RECV, MESSAGES);
  raw_ofi.local_desc = fi_mr_desc(raw_ofi.local_mr);
  raw_ofi.message_desc = fi_mr_desc(raw_ofi.message_mr);
}

void raw_open(const char *provider, const struct raw_memory *m, struct raw_address *mine)
{
  struct address address = {0};
  size_t size = sizeof address.name;
  pst_ofi_rxm_set(provider);
  raw_ofi_need(choose(provider, &raw_ofi.info), "fi_getinfo");
  open_endpoint();
  pst_ofi_rxm_unset();
  register_memory(m);
  raw_ofi_make_slots();
  raw_ofi_need(fi_getname(&raw_ofi.ep->fid, address.name, &size), "fi_getname");
  address.size = (uint32_t)size;
  address.key = fi_mr_key(raw_ofi.target_mr);
  address.base = raw_ofi.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uintptr_t)m->target : 0;
  memcpy(mine->bytes, &address, sizeof address);
}

void raw_join(const struct raw_address *peer)
{
  struct address address;
  memcpy(&address, peer->bytes, sizeof address);
  const int n = fi_av_insert(raw_ofi.av, address.name, 1, &raw_ofi.peer, 0, NULL);
  if (n != 1) raw_ofi_die("fi_av_insert", n < 0 ? n : -FI_EINVAL);
  raw_ofi.key = address.key;
  raw_ofi.base = address.base;
}

static void close_one(struct fid *f)
{
  if (f) raw_ofi_need(fi_close(f), "fi_close");
}

void raw_close(void)
{
  close_one(&raw_ofi.ep->fid);
  close_one(raw_ofi.message_mr ? &raw_ofi.message_mr->fid : NULL);
  close_one(raw_ofi.local_mr ? &raw_ofi.local_mr->fid : NULL);
  close_one(&raw_ofi.target_mr->fid);
  close_one(&raw_ofi.cq->fid);
  close_one(&raw_ofi.av->fid);
  close_one(&raw_ofi.domain->fid);
  close_one(&raw_ofi.fabric->fid);
}

/* ---- what raw.c wants to know ---- */

const int raw_end_is_answered = 0;
void raw_serving(int begins) { (void)begins; }

const struct raw_program raw_program = {
    RAW_COMMON_FUNCTIONS, .variable = "GASNET_OFI_PROVIDER", .series = {RAW_COMMON_SERIES}};
