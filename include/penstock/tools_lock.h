/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks for many readers or one writer, and spinlocks (README-tools, "Mutexes"); mutexes are in mutex.h. They
 * work between threads in every thread mode. Functions return 0 or an errno value. */
#ifndef PENSTOCK_TOOLS_LOCK_H
#define PENSTOCK_TOOLS_LOCK_H
#include <pthread.h>

#include "penstock/mutex.h"
PST_BEGIN_C

/* Many readers or one writer. A waiting writer does not keep new readers out, as a thread may hold a lock for
 * reading more than once. */
typedef struct {
  pthread_mutex_t pst_lock; /* guards all below */
  pthread_cond_t pst_changed;
  unsigned pst_readers;
  uintptr_t pst_writer;
} gasnett_rwlock_t;
#define GASNETT_RWLOCK_INITIALIZER \
  { \
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 \
  }

int gasnett_rwlock_init(gasnett_rwlock_t *l);
int gasnett_rwlock_destroy(gasnett_rwlock_t *l);
int gasnett_rwlock_rdlock(gasnett_rwlock_t *l);
int gasnett_rwlock_wrlock(gasnett_rwlock_t *l);
int gasnett_rwlock_tryrdlock(gasnett_rwlock_t *l); /* 0 or EBUSY */
int gasnett_rwlock_trywrlock(gasnett_rwlock_t *l);
int gasnett_rwlock_unlock(gasnett_rwlock_t *l);
int pst_rwlock_read_held(gasnett_rwlock_t *l);  /* by anybody */
int pst_rwlock_write_held(gasnett_rwlock_t *l); /* by this thread */

#if defined(GASNET_DEBUG)
#define gasnett_rwlock_assertrdlocked(l) \
  PST_LOCK_ASSERT(pst_rwlock_read_held(l), "rwlock " #l " has no reader")
#define gasnett_rwlock_assertwrlocked(l) \
  PST_LOCK_ASSERT(pst_rwlock_write_held(l), "rwlock " #l " is not held for writing")
#define gasnett_rwlock_assertlocked(l) \
  PST_LOCK_ASSERT(pst_rwlock_read_held(l) || pst_rwlock_write_held(l), "rwlock " #l " is not held")
#define gasnett_rwlock_assertunlocked(l) \
  PST_LOCK_ASSERT(!pst_rwlock_write_held(l), "rwlock " #l " is held for writing by this thread")
#else
#define gasnett_rwlock_assertrdlocked(l) ((void)(l))
#define gasnett_rwlock_assertwrlocked(l) ((void)(l))
#define gasnett_rwlock_assertlocked(l)   ((void)(l))
#define gasnett_rwlock_assertunlocked(l) ((void)(l))
#endif

/* Spinlocks for short sections that never sleep: an atomic that is 0 when free. */
typedef struct {
  int pst_held;
} gasnett_spinlock_t;
#define GASNETT_SPINLOCK_INITIALIZER \
  { \
    0 \
  }
#define gasnett_spinloop_hint() pst_spin_pause()

PST_INLINE void gasnett_spinlock_init(gasnett_spinlock_t *l)
{
  __atomic_store_n(&l->pst_held, 0, __ATOMIC_RELAXED);
}
PST_INLINE void gasnett_spinlock_destroy(gasnett_spinlock_t *l) { (void)l; }

/* 0 when the caller now holds it, else EBUSY (16). */
PST_INLINE int gasnett_spinlock_trylock(gasnett_spinlock_t *l)
{
  return __atomic_exchange_n(&l->pst_held, 1, __ATOMIC_ACQUIRE) ? 16 : 0;
}

/* Spins for a while, then also gives the core away: the lock's holder may need it. */
void pst_spinlock_contended(gasnett_spinlock_t *l);

PST_INLINE void gasnett_spinlock_lock(gasnett_spinlock_t *l)
{
  if (PST_UNLIKELY(gasnett_spinlock_trylock(l) != 0)) pst_spinlock_contended(l);
}

PST_INLINE void gasnett_spinlock_unlock(gasnett_spinlock_t *l)
{
  __atomic_store_n(&l->pst_held, 0, __ATOMIC_RELEASE);
}

PST_END_C
#endif
