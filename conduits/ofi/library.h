/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* libfabric, with its many providers. All else of it is called through its objects. */
#ifndef CONDUITS_OFI_LIBRARY_H
#define CONDUITS_OFI_LIBRARY_H
#include <rdma/fabric.h>

struct pst_ofi_library {
  int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
      const struct fi_info *hints, struct fi_info **info);
  struct fi_info *(*dupinfo)(const struct fi_info *info); /* of NULL: an empty one */
  void (*freeinfo)(struct fi_info *info);
  int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
  const char *(*strerror)(int errnum);
  uint32_t (*version)(void);
};
extern struct pst_ofi_library pst_ofi_library;

/* NULL, or the reason why it cannot be used. */
const char *pst_ofi_library_open(void);

#endif
