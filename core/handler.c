/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/handler.h"

#include <string.h>

#include "support/error.h"

pst_handler_fn pst_handler[PST_HANDLER_END];

void pst_handler_set(gasnet_handler_t index, pst_handler_fn fn) { pst_handler[index] = fn; }

static int index_take(unsigned char *used, unsigned index)
{
  if (used[index]) return 0;
  return used[index] = 1;
}

static const char *check_fixed(const gasnet_handlerentry_t *table, int n, unsigned char *used)
{
  for (int i = 0; i < n; i++) {
    if (table[i].index == 0) continue;
    if (table[i].index < PST_HANDLER_CLIENT)
      return "a handler index below 128 (clients have 128..255, or 0 for any)";
    if (!index_take(used, table[i].index)) return "two handlers with the same index";
  }
  return NULL;
}

static void assign_free(gasnet_handlerentry_t *table, int n, unsigned char *used)
{
  unsigned next = PST_HANDLER_CLIENT;
  for (int i = 0; i < n; i++) {
    if (table[i].index != 0) continue;
    while (!index_take(used, next)) next++;
    table[i].index = (gasnet_handler_t)next;
  }
}

int pst_handler_register(gasnet_handlerentry_t *table, int numentries, const char **why)
{
  unsigned char used[PST_HANDLER_END];
  memset(used, 0, sizeof used);
  if (numentries < 0 || (numentries > 0 && !table)) {
    *why = "no handler table";
    return GASNET_ERR_BAD_ARG;
  }
  if (numentries > PST_HANDLER_END - PST_HANDLER_CLIENT) {
    *why = "more than 128 handlers";
    return GASNET_ERR_BAD_ARG;
  }
  if ((*why = check_fixed(table, numentries, used)) != NULL) return GASNET_ERR_BAD_ARG;
  assign_free(table, numentries, used);
  for (int i = 0; i < numentries; i++) pst_handler[table[i].index] = (pst_handler_fn)table[i].fnptr;
  return GASNET_OK;
}
