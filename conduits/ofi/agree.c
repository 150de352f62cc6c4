/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One provider for all nodes, with the same abilities: whoever chose alone might choose what another host
 * lacks. Every node offers the providers that it could use. The first of node 0's that all offer, and that
 * all can open, is taken with the abilities that all are granted. All nodes choose from the same data, so no
 * node has to tell another. */
#include <stdlib.h>
#include <string.h>

#include "conduits/ofi/ofi.h"

struct offer {
  char name[PST_OFI_NAMES][PST_OFI_NAME];
};

static int offer_has(const struct offer *o, const char *name)
{
  for (int i = 0; i < PST_OFI_NAMES; i++)
    if (strncmp(o->name[i], name, PST_OFI_NAME) == 0) return 1;
  return 0;
}

/* The first node that does not offer it; pst_net.nodes when all do. */
static unsigned first_without(const struct offer *all, const char *name)
{
  unsigned i = 0;
  while (i < pst_net.nodes && offer_has(&all[i], name)) i++;
  return i;
}

/* The abilities that all nodes are granted; -1: node *lacking is the first that cannot take the provider. */
static int exchange_granted(int32_t mine, int32_t *all, unsigned *lacking)
{
  int32_t granted = mine;
  pst_net.exchange(&mine, sizeof mine, all);
  for (unsigned i = 0; i < pst_net.nodes; i++) {
    if (all[i] < 0) {
      *lacking = i;
      return -1;
    }
    granted &= all[i];
  }
  return granted;
}

static int take_provider(const char *name, int32_t *all, unsigned *lacking)
{
  const int mine = pst_ofi_take(name, PST_OFI_ASK_ALL), granted = exchange_granted(mine, all, lacking);
  if (granted < 0) return 0;
  return mine == granted || exchange_granted(pst_ofi_take(name, (unsigned)granted), all, lacking) == granted;
}

/* Collective. One node says why. */
static _Noreturn void end_job(unsigned teller, const char *name)
{
  char nothing = 0, *all = calloc(pst_net.nodes, 1);
  if (teller == pst_net.node) pst_ofi_refuse(name);
  if (all) pst_net.exchange(&nothing, sizeof nothing, all);
  gasnet_exit(1);
}

/* 1: pst_ofi.info is the provider that all take. 0: *teller is the node that lacks the first of node 0's. */
static int choose_provider(const struct offer *all, int32_t *granted, unsigned *teller)
{
  const struct offer *first = &all[0];
  *teller = 0;
  for (int i = 0; i < PST_OFI_NAMES && first->name[i][0]; i++) {
    const unsigned without = first_without(all, first->name[i]);
    unsigned lacking = without;
    if (without == pst_net.nodes && take_provider(first->name[i], granted, &lacking)) return 1;
    if (i == 0) *teller = lacking;
  }
  return 0;
}

int pst_ofi_agree(int one_host, int only_asked)
{
  struct offer mine = {0}, *all = calloc(pst_net.nodes, sizeof *all);
  int32_t *granted = calloc(pst_net.nodes, sizeof *granted);
  int rc = all && granted ? pst_ofi_offer(one_host, mine.name) : PST_ERR_NOMEM;
  unsigned teller;
  if (rc != PST_OK) pst_fatal("libfabric cannot be asked for providers: %s", pst_err_text(rc));
  pst_net.exchange(&mine, sizeof mine, all);
  if (choose_provider(all, granted, &teller)) pst_ofi_settle();
  else if (only_asked) rc = PST_ERR_UNSUPPORTED;
  else end_job(teller, all[0].name[0]);
  free(granted);
  free(all);
  return rc;
}
