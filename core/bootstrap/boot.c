#include "core/bootstrap/boot.h"

#include <string.h>

#include "core/bootstrap/control.h"
#include "core/bootstrap/exchange.h"
#include "support/error.h"

static struct { struct pst_exchange *x; unsigned index, local; } host;

void pst_boot_open(const struct pst_start *s)
{
  if (s->hosts > 1) pst_fatal("jobs on several hosts are not supported by this version");
  host.x = pst_control_exchange(s->hm.state);
  host.index = s->node - s->first;
  host.local = s->local;
}

/* In rounds of what the host's exchange carries at once. */
void pst_boot_all(const void *mine, size_t size, void *all)
{
  char part[PST_MAX_LOCAL * PST_EXCHANGE_MAX];
  for (size_t at = 0, n; at < size; at += n) {
    n = size - at < PST_EXCHANGE_MAX ? size - at : PST_EXCHANGE_MAX;
    pst_exchange_all(host.x, host.index, host.local, (const char *)mine + at, n, part);
    for (unsigned i = 0; i < host.local; i++) memcpy((char *)all + i * size + at, part + i * n, n);
  }
}

void pst_boot_fence(void) { pst_exchange_fence(host.x, host.local); }
