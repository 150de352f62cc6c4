/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The conduits that configure found buildable: PST_CONDUITS is X(name) for each. */
#include <string.h>

#include "core/conduit.h"

#define X(name) extern const struct pst_conduit pst_conduit_##name;
PST_CONDUITS
#undef X

const struct pst_conduit *pst_conduit_at(unsigned i)
{
#define X(name) &pst_conduit_##name,
  static const struct pst_conduit *const all[] = {PST_CONDUITS NULL};
#undef X
  return all[i];
}

const struct pst_conduit *pst_conduit_find(const char *name)
{
  const struct pst_conduit *c = NULL;
  for (unsigned i = 0; (c = pst_conduit_at(i)) != NULL && strcmp(c->name, name) != 0; i++) {}
  return c;
}
