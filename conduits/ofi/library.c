/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ofi/library.h"

#include "conduits/net/library.h"

/* Where configure was given a directory, the library there; else where the loader finds one. */
#ifndef PST_OFI_LIBRARY
#define PST_OFI_LIBRARY "libfabric.so.1"
#endif

struct pst_ofi_library pst_ofi_library;

const char *pst_ofi_library_open(void)
{
  static const struct pst_net_function functions[] = {
      {"fi_getinfo", offsetof(struct pst_ofi_library, getinfo)},
      {"fi_dupinfo", offsetof(struct pst_ofi_library, dupinfo)},
      {"fi_freeinfo", offsetof(struct pst_ofi_library, freeinfo)},
      {"fi_fabric", offsetof(struct pst_ofi_library, fabric)},
      {"fi_strerror", offsetof(struct pst_ofi_library, strerror)},
      {"fi_version", offsetof(struct pst_ofi_library, version)},
      {NULL, 0},
  };
  struct pst_ofi_library loaded;
  const char *why;
  if (pst_ofi_library.version) return NULL;
  why = pst_net_library_open("libfabric", PST_OFI_LIBRARY, functions, &loaded);
  if (!why) pst_ofi_library = loaded;
  return why;
}
