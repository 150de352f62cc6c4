/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* On a single host shared memory is enough. Between hosts the first process of each rings for its supervisor,
 * which sends the host's blobs to the launcher and puts down what comes back; under a foreign launcher it
 * does so itself. */
#include "bootstrap/boot.h"

#include <string.h>
#include <unistd.h>

#include "bootstrap/control.h"
#include "bootstrap/exchange.h"
#include "bootstrap/foreign_job.h"
#include "support/error.h"
#include "support/futex.h"

static struct pst_start here;

void pst_boot_open(const struct pst_start *s) { here = *s; }

static unsigned local_index(void) { return here.node - here.first; }

static void fence_host(void) { pst_exchange_fence(pst_control_exchange(here.hm.state), here.local); }

/* Blobs larger than the host's exchange takes go in pieces. */
static void exchange_on_host(const char *mine, size_t size, char *all)
{
  static char piece[PST_MAX_LOCAL * PST_EXCHANGE_MAX];
  if (size <= PST_EXCHANGE_MAX) {
    pst_exchange_all(pst_control_exchange(here.hm.state), local_index(), here.local, mine, size, all);
    return;
  }
  for (size_t at = 0; at < size; at += PST_EXCHANGE_MAX) {
    const size_t n = size - at < PST_EXCHANGE_MAX ? size - at : PST_EXCHANGE_MAX;
    pst_exchange_all(pst_control_exchange(here.hm.state), local_index(), here.local, mine + at, n, piece);
    for (unsigned i = 0; i < here.local; i++) memcpy(all + i * size + at, piece + i * n, n);
  }
}

static void ring(struct pst_gather *g, uint32_t turn)
{
  const uint64_t one = 1;
  atomic_store_explicit(&g->asked, turn, memory_order_release);
  if (write(here.hm.bell_fd, &one, sizeof one) != sizeof one)
    pst_fatal(
        "cannot reach the supervisor of this host: %m (was its descriptor %d closed?)", here.hm.bell_fd);
}

static void await(struct pst_gather *g, uint32_t turn)
{
  for (uint32_t seen; (seen = atomic_load_explicit(&g->answered, memory_order_acquire)) != turn;)
    pst_futex_wait_shared(&g->answered, seen, -1);
}

static void between_hosts(const char *mine, size_t size, char *all)
{
  static uint32_t turn; /* the same in all processes: collectives come in one order */
  struct pst_gather *g = pst_control_gather(here.hm.state);
  if (size) memcpy(g->bytes + local_index() * size, mine, size);
  turn++;
  fence_host();
  if (local_index() == 0) g->size = (uint32_t)size;
  if (pst_foreign_is_job()) pst_foreign_gather(g, local_index(), turn);
  else if (local_index() == 0) ring(g, turn);
  await(g, turn);
  if (size) memcpy(all, pst_gather_all(g, &here.hm.state->part), here.nodes * size);
}

void pst_boot_all(const void *mine, size_t size, void *all)
{
  if (size > PST_BOOT_MAX)
    pst_fatal("a blob of %zu bytes in the exchange at start; %d are possible", size, PST_BOOT_MAX);
  if (here.hosts > 1) between_hosts(mine, size, all);
  else exchange_on_host(mine, size, all);
}

void pst_boot_fence(void)
{
  if (here.hosts > 1) between_hosts(NULL, 0, NULL);
  else fence_host();
}
