/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ofi/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/conduit.h"

/* Where configure was given a directory, the library there; else where the loader finds one. */
#ifndef PST_OFI_LIBRARY
#define PST_OFI_LIBRARY "libfabric.so.1"
#endif

struct pst_ofi_library pst_ofi_library;

/* The symbols' default versions belong together, and are those that a program linked with the library would
 * get. */
static const struct {
  const char *name;
  size_t at;
} functions[] = {
    {"fi_getinfo", offsetof(struct pst_ofi_library, getinfo)},
    {"fi_dupinfo", offsetof(struct pst_ofi_library, dupinfo)},
    {"fi_freeinfo", offsetof(struct pst_ofi_library, freeinfo)},
    {"fi_fabric", offsetof(struct pst_ofi_library, fabric)},
    {"fi_strerror", offsetof(struct pst_ofi_library, strerror)},
    {"fi_version", offsetof(struct pst_ofi_library, version)},
};

static int resolve_functions(void *handle, struct pst_ofi_library *l)
{
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *f = dlsym(handle, functions[i].name);
    if (!f) return PST_ERR_UNSUPPORTED;
    memcpy((char *)l + functions[i].at, &f, sizeof f);
  }
  return PST_OK;
}

/* It stays loaded: providers leave threads and handlers behind. */
const char *pst_ofi_library_open(void)
{
  static char why[512];
  struct pst_ofi_library loaded;
  void *library;
  if (pst_ofi_library.version) return NULL;
  library = dlopen(PST_OFI_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library || resolve_functions(library, &loaded) != PST_OK) {
    snprintf(why, sizeof why, "libfabric cannot be used: %s", dlerror());
    return why;
  }
  pst_ofi_library = loaded;
  return NULL;
}

int pst_ofi_library_load(void)
{
  const char *why = pst_ofi_library_open();
  if (why) pst_warn("%s", why);
  return why ? PST_ERR_UNSUPPORTED : PST_OK;
}
