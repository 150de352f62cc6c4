/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Handler-safe locks with tracing and, in debug builds, with checks. penstock/hsl.h calls these where tracing
 * or checks are on, and otherwise takes the mutex itself. */
#include "core/hsl.h"

#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"

static _Thread_local struct {
  unsigned held;       /* locks; counted by debug builds alone, as is what follows */
  int interrupts_held; /* gasnet_hold_interrupts without its resume */
} self;

int pst_hsl_held(void) { return self.held != 0; }
int pst_hsl_interrupts_held(void) { return self.interrupts_held; }

/* A tag in the lock says whether it is initialised or destroyed. The tag is mixed with the lock's address:
 * memory at which there was never a lock has neither tag, whatever was copied there, but by a chance of
 * 2^-63. GASNET_HSL_INITIALIZER's tag is not mixed with an address. */
#define LIVE UINT64_C(0xb1f06c2d95e8473a)
#define DEAD UINT64_C(0x4ed2a7903c6b18f5)
static int has_tag(const gasnet_hsl_t *hsl, uint64_t tag) { return hsl->pst_tag == (tag ^ (uintptr_t)hsl); }
static void set_tag(gasnet_hsl_t *hsl, uint64_t tag) { hsl->pst_tag = tag ^ (uintptr_t)hsl; }

static int hsl_is_held(const gasnet_hsl_t *hsl)
{
  return __atomic_load_n(&hsl->lock.pst_owner, __ATOMIC_RELAXED) != 0;
}

static void check_init(const gasnet_hsl_t *hsl)
{
  static const gasnet_hsl_t constant = GASNET_HSL_INITIALIZER;
  if (hsl->pst_tag == constant.pst_tag)
    pst_fatal("gasnet_hsl_init: GASNET_HSL_INITIALIZER has initialised the lock already");
  if (has_tag(hsl, LIVE))
    pst_fatal("gasnet_hsl_init: the lock is initialised already, and was not destroyed since");
}

void pst_hsl_init(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG) check_init(hsl);
  gasnett_mutex_init(&hsl->lock);
  hsl->pst_depth = 0;
  set_tag(hsl, LIVE);
}

static void check_lock(const char *call, const gasnet_hsl_t *hsl)
{
  if (pst_mutex_mine(&hsl->lock)) pst_fatal("%s: this thread holds the lock already", call);
}

static void count_lock(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG) hsl->pst_depth = ++self.held;
}

void pst_hsl_lock(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG) check_lock("gasnet_hsl_lock", hsl);
  PST_TRACE('L', "HSL_LOCK", -1, 0);
  gasnett_mutex_lock(&hsl->lock);
  count_lock(hsl);
}

int pst_hsl_trylock(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG) check_lock("gasnet_hsl_trylock", hsl);
  PST_TRACE('L', "HSL_TRYLOCK", -1, 0);
  if (gasnett_mutex_trylock(&hsl->lock) != 0) return GASNET_ERR_NOT_READY;
  count_lock(hsl);
  return GASNET_OK;
}

static void check_unlock(const gasnet_hsl_t *hsl)
{
  if (!hsl_is_held(hsl)) pst_fatal("gasnet_hsl_unlock: the lock is not held");
  if (!pst_mutex_mine(&hsl->lock)) pst_fatal("gasnet_hsl_unlock: another thread holds the lock");
  if (hsl->pst_depth != self.held)
    pst_fatal("gasnet_hsl_unlock: out of order; this thread has taken another lock after this one, and holds "
              "it still");
  self.held--;
}

void pst_hsl_unlock(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG) check_unlock(hsl);
  PST_TRACE('L', "HSL_UNLOCK", -1, 0);
  gasnett_mutex_unlock(&hsl->lock);
}

static void check_destroy(const gasnet_hsl_t *hsl)
{
  if (has_tag(hsl, DEAD)) pst_fatal("gasnet_hsl_destroy: the lock is destroyed already");
  if (hsl_is_held(hsl)) pst_fatal("gasnet_hsl_destroy: the lock is held");
}

void pst_hsl_destroy(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG) check_destroy(hsl);
  gasnett_mutex_destroy_ignoreerr(&hsl->lock);
  set_tag(hsl, DEAD);
}

/* A handler, and a thread that holds a lock, is in a section without interrupts anyway. */
static int ignores_sections(void) { return self.held || pst_amcheck_in_handler(); }

void gasnet_hold_interrupts(void)
{
  if (!PST_DEBUG || ignores_sections()) return;
  if (self.interrupts_held) pst_fatal("gasnet_hold_interrupts: they are held already; the calls do not nest");
  self.interrupts_held = 1;
}

void gasnet_resume_interrupts(void)
{
  if (!PST_DEBUG || ignores_sections()) return;
  if (!self.interrupts_held) pst_fatal("gasnet_resume_interrupts without gasnet_hold_interrupts");
  self.interrupts_held = 0;
}
