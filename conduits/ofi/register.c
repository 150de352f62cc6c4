/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Registration of memory, in every mode that libfabric knows. */
#include <rdma/fi_errno.h>
#include <stdlib.h>

#include "conduits/ofi/call.h"

/* The provider may be unable to do what only tests asked for; then it is not needed either. */
static int bind_to_endpoint(struct fid_mr *mr)
{
  int rc;
  if (!pst_ofi_has_mode(FI_MR_ENDPOINT)) return 0;
  rc = fi_mr_bind(mr, &pst_ofi.ep->fid, 0);
  if (rc == 0) rc = fi_mr_enable(mr);
  return pst_ofi_mr_forced.endpoint ? 0 : rc;
}

int pst_ofi_register(const void *p, size_t nbytes, uint64_t access, uint64_t key, struct fid_mr **mr)
{
  struct fid_mr *new = NULL;
  int rc;
  if (!pst_net_call_try()) return PST_ERR_AGAIN;
  rc = fi_mr_reg(pst_ofi.domain, p, nbytes, access, 0, key, 0, &new, NULL);
  if (rc == 0 && (rc = bind_to_endpoint(new)) != 0) fi_close(&new->fid);
  pst_net_call_end();
  if (rc == 0) *mr = new;
  return rc == 0 ? PST_OK : rc == -FI_EAGAIN ? PST_ERR_AGAIN : PST_ERR_SYSTEM;
}

int pst_ofi_register_local(const void *p, size_t nbytes, uint64_t access, uint64_t key, struct fid_mr **mr)
{
  *mr = NULL;
  return pst_ofi_has_mode(FI_MR_LOCAL) && nbytes ? pst_ofi_register(p, nbytes, access, key, mr) : PST_OK;
}

void pst_ofi_unregister(struct fid_mr **mr)
{
  if (*mr) fi_close(&(*mr)->fid);
  *mr = NULL;
}

/* 0 is the segment's key. Few keys are used, so all fit into the smallest kind. */
uint64_t pst_ofi_register_key(void)
{
  static uint64_t last;
  return ++last;
}

/* ---- keys of regions ---- */

enum { RAW_MAX = 256 };

/* A key that does not fit into 64 bits travels as bytes, and gets a number at its destination. */
struct key {
  uint64_t plain, base;
  uint32_t raw_bytes;
  uint32_t reserved;
  uint8_t raw[RAW_MAX];
};

static int own_key(struct fid_mr *mr, struct key *k)
{
  size_t n = RAW_MAX;
  int rc;
  if (!mr) return PST_OK;
  k->plain = fi_mr_key(mr);
  if (!pst_ofi_has_mode(FI_MR_RAW)) return PST_OK;
  rc = fi_mr_raw_attr(mr, &k->base, k->raw, &n, 0);
  if (rc == 0) k->raw_bytes = (uint32_t)n;
  return rc == 0 || pst_ofi_mr_forced.raw ? PST_OK : PST_ERR_SYSTEM;
}

static int learn_key(const struct key *k, uint64_t *key)
{
  *key = k->plain;
  if (k->raw_bytes == 0) return PST_OK;
  if (k->raw_bytes > RAW_MAX) return PST_ERR_INVALID;
  return fi_mr_map_raw(pst_ofi.domain, k->base, (uint8_t *)(uintptr_t)k->raw, k->raw_bytes, key, 0) == 0
      ? PST_OK
      : PST_ERR_SYSTEM;
}

static int exchange_keys(struct fid_mr *mr, uint64_t *keys)
{
  struct key mine = {0}, *all = malloc(pst_net.nodes * sizeof *all);
  int rc = all ? own_key(mr, &mine) : PST_ERR_NOMEM;
  if (rc != PST_OK) goto done;
  pst_net.exchange(&mine, sizeof mine, all);
  for (unsigned i = 0; i < pst_net.nodes && rc == PST_OK; i++) rc = learn_key(&all[i], &keys[i]);
done:
  free(all);
  return rc;
}

/* Without FI_MR_RAW a word each is all that travels. */
static int exchange_words(struct fid_mr *mr, uint64_t *keys)
{
  const uint64_t mine = mr ? fi_mr_key(mr) : 0;
  pst_net.exchange(&mine, sizeof mine, keys);
  return PST_OK;
}

static int register_region(const gasnet_seginfo_t *own, uint64_t key, struct fid_mr **mr)
{
  enum { ACCESS = FI_REMOTE_READ | FI_REMOTE_WRITE | FI_READ | FI_WRITE };
  int rc = PST_OK;
  while (own->size && (rc = pst_ofi_register(own->addr, own->size, ACCESS, key, mr)) == PST_ERR_AGAIN) {}
  if (rc != PST_OK)
    pst_warn("%s cannot register %zu bytes of memory that others reach; see ulimit -l", pst_net.library,
        (size_t)own->size);
  return rc;
}

int pst_ofi_keys(void)
{
  int rc = PST_OK;
  pst_ofi.region_mr = calloc(pst_net.regions, sizeof *pst_ofi.region_mr);
  pst_ofi.key = calloc((size_t)pst_net.regions * pst_net.nodes, sizeof *pst_ofi.key);
  if (!pst_ofi.region_mr || !pst_ofi.key) return PST_ERR_NOMEM;
  for (unsigned r = 0; r < pst_net.regions && rc == PST_OK; r++) {
    uint64_t *keys = pst_ofi.key + (size_t)r * pst_net.nodes;
    rc = register_region(&pst_net.own[r], r ? pst_ofi_register_key() : 0, &pst_ofi.region_mr[r]);
    if (rc == PST_OK)
      rc = pst_ofi_has_mode(FI_MR_RAW) ? exchange_keys(pst_ofi.region_mr[r], keys)
                                       : exchange_words(pst_ofi.region_mr[r], keys);
  }
  return rc;
}
