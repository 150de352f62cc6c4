/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "upc/handle.h"

#include <stdlib.h>

/* A transfer of several steps, or an access region. */
struct upc_transfer {
  struct upc_transfer *next; /* among the implicit transfers of the thread, or of a region */
  struct pst_upc_third *third;
  gasnet_handle_t under;        /* a region's own */
  struct upc_transfer *members; /* of a region */
};

/* Transfers with implicit handles: of the open access region, and all others. */
static struct upc_transfer *implicit, *region;
static int in_region;
static struct upc_transfer *told; /* the open region, where tools are told its handle before it ends */

static int handle_is_ours(upc_handle_t h) { return ((uintptr_t)h & 1) != 0; }
static struct upc_transfer *handle_transfer(upc_handle_t h)
{
  return (struct upc_transfer *)((uintptr_t)h - 1);
}

static upc_handle_t transfer_handle(struct upc_transfer *t) { return (upc_handle_t)((uintptr_t)t + 1); }

static struct upc_transfer *transfer_new(const char *call)
{
  struct upc_transfer *t = calloc(1, sizeof *t);
  if (!t) pst_upc_fatal(call, "out of memory for a handle");
  return t;
}

upc_handle_t pst_upc_handle_third(const char *call, struct pst_upc_third *third)
{
  struct upc_transfer *t;
  if (!third) return UPC_COMPLETE_HANDLE;
  t = transfer_new(call);
  t->third = third;
  return transfer_handle(t);
}

void pst_upc_handle_implicit(const char *call, struct pst_upc_third *third)
{
  struct upc_transfer **list = in_region ? &region : &implicit, *t;
  if (!third) return;
  t = transfer_new(call);
  t->third = third;
  t->next = *list;
  *list = t;
}

/* ---- steps ---- */

/* Takes all transfers of a list a step further, and complete ones off it. Not 0: it is empty. */
static int transfers_advance(struct upc_transfer **list)
{
  for (struct upc_transfer **p = list, *t; (t = *p);) {
    if (pst_upc_third_advance(t->third)) {
      *p = t->next;
      free(t);
    } else {
      p = &t->next;
    }
  }
  return *list == NULL;
}

static void transfers_wait(struct upc_transfer **list)
{
  for (struct upc_transfer *t; (t = *list);) {
    pst_upc_third_wait(t->third);
    *list = t->next;
    free(t);
  }
}

static int transfer_try(struct upc_transfer *t)
{
  if (t->third && pst_upc_third_advance(t->third)) t->third = NULL;
  if (t->under && gasnet_try_syncnb(t->under) == GASNET_OK) t->under = GASNET_INVALID_HANDLE;
  if (!transfers_advance(&t->members) || t->third || t->under) return 0;
  free(t);
  return 1;
}

static void transfer_wait(struct upc_transfer *t)
{
  if (t->third) pst_upc_third_wait(t->third);
  gasnet_wait_syncnb(t->under);
  transfers_wait(&t->members);
  free(t);
}

void pst_upc_handle_wait(upc_handle_t h)
{
  if (handle_is_ours(h)) transfer_wait(handle_transfer(h));
  else gasnet_wait_syncnb((gasnet_handle_t)h);
}

/* Its own malloc and free are not told as the program's. */
static int handle_try(upc_handle_t h)
{
  int done;
  if (!handle_is_ours(h)) return gasnet_try_syncnb((gasnet_handle_t)h) == GASNET_OK;
  if (pst_gasp_on) pst_gasp_hush(1);
  done = transfer_try(handle_transfer(h));
  if (pst_gasp_on) pst_gasp_hush(-1);
  return done;
}

/* ---- explicit handles ---- */

void upc_waitsync(upc_handle_t h)
{
  GASP_BEGIN(UPC, GASP_UPC_NB_SYNC, h);
  pst_upc_handle_wait(h);
  GASP_FINISH(UPC, GASP_UPC_NB_SYNC, h);
}

/* Only the call that completes the transfer is told. */
static void handle_tell_done(upc_handle_t h)
{
  GASP_BEGIN(UPC, GASP_UPC_NB_SYNC, h);
  GASP_FINISH(UPC, GASP_UPC_NB_SYNC, h);
}

int upc_trysync(upc_handle_t h)
{
  const int done = handle_try(h);
  if (done) handle_tell_done(h);
  else pst_gasp_drop_site();
  return done;
}

