/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* On a single host shared memory is enough. In a job on several hosts the first process of each host wakes
 * its supervisor. The supervisor sends the host's blobs to the launcher and writes what comes back into the
 * host's memory. Under a foreign launcher the first process does both itself. */
#include "bootstrap/boot.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/control.h"
#include "bootstrap/exchange.h"
#include "bootstrap/foreign_job.h"
#include "support/error.h"
#include "support/futex.h"
#include "support/yield.h"

/* ---- on one host ---- */

static void generation_await(struct pst_exchange *x, uint32_t generation)
{
  enum { YIELDS = 200 };
  for (int i = 0; atomic_load_explicit(&x->generation, memory_order_acquire) == generation; i++) {
    if (i < YIELDS) pst_yield();
    else pst_futex_wait_shared(&x->generation, generation, 10 * 1000 * 1000);
  }
}

static void exchange_fence(struct pst_exchange *x, unsigned nodes)
{
  const uint32_t generation = atomic_load_explicit(&x->generation, memory_order_acquire);
  if (atomic_fetch_add_explicit(&x->arrived, 1, memory_order_acq_rel) + 1 < nodes) {
    generation_await(x, generation);
    return;
  }
  atomic_store_explicit(&x->arrived, 0, memory_order_relaxed);
  atomic_store_explicit(&x->generation, generation + 1, memory_order_release);
  if (nodes > 1) pst_futex_wake_shared(&x->generation);
}

/* Every node's blob of `size` bytes (at most PST_EXCHANGE_MAX) into all[nodes * size]. */
static void exchange_all(
    struct pst_exchange *x, unsigned node, unsigned nodes, const void *mine, size_t size, void *all)
{
  static unsigned turn;
  char *const blobs = x->blobs + (turn++ % 2) * (size_t)nodes * PST_EXCHANGE_MAX;
  memcpy(blobs + node * size, mine, size);
  exchange_fence(x, nodes);
  memcpy(all, blobs, nodes * size);
}

static struct pst_start place;

void pst_boot_open(const struct pst_start *s) { place = *s; }

static unsigned local_index(void) { return place.node - place.first; }

static void fence_host(void) { exchange_fence(pst_control_exchange(place.hm.state), place.local); }

/* Blobs that are too large for the host's exchange go in pieces. */
static void exchange_on_host(const char *mine, size_t size, char *all)
{
  static char piece[PST_MAX_LOCAL * PST_EXCHANGE_MAX];
  if (size <= PST_EXCHANGE_MAX) {
    exchange_all(pst_control_exchange(place.hm.state), local_index(), place.local, mine, size, all);
    return;
  }
  for (size_t at = 0; at < size; at += PST_EXCHANGE_MAX) {
    const size_t n = size - at < PST_EXCHANGE_MAX ? size - at : PST_EXCHANGE_MAX;
    exchange_all(pst_control_exchange(place.hm.state), local_index(), place.local, mine + at, n, piece);
    for (unsigned i = 0; i < place.local; i++) memcpy(all + i * size + at, piece + i * n, n);
  }
}

/* ---- in the job ---- */

static void supervisor_ring(struct pst_jobexchange *g, uint32_t turn)
{
  const uint64_t one = 1;
  atomic_store_explicit(&g->asked, turn, memory_order_release);
  if (write(place.hm.bell_fd, &one, sizeof one) != sizeof one)
    pst_fatal(
        "cannot reach the supervisor of this host: %m (was its descriptor %d closed?)", place.hm.bell_fd);
}

static void answer_await(struct pst_jobexchange *g, uint32_t turn)
{
  for (uint32_t seen; (seen = atomic_load_explicit(&g->answered, memory_order_acquire)) != turn;)
    pst_futex_wait_shared(&g->answered, seen, -1);
}

static void exchange_between_hosts(const char *mine, size_t size, char *all)
{
  static uint32_t turn; /* the same in all processes, for all call collectives in one order */
  struct pst_jobexchange *g = pst_control_jobexchange(place.hm.state);
  if (size) memcpy(g->bytes + local_index() * size, mine, size);
  turn++;
  fence_host();
  if (local_index() == 0) g->size = (uint32_t)size;
  if (pst_foreign_is_job()) pst_foreign_exchange(g, local_index(), turn);
  else if (local_index() == 0) supervisor_ring(g, turn);
  answer_await(g, turn);
  if (size) memcpy(all, pst_jobexchange_all(g, &place.hm.state->part), place.nodes * size);
}

void pst_boot_all(const void *mine, size_t size, void *all)
{
  if (size > PST_BOOT_MAX)
    pst_fatal("a blob of %zu bytes in the exchange at start; %d are possible", size, PST_BOOT_MAX);
  if (place.hosts > 1) exchange_between_hosts(mine, size, all);
  else exchange_on_host(mine, size, all);
}

void pst_boot_fence(void)
{
  if (place.hosts > 1) exchange_between_hosts(NULL, 0, NULL);
  else fence_host();
}

/* ---- cores ---- */

_Static_assert(
    sizeof(cpu_set_t) == sizeof place.hm.state->cores, "a bit for each that the kernel can name so");

/* sched_getaffinity fails on a host with more cores than a cpu_set_t: then all that exist. */
static void process_cores(cpu_set_t *set)
{
  if (sched_getaffinity(0, sizeof *set, set) == 0) return;
  CPU_ZERO(set);
  for (long i = sysconf(_SC_NPROCESSORS_ONLN); i-- > 0;)
    if (i < CPU_SETSIZE) CPU_SET((unsigned)i, set);
}

/* Invariant: bits are only added. Each process adds its own before the fence, which orders them before any
 * process counts. */
unsigned pst_boot_cores(void)
{
  _Atomic uint64_t *all = place.hm.state->cores;
  uint64_t mine[PST_CORE_WORDS];
  cpu_set_t set;
  unsigned n = 0;
  process_cores(&set);
  memcpy(mine, &set, sizeof mine);
  for (unsigned i = 0; i < PST_CORE_WORDS; i++)
    if (mine[i]) atomic_fetch_or_explicit(&all[i], mine[i], memory_order_relaxed);
  pst_boot_fence();
  for (unsigned i = 0; i < PST_CORE_WORDS; i++)
    n += (unsigned)__builtin_popcountll(atomic_load_explicit(&all[i], memory_order_relaxed));
  return n;
}
