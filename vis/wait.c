/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetx_wait_until: waiting for what a peer's put announces. */
#include "core/wait.h"

#include "core/amcheck.h"
#include "core/job.h"
#include "core/neighbourhood.h"
#include "gasnetx.h"

static inline int comparison_holds(uint64_t word, gasnetx_compare_t cmp, uint64_t value)
{
  switch (cmp) {
  case GASNETX_EQ: return word == value;
  case GASNETX_NE: return word != value;
  case GASNETX_GT: return word > value;
  case GASNETX_GE: return word >= value;
  case GASNETX_LT: return word < value;
  default: return word <= value;
  }
}

static void check_word(const char *call, const uint64_t *word, gasnetx_compare_t cmp)
{
  if (!PST_DEBUG) return;
  pst_amcheck_client(call);
  if ((uintptr_t)word % sizeof *word)
    pst_fatal("%s: word %p is not aligned to %zu bytes", call, (const void *)word, sizeof *word);
  if ((unsigned)cmp > GASNETX_LE)
    pst_fatal("%s: comparison %d is none of GASNETX_EQ to GASNETX_LE", call, (int)cmp);
}

/* Acquire: pairs with the notification's release, after the data. */
static inline int watch_look(struct pst_watch *w, gasnetx_compare_t cmp, uint64_t value)
{
  w->seen = atomic_load_explicit(w->word, memory_order_acquire);
  return comparison_holds(w->seen, cmp, value);
}

static int watch_eagerly(struct pst_watch *w, gasnetx_compare_t cmp, uint64_t value)
{
  for (unsigned looks = pst_wait_eager(); !watch_look(w, cmp, value); pst_spin_pause())
    if (looks-- == 0) return 0;
  return 1;
}

/* Serves messages at least once: a program may communicate by such words alone while others send to it. */
uint64_t gasnetx_wait_until(const uint64_t *word, gasnetx_compare_t cmp, uint64_t value)
{
  struct pst_watch watch = {.word = (const _Atomic uint64_t *)word};
  struct pst_wait w = {0, 0};
  check_word("gasnetx_wait_until", word, cmp);
  if (watch_eagerly(&watch, cmp, value)) pst_poll();
  else do
      pst_wait_word(&w, &watch);
    while (!watch_look(&watch, cmp, value));
  return watch.seen;
}

void gasnetx_wake(gasnet_node_t node)
{
  PST_CHECK_NODE("gasnetx_wake", node);
  if (pst_neighbour_shared(node)) pst_job.host->ring(node);
}

int gasnetx_test_until(const uint64_t *word, gasnetx_compare_t cmp, uint64_t value, uint64_t *seen)
{
  struct pst_watch watch = {.word = (const _Atomic uint64_t *)word};
  int yes;
  check_word("gasnetx_test_until", word, cmp);
  pst_wait_poll();
  yes = watch_look(&watch, cmp, value);
  if (yes && seen) *seen = watch.seen;
  return yes;
}
