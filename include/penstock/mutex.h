/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Mutexes and condition variables of pthread. Debug builds also record the owner, for assertions
 * (README-tools, "Mutexes"). They work between threads in every thread mode. Functions return 0 or an errno
 * value. */
#ifndef PENSTOCK_MUTEX_H
#define PENSTOCK_MUTEX_H
#include <pthread.h>

#include "penstock/platform.h"
PST_BEGIN_C

/* pst_owner: the thread that holds the lock, or 0. Only that thread writes it, and only in debug builds. */
typedef struct {
  pthread_mutex_t pst_lock;
  uintptr_t pst_owner;
} gasnett_mutex_t;
#define GASNETT_MUTEX_INITIALIZER \
  { \
    PTHREAD_MUTEX_INITIALIZER, 0 \
  }

typedef pthread_cond_t gasnett_cond_t;
#define GASNETT_COND_INITIALIZER PTHREAD_COND_INITIALIZER

/* Names the failed assertion and ends the program. */
void pst_lock_failed(const char *what, const char *file, int line) __attribute__((noreturn, cold));
#define PST_LOCK_ASSERT(cond, what) ((cond) ? (void)0 : pst_lock_failed(what, __FILE__, __LINE__))

PST_INLINE uintptr_t pst_lock_self(void) { return (uintptr_t)pthread_self(); }

PST_INLINE void pst_mutex_own(gasnett_mutex_t *m, uintptr_t owner)
{
#if defined(GASNET_DEBUG)
  __atomic_store_n(&m->pst_owner, owner, __ATOMIC_RELAXED);
#else
  (void)m, (void)owner;
#endif
}

PST_INLINE int gasnett_mutex_init(gasnett_mutex_t *m)
{
  m->pst_owner = 0;
  return pthread_mutex_init(&m->pst_lock, 0);
}

PST_INLINE int gasnett_mutex_destroy(gasnett_mutex_t *m) { return pthread_mutex_destroy(&m->pst_lock); }
PST_INLINE void gasnett_mutex_destroy_ignoreerr(gasnett_mutex_t *m)
{
  (void)pthread_mutex_destroy(&m->pst_lock);
}

PST_INLINE int gasnett_mutex_lock(gasnett_mutex_t *m)
{
  int err = pthread_mutex_lock(&m->pst_lock);
  if (err == 0) pst_mutex_own(m, pst_lock_self());
  return err;
}

/* 0 when the caller now holds it, else EBUSY. */
PST_INLINE int gasnett_mutex_trylock(gasnett_mutex_t *m)
{
  int err = pthread_mutex_trylock(&m->pst_lock);
  if (err == 0) pst_mutex_own(m, pst_lock_self());
  return err;
}

PST_INLINE int gasnett_mutex_unlock(gasnett_mutex_t *m)
{
  pst_mutex_own(m, 0);
  return pthread_mutex_unlock(&m->pst_lock);
}

PST_INLINE int pst_mutex_mine(const gasnett_mutex_t *m)
{
  return __atomic_load_n(&m->pst_owner, __ATOMIC_RELAXED) == pst_lock_self();
}

/* Assert that this thread holds m, or does not; only in debug builds of the client. */
#if defined(GASNET_DEBUG)
#define gasnett_mutex_assertlocked(m) \
  PST_LOCK_ASSERT(pst_mutex_mine(m), "mutex " #m " is not held by this thread")
#define gasnett_mutex_assertunlocked(m) \
  PST_LOCK_ASSERT(!pst_mutex_mine(m), "mutex " #m " is held by this thread")
#else
#define gasnett_mutex_assertlocked(m)   ((void)(m))
#define gasnett_mutex_assertunlocked(m) ((void)(m))
#endif

PST_INLINE int gasnett_cond_init(gasnett_cond_t *c) { return pthread_cond_init(c, 0); }
PST_INLINE int gasnett_cond_destroy(gasnett_cond_t *c) { return pthread_cond_destroy(c); }
PST_INLINE int gasnett_cond_signal(gasnett_cond_t *c) { return pthread_cond_signal(c); }
PST_INLINE int gasnett_cond_broadcast(gasnett_cond_t *c) { return pthread_cond_broadcast(c); }

/* The caller holds m. The wait releases m and takes it again. It may return without a signal. */
PST_INLINE int gasnett_cond_wait(gasnett_cond_t *c, gasnett_mutex_t *m)
{
  int err;
  pst_mutex_own(m, 0);
  err = pthread_cond_wait(c, &m->pst_lock);
  pst_mutex_own(m, pst_lock_self());
  return err;
}

PST_END_C
#endif
