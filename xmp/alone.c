/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmp/alone.h"

#include "xmp/internal.h"

/* The thread that is in such a function; NULL: none is. It alone clears it, with release, and the next thread
 * takes it with acquire, so that what the functions keep for the process passes from one to the other. */
static const void *owner;
static const char *owner_where; /* for the message */

int pst_xmp_alone_begin(const char *where)
{
  const void *const me = pst_front_thread(), *other = NULL;
  if (__atomic_compare_exchange_n(&owner, &other, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    __atomic_store_n(&owner_where, where, __ATOMIC_RELAXED);
    return 1;
  }
  if (other == me) return 0;
  const char *const there = __atomic_load_n(&owner_where, __ATOMIC_RELAXED);
  pst_xmp_fatal(where,
      "another thread of the parallel region is in %s meanwhile; one thread at a time communicates: write "
      "this "
      "in omp single, master or critical",
      there && there != where ? there : "this directive, too,");
}

void pst_xmp_alone_end(void) { __atomic_store_n(&owner, NULL, __ATOMIC_RELEASE); }
