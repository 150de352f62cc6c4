/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What libfabric is and finds here, for gasnet_info. */
#include "conduits/net/library.h"
#include "conduits/ofi/ofi.h"

static void tell_library(const struct pst_inspector *tell)
{
  const uint32_t version = pst_ofi_library.version();
  const char *file = pst_net_library_file(*(void **)&pst_ofi_library.version);
  if (file) tell->fact("library", "%s", file);
  tell->fact("version", "libfabric %u.%u", FI_MAJOR(version), FI_MINOR(version));
  tell->fact("built with", "libfabric %u.%u", FI_MAJOR_VERSION, FI_MINOR_VERSION);
}

static void tell_provider(const struct pst_inspector *tell, const char *name)
{
  tell->item("provider", name);
  if (pst_ofi_take(name, PST_OFI_ASK_ALL) < 0) {
    tell->fact("usable", "no: it cannot tell when a put is visible");
    return;
  }
  tell->fact("device", "%s", pst_ofi.info->domain_attr->name);
  tell->fact("reaches", pst_ofi_reaches_hosts(name) ? "all hosts" : "this host alone");
  tell->fact("by", pst_ofi_is_native(name) ? "itself" : "the kernel's sockets");
  if (pst_ofi.transfer > SIZE_MAX / 4) tell->fact("largest transfer", "any");
  else tell->fact("largest transfer", "%zu", pst_ofi.transfer);
  tell->fact("inject", "%zu", pst_ofi.inject);
  if (!pst_ofi.multi_recv) tell->fact("multi-receive", "no");
  if (!pst_ofi.delivery_complete) tell->fact("delivery complete", "no");
}

const char *pst_ofi_inspect(const struct pst_inspector *tell)
{
  char names[PST_OFI_NAMES][PST_OFI_NAME] = {{0}};
  const char *why = pst_ofi_library_open();
  if (why) return why;
  tell_library(tell);
  if (pst_ofi_offer(1, names) != PST_OK) return "out of memory";
  for (int i = 0; i < PST_OFI_NAMES && names[i][0]; i++) tell_provider(tell, names[i]);
  return names[0][0] ? NULL : pst_ofi_why_none();
}
