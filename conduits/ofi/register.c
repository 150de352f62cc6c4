/* Registration of memory, in every mode that libfabric knows. */
#include <rdma/fi_errno.h>
#include <stdlib.h>

#include "conduits/ofi/call.h"

static int wants(uint64_t mode) { return (pst_ofi.info->domain_attr->mr_mode & mode) != 0; }

/* Modes that tests asked for and the provider did not may be more than it can do; then they are not needed either. */
static int bind(struct fid_mr *mr)
{
  int rc;
  if (!wants(FI_MR_ENDPOINT)) return 0;
  rc = fi_mr_bind(mr, &pst_ofi.ep->fid, 0);
  if (rc == 0) rc = fi_mr_enable(mr);
  return pst_ofi.mr_forced & PST_OFI_MR_ENDPOINT ? 0 : rc;
}

int pst_ofi_register(const void *p, size_t nbytes, uint64_t access, uint64_t key, struct fid_mr **mr)
{
  struct fid_mr *new = NULL;
  int rc;
  if (!pst_net_call_try()) return PST_ERR_AGAIN;
  rc = fi_mr_reg(pst_ofi.domain, p, nbytes, access, 0, key, 0, &new, NULL);
  if (rc == 0 && (rc = bind(new)) != 0) fi_close(&new->fid);
  pst_net_call_end();
  if (rc == 0) *mr = new;
  return rc == 0 ? PST_OK : rc == -FI_EAGAIN ? PST_ERR_AGAIN : PST_ERR_SYSTEM;
}

int pst_ofi_register_local(const void *p, size_t nbytes, uint64_t access, uint64_t key, struct fid_mr **mr)
{
  *mr = NULL;
  return wants(FI_MR_LOCAL) && nbytes ? pst_ofi_register(p, nbytes, access, key, mr) : PST_OK;
}

void pst_ofi_unregister(struct fid_mr **mr)
{
  if (*mr) fi_close(&(*mr)->fid);
  *mr = NULL;
}

/* 0 is the segment's. Few are given, all when the conduit is opened: they fit into the smallest keys. */
uint64_t pst_ofi_register_key(void)
{
  static uint64_t last;
  return ++last;
}

/* ---- keys of segments ---- */

enum { RAW_MAX = 256 };

/* A key that does not fit into 64 bits goes over as bytes, and gets a number here. */
struct key {
  uint64_t plain, base;
  uint32_t raw_bytes;
  uint32_t reserved;
  uint8_t raw[RAW_MAX];
};

static int own_key(struct key *k)
{
  size_t n = RAW_MAX;
  int rc;
  if (!pst_ofi.segment_mr) return PST_OK;
  k->plain = fi_mr_key(pst_ofi.segment_mr);
  if (!wants(FI_MR_RAW)) return PST_OK;
  rc = fi_mr_raw_attr(pst_ofi.segment_mr, &k->base, k->raw, &n, 0);
  if (rc == 0) k->raw_bytes = (uint32_t)n;
  return rc == 0 || pst_ofi.mr_forced & PST_OFI_MR_RAW ? PST_OK : PST_ERR_SYSTEM;
}

static int learn(const struct key *k, uint64_t *key)
{
  *key = k->plain;
  if (k->raw_bytes == 0) return PST_OK;
  if (k->raw_bytes > RAW_MAX) return PST_ERR_INVALID;
  return fi_mr_map_raw(pst_ofi.domain, k->base, (uint8_t *)(uintptr_t)k->raw, k->raw_bytes, key, 0) == 0 ? PST_OK : PST_ERR_SYSTEM;
}

static int exchange_keys(void)
{
  struct key mine = { 0 }, *all = malloc(pst_net.nodes * sizeof *all);
  int rc = all ? own_key(&mine) : PST_ERR_NOMEM;
  if (rc != PST_OK) goto done;
  pst_net.exchange(&mine, sizeof mine, all);
  for (unsigned i = 0; i < pst_net.nodes && rc == PST_OK; i++) rc = learn(&all[i], &pst_ofi.key[i]);
done:
  free(all);
  return rc;
}

/* Without FI_MR_RAW a word each is all that travels. */
static int exchange_words(void)
{
  const uint64_t mine = pst_ofi.segment_mr ? fi_mr_key(pst_ofi.segment_mr) : 0;
  pst_net.exchange(&mine, sizeof mine, pst_ofi.key);
  return PST_OK;
}

int pst_ofi_keys(const gasnet_seginfo_t *mine)
{
  enum { ACCESS = FI_REMOTE_READ | FI_REMOTE_WRITE | FI_READ | FI_WRITE };
  int rc = PST_OK;
  while (mine->size && (rc = pst_ofi_register(mine->addr, mine->size, ACCESS, 0, &pst_ofi.segment_mr)) == PST_ERR_AGAIN) {}
  if (rc == PST_OK) return wants(FI_MR_RAW) ? exchange_keys() : exchange_words();
  pst_warn("%s cannot register a segment of %zu bytes; see ulimit -l", pst_net.library, (size_t)mine->size);
  return rc;
}
