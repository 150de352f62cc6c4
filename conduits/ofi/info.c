/* Which provider serves. */
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"
#include "support/env.h"

const char *pst_ofi_error(ssize_t rc) { return pst_ofi_library.strerror((int)-rc); }

/* Every registration mode that pst_ofi_register and the segment's keys serve. */
static struct fi_info *hints(void)
{
  struct fi_info *h = pst_ofi_library.dupinfo(NULL);
  if (!h) return NULL;
  h->caps = FI_MSG | FI_RMA | FI_MULTI_RECV;
  h->mode = FI_CONTEXT | FI_CONTEXT2;
  h->ep_attr->type = FI_EP_RDM;
  h->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  h->domain_attr->threading = pst_ofi.par ? FI_THREAD_SAFE : FI_THREAD_DOMAIN;
  h->domain_attr->resource_mgmt = FI_RM_ENABLED;
  h->domain_attr->av_type = FI_AV_TABLE;
  h->tx_attr->op_flags = FI_COMPLETION;
  return h;
}

/* Shared memory is the business of another conduit, and it ends at the host. */
static int spans_hosts(const struct fi_info *i) { return strstr(i->fabric_attr->prov_name, "shm") == NULL; }

static struct fi_info *first_suitable(struct fi_info *list, int any)
{
  for (struct fi_info *i = list; i; i = i->next)
    if (any || spans_hosts(i)) return i;
  return NULL;
}

int pst_ofi_choose(unsigned nodes, struct fi_info **info)
{
  struct fi_info *h = hints(), *list = NULL, *found;
  const char *provider = pst_env_string(PST_ENV_OFI_PROVIDER), *device = pst_env_string(PST_ENV_OFI_DEVICE);
  int rc;
  (void)nodes;
  if (!h) return PST_ERR_NOMEM;
  if (provider) h->fabric_attr->prov_name = strdup(provider);
  if (device) h->domain_attr->name = strdup(device);
  rc = pst_ofi_library.getinfo(FI_VERSION(1, 15), NULL, NULL, 0, h, &list);
  pst_ofi_library.freeinfo(h);
  found = rc == 0 ? first_suitable(list, provider != NULL) : NULL;
  *info = found ? pst_ofi_library.dupinfo(found) : NULL;
  if (list) pst_ofi_library.freeinfo(list);
  if (found && *info) return PST_OK;
  pst_warn("libfabric has no provider of reliable datagrams%s%s%s%s: %s; `fi_info -t FI_EP_RDM` lists them",
           provider ? " for GASNET_OFI_PROVIDER=" : "", provider ? provider : "", device ? " GASNET_OFI_DEVICE=" : "",
           device ? device : "", rc ? pst_ofi_error(rc) : "none spans hosts");
  return PST_ERR_UNSUPPORTED;
}
