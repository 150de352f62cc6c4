/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Settings of the layer ofi_rxm over tcp, which it takes from the environment: some when the library is first
 * asked for anything, others, which are the only ones where it was not asked for by name, when an endpoint
 * opens. They are there for that long. What the user says stands. */
#include "conduits/ofi/rxm.h"

#include <stdlib.h>
#include <string.h>

/* Messages above the limit (16 KiB) are cut to pieces or fetched by the receiver, which over tcp only costs.
 * Of the receive buffers, each as long as the limit, there would be 1,024, cleared in every process: 70 MB.
 * More than a few are of no use where a socket holds back what has no buffer. */
static struct {
  const char *name, *value;
  int ours; /* it is set, and not by the user */
} settings[] = {{"FI_OFI_RXM_EAGER_LIMIT", "69632", 0}, {"FI_OFI_RXM_MSG_RX_SIZE", "128", 0}};
enum { LIMIT, SETTINGS = sizeof settings / sizeof settings[0] };

static int is_rxm(const char *provider) { return provider && strcmp(provider, "tcp;ofi_rxm") == 0; }

void pst_ofi_rxm_set(const char *provider)
{
  for (int i = 0; i < SETTINGS && is_rxm(provider); i++)
    settings[i].ours = !getenv(settings[i].name) && setenv(settings[i].name, settings[i].value, 1) == 0;
}

uint32_t pst_ofi_rxm_limit(void)
{
  const char *limit = getenv(settings[LIMIT].name);
  return limit ? (uint32_t)strtoul(limit, NULL, 0) : 0;
}

void pst_ofi_rxm_unset(void)
{
  for (int i = 0; i < SETTINGS; i++) {
    if (settings[i].ours) unsetenv(settings[i].name);
    settings[i].ours = 0;
  }
}
