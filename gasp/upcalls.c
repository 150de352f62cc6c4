/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Upcalls of tools. A tool may define them itself: nothing else in the archive refers to this file. */
#include "gasp_upcalls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gasp/place.h"
#include "penstock/upc_types.h"

/* By copy, since an event's pointer may have any alignment. */
static upc_pts_t pts(const gasp_upc_PTS_t *ptr)
{
  upc_pts_t p = UPC_PTS_NULL;
  if (ptr) memcpy(&p, ptr, sizeof p);
  return p;
}

unsigned gaspu_mythread(void) { return pst_gasp_place.thread; }

unsigned gaspu_threads(void) { return pst_gasp_place.threads; }

int gaspu_init(gasp_model_t model, int *mythread, int *threads)
{
  (void)model;
  if (mythread) *mythread = (int)pst_gasp_place.thread;
  if (threads) *threads = (int)pst_gasp_place.threads;
  return 0;
}

unsigned gaspu_threadof(const gasp_upc_PTS_t *ptr) { return pts(ptr).thread; }

unsigned gaspu_affinity(const gasp_upc_PTS_t *ptr) { return pts(ptr).thread; }

unsigned gaspu_phaseof(const gasp_upc_PTS_t *ptr) { return pts(ptr).phase; }

uint64_t gaspu_addrfield(const gasp_upc_PTS_t *ptr) { return pts(ptr).address; }

void gaspu_dump_shared(const gasp_upc_PTS_t *ptr, char *buffer, int size)
{
  const upc_pts_t p = pts(ptr);
  if (!buffer || size <= 0) return;
  if (!p.address && !p.thread && !p.phase) snprintf(buffer, (size_t)size, "<NULL>");
  else
    snprintf(buffer, (size_t)size, "<address=%#llx thread=%u phase=%u>", (unsigned long long)p.address,
        p.thread, p.phase);
}

const char *gaspu_getenv(const char *name) { return getenv(name); }

uint64_t gaspu_getticks(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t gaspu_ticks_now(void) { return gaspu_getticks(); }

uint64_t gaspu_ticks_to_us(uint64_t ticks) { return ticks / 1000; }
