/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Why no provider serves, or the one that node 0 has does not. */
#include <stdio.h>

#include "conduits/ofi/ofi.h"
#include "conduits/ofi/variables.h"
#include "core/conduit.h"
#include "support/env.h"

static const char *reason(const char *name)
{
  const char *nothing = pst_ofi_offers_nothing();
  return nothing                            ? nothing
      : pst_ofi_offers(name)                ? "it cannot tell when a put is visible"
      : pst_env_string(&pst_ofi_env.device) ? "there is no such device that serves"
                                            : "none spans the job's hosts";
}

static const char *none(const char *name)
{
  static char text[512];
  const char *provider = pst_env_string(&pst_ofi_env.provider), *device = pst_env_string(&pst_ofi_env.device);
  snprintf(text, sizeof text,
      "libfabric has no provider of reliable datagrams%s%s%s%s here: %s; `fi_info -t FI_EP_RDM` lists them",
      provider ? " for GASNET_OFI_PROVIDER=" : "", provider ? provider : "",
      device ? " GASNET_OFI_DEVICE=" : "", device ? device : "", reason(name));
  return text;
}

const char *pst_ofi_why_none(void) { return none(""); }

void pst_ofi_refuse(const char *name)
{
  if (name[0] && !pst_env_string(&pst_ofi_env.provider) && !pst_env_string(&pst_ofi_env.device))
    pst_say("libfabric's provider %s, which node 0 has, cannot be used here: %s; choose one that all hosts "
            "have by GASNET_OFI_PROVIDER; "
            "`fi_info -t FI_EP_RDM` lists them",
        name, pst_ofi_offers_nothing() || pst_ofi_offers(name) ? reason(name) : "it is not there");
  else pst_say("%s", none(name));
}
