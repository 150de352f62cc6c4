/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "gasp/known.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "gasp/runtime.h"

#define PLAIN __attribute__((no_instrument_function)) /* also where this library's flags instrument */

static PLAIN _Atomic(struct pst_gasp_known *) *bucket_of(struct pst_gasp_knowledge *all, const void *address)
{
  const uintptr_t a = (uintptr_t)address;
  return &all->bucket[(a ^ a >> 12) % PST_GASP_KNOWN_BUCKETS];
}

static PLAIN const struct pst_gasp_known *known_search(const struct pst_gasp_known *k, const void *address)
{
  while (k && k->address != address) k = k->next;
  return k;
}

/* Tools know a text by its address: where threads add one address at the same time, all use one entry. A text
 * that is not shared by then is a copy. */
static PLAIN const struct pst_gasp_known *known_insert(
    _Atomic(struct pst_gasp_known *) *at, struct pst_gasp_known *k)
{
  const struct pst_gasp_known *there;
  k->next = atomic_load(at);
  while (!(there = known_search(k->next, k->address)))
    if (atomic_compare_exchange_weak(at, &k->next, k)) return k;
  if (k->text != there->text) free((char *)k->text);
  free(k);
  return there;
}

static PLAIN const struct pst_gasp_known *known_add(struct pst_gasp_knowledge *all, const void *address)
{
  const int error = errno;
  const struct pst_gasp_known *known = NULL;
  pst_gasp_hush(1);
  struct pst_gasp_known *const k = malloc(sizeof *k);
  if (k) {
    *k = (struct pst_gasp_known){.address = address};
    all->find(k);
    known = known_insert(bucket_of(all, address), k);
  }
  pst_gasp_hush(-1);
  errno = error;
  return known;
}

PLAIN const struct pst_gasp_known *pst_gasp_know(struct pst_gasp_knowledge *all, const void *address)
{
  const struct pst_gasp_known *const k = known_search(
      atomic_load_explicit(bucket_of(all, address), memory_order_acquire), address);
  return k ? k : known_add(all, address);
}
