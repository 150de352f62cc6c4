/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Handler-safe locks: handlers and client code may take them. GASNet specification 1.8, "Handler-safe
 * locks". */
#ifndef PENSTOCK_HSL_H
#define PENSTOCK_HSL_H
#include "penstock/mutex.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The mutex is the lock itself. Under GASNET_PAR its owner may call gasnett_cond_wait(&cond, &hsl.lock),
 * which releases the lock while it waits. That wait serves no messages: another thread must. Only debug
 * builds use the rest: pst_depth is how many locks the owner held when it had taken this one, and pst_tag
 * tells whether the lock is initialised or destroyed. */
typedef struct {
  gasnett_mutex_t lock;
  uint32_t pst_depth, pst_unused;
  uint64_t pst_tag;
} gasnet_hsl_t;
#define GASNET_HSL_INITIALIZER \
  { \
    GASNETT_MUTEX_INITIALIZER, 0, 0, 0x7ac9d15e3b82f604ul \
  }

void pst_hsl_init(gasnet_hsl_t *hsl);
void pst_hsl_lock(gasnet_hsl_t *hsl);
int pst_hsl_trylock(gasnet_hsl_t *hsl);
void pst_hsl_unlock(gasnet_hsl_t *hsl);
void pst_hsl_destroy(gasnet_hsl_t *hsl);

PST_INLINE void gasnet_hsl_init(gasnet_hsl_t *hsl) { pst_hsl_init(hsl); }
PST_INLINE void gasnet_hsl_destroy(gasnet_hsl_t *hsl) { pst_hsl_destroy(hsl); }

/* Handlers run inside the polls of client threads. The only thread does not poll while it holds the lock, so
 * there is nothing to exclude, and the lock costs nothing. */
#if defined(GASNET_SEQ) && !defined(GASNET_DEBUG)
PST_INLINE void gasnet_hsl_lock(gasnet_hsl_t *hsl) { (void)hsl; }
PST_INLINE int gasnet_hsl_trylock(gasnet_hsl_t *hsl)
{
  (void)hsl;
  return GASNET_OK;
}
PST_INLINE void gasnet_hsl_unlock(gasnet_hsl_t *hsl) { (void)hsl; }
#else
/* The library is called where it checks or traces each call. */
#if defined(GASNET_DEBUG)
#define PST_HSL_WATCHED 1
#else
extern uint32_t pst_trace_on;
#define PST_HSL_WATCHED PST_UNLIKELY(__atomic_load_n(&pst_trace_on, __ATOMIC_RELAXED) != 0)
#endif
PST_INLINE void gasnet_hsl_lock(gasnet_hsl_t *hsl)
{
  if (PST_HSL_WATCHED) pst_hsl_lock(hsl);
  else (void)gasnett_mutex_lock(&hsl->lock);
}
/* GASNET_OK when the caller now holds the lock, else GASNET_ERR_NOT_READY. */
PST_INLINE int gasnet_hsl_trylock(gasnet_hsl_t *hsl)
{
  if (PST_HSL_WATCHED) return pst_hsl_trylock(hsl);
  return gasnett_mutex_trylock(&hsl->lock) == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}
PST_INLINE void gasnet_hsl_unlock(gasnet_hsl_t *hsl)
{
  if (PST_HSL_WATCHED) pst_hsl_unlock(hsl);
  else (void)gasnett_mutex_unlock(&hsl->lock);
}
#endif

/* Handlers never interrupt a thread: they run when it polls. Between the two calls a thread makes no call
 * that polls. They come in pairs and do not nest (debug builds check this). They have no effect in handlers
 * and while the thread holds a handler-safe lock. */
void gasnet_hold_interrupts(void);
void gasnet_resume_interrupts(void);

#ifdef __cplusplus
}
#endif
#endif