/* Tries each handle that is not complete, and counts. */
struct outcome {
  size_t left, done;
};
static struct outcome handles_try(upc_handle_t *ph, size_t n)
{
  struct outcome o = {0, 0};
  pst_gasp_keep_site(1);
  for (size_t i = 0; i < n; i++) {
    if (!ph[i]) continue;
    if (!upc_trysync(ph[i])) {
      o.left++;
      continue;
    }
    ph[i] = UPC_COMPLETE_HANDLE;
    o.done++;
  }
  pst_gasp_keep_site(0);
  return o;
}

void upc_waitsync_all(upc_handle_t *ph, size_t n)
{
  pst_gasp_keep_site(1);
  for (size_t i = 0; i < n; i++) {
    if (ph[i]) upc_waitsync(ph[i]);
    ph[i] = UPC_COMPLETE_HANDLE;
  }
  pst_gasp_keep_site(0);
}

int upc_trysync_all(upc_handle_t *ph, size_t n) { return handles_try(ph, n).left == 0; }

int upc_trysync_some(upc_handle_t *ph, size_t n)
{
  const struct outcome o = handles_try(ph, n);
  return o.done || !o.left;
}

void upc_waitsync_some(upc_handle_t *ph, size_t n)
{
  while (!upc_trysync_some(ph, n)) gasnett_sched_yield();
}

/* ---- implicit handles and access regions ---- */

static void region_must_be_closed(const char *call)
{
  if (in_region) pst_upc_fatal(call, "called inside an access region");
}

void upc_waitsynci(void)
{
  region_must_be_closed("upc_waitsynci");
  GASP_BEGIN(UPC, GASP_UPC_NB_SYNC, GASP_PENSTOCK_NB_IMPLICIT);
  transfers_wait(&implicit);
  gasnet_wait_syncnbi_all();
  GASP_FINISH(UPC, GASP_UPC_NB_SYNC, GASP_PENSTOCK_NB_IMPLICIT);
}

int upc_trysynci(void)
{
  int done;
  region_must_be_closed("upc_trysynci");
  if (pst_gasp_on) pst_gasp_hush(1);
  done = transfers_advance(&implicit) && gasnet_try_syncnbi_all() == GASNET_OK;
  if (pst_gasp_on) pst_gasp_hush(-1);
  if (done) handle_tell_done(GASP_PENSTOCK_NB_IMPLICIT);
  else pst_gasp_drop_site();
  return done;
}

/* The begin and end of a region are no events, so they drop the place that was given for them. */
void *pst_upc_handle_told(void)
{
  return in_region && told ? transfer_handle(told) : GASP_PENSTOCK_NB_IMPLICIT;
}

void upc_begin_accessregion(void)
{
  if (in_region) pst_upc_fatal("upc_begin_accessregion", "the last one has not ended; they do not nest");
  if (pst_gasp_on) told = transfer_new("upc_begin_accessregion");
  pst_gasp_drop_site();
  in_region = 1;
  gasnet_begin_nbi_accessregion();
}

upc_handle_t upc_end_accessregion(void)
{
  gasnet_handle_t under;
  struct upc_transfer *t;
  if (!in_region) pst_upc_fatal("upc_end_accessregion", "there was no upc_begin_accessregion");
  in_region = 0;
  under = gasnet_end_nbi_accessregion();
  if (!region && !told) return pst_upc_handle(under);
  t = told ? told : transfer_new("upc_end_accessregion");
  t->under = under;
  t->members = region;
  told = region = NULL;
  if (t->under || t->members) {
    pst_gasp_drop_site();
    return transfer_handle(t);
  }
  handle_tell_done(transfer_handle(t)); /* tools learn that it is complete: nobody waits for it */
  free(t);
  return UPC_COMPLETE_HANDLE;
}

PST_UPC_ALIAS(waitsync);
PST_UPC_ALIAS(trysync);
PST_UPC_ALIAS(waitsync_all);
PST_UPC_ALIAS(trysync_all);
PST_UPC_ALIAS(waitsync_some);
PST_UPC_ALIAS(trysync_some);
PST_UPC_ALIAS(waitsynci);
PST_UPC_ALIAS(trysynci);
PST_UPC_ALIAS(begin_accessregion);
PST_UPC_ALIAS(end_accessregion);
