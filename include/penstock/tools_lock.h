/* Locks between threads: pthread's, plus knowing the owner so that assertions can be made (README-tools, "Mutexes").
 * They are real in every thread mode. Functions return 0 or an errno value. */
#ifndef PENSTOCK_TOOLS_LOCK_H
#define PENSTOCK_TOOLS_LOCK_H
#include <pthread.h>

#include "penstock/platform.h"
PST_BEGIN_C

/* owner: the thread that holds it, 0 when nobody does; written only by who holds the lock. */
typedef struct { pthread_mutex_t pst_lock; uintptr_t pst_owner; } gasnett_mutex_t;
#define GASNETT_MUTEX_INITIALIZER { PTHREAD_MUTEX_INITIALIZER, 0 }

typedef pthread_cond_t gasnett_cond_t;
#define GASNETT_COND_INITIALIZER PTHREAD_COND_INITIALIZER

/* Many readers or one writer. A waiting writer does not keep new readers out, as a thread may hold a lock for reading
 * more than once. */
typedef struct {
  pthread_mutex_t pst_lock; /* guards all below */
  pthread_cond_t pst_changed;
  unsigned pst_readers;
  uintptr_t pst_writer;
} gasnett_rwlock_t;
#define GASNETT_RWLOCK_INITIALIZER { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 }

/* Names the failed assertion and ends the program. */
void pst_lock_failed(const char *what, const char *file, int line) __attribute__((noreturn, cold));
#define PST_LOCK_ASSERT(cond, what) ((cond) ? (void)0 : pst_lock_failed(what, __FILE__, __LINE__))

PST_INLINE uintptr_t pst_lock_self(void) { return (uintptr_t)pthread_self(); }

PST_INLINE void pst_mutex_own(gasnett_mutex_t *m, uintptr_t owner)
{
  __atomic_store_n(&m->pst_owner, owner, __ATOMIC_RELAXED);
}

PST_INLINE int gasnett_mutex_init(gasnett_mutex_t *m)
{
  m->pst_owner = 0;
  return pthread_mutex_init(&m->pst_lock, 0);
}

PST_INLINE int gasnett_mutex_destroy(gasnett_mutex_t *m) { return pthread_mutex_destroy(&m->pst_lock); }
PST_INLINE void gasnett_mutex_destroy_ignoreerr(gasnett_mutex_t *m) { (void)pthread_mutex_destroy(&m->pst_lock); }

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

/* "This thread holds it", "this thread does not"; checked in debug builds of the client. */
#if defined(GASNET_DEBUG)
#define gasnett_mutex_assertlocked(m) PST_LOCK_ASSERT(pst_mutex_mine(m), "mutex " #m " is not held by this thread")
#define gasnett_mutex_assertunlocked(m) PST_LOCK_ASSERT(!pst_mutex_mine(m), "mutex " #m " is held by this thread")
#else
#define gasnett_mutex_assertlocked(m) ((void)(m))
#define gasnett_mutex_assertunlocked(m) ((void)(m))
#endif

PST_INLINE int gasnett_cond_init(gasnett_cond_t *c) { return pthread_cond_init(c, 0); }
PST_INLINE int gasnett_cond_destroy(gasnett_cond_t *c) { return pthread_cond_destroy(c); }
PST_INLINE int gasnett_cond_signal(gasnett_cond_t *c) { return pthread_cond_signal(c); }
PST_INLINE int gasnett_cond_broadcast(gasnett_cond_t *c) { return pthread_cond_broadcast(c); }

/* The caller holds m; it is given up while waiting and held again on return. May return without a signal. */
PST_INLINE int gasnett_cond_wait(gasnett_cond_t *c, gasnett_mutex_t *m)
{
  int err;
  pst_mutex_own(m, 0);
  err = pthread_cond_wait(c, &m->pst_lock);
  pst_mutex_own(m, pst_lock_self());
  return err;
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
#define gasnett_rwlock_assertrdlocked(l) PST_LOCK_ASSERT(pst_rwlock_read_held(l), "rwlock " #l " has no reader")
#define gasnett_rwlock_assertwrlocked(l) PST_LOCK_ASSERT(pst_rwlock_write_held(l), "rwlock " #l " is not held for writing")
#define gasnett_rwlock_assertlocked(l) \
  PST_LOCK_ASSERT(pst_rwlock_read_held(l) || pst_rwlock_write_held(l), "rwlock " #l " is not held")
#define gasnett_rwlock_assertunlocked(l) \
  PST_LOCK_ASSERT(!pst_rwlock_write_held(l), "rwlock " #l " is held for writing by this thread")
#else
#define gasnett_rwlock_assertrdlocked(l) ((void)(l))
#define gasnett_rwlock_assertwrlocked(l) ((void)(l))
#define gasnett_rwlock_assertlocked(l) ((void)(l))
#define gasnett_rwlock_assertunlocked(l) ((void)(l))
#endif

/* Spinlocks for short sections that never sleep: an atomic that is 0 when free. */
typedef struct { int pst_held; } gasnett_spinlock_t;
#define GASNETT_SPINLOCK_INITIALIZER { 0 }
#define gasnett_spinloop_hint() pst_spin_hint()

PST_INLINE void gasnett_spinlock_init(gasnett_spinlock_t *l) { __atomic_store_n(&l->pst_held, 0, __ATOMIC_RELAXED); }
PST_INLINE void gasnett_spinlock_destroy(gasnett_spinlock_t *l) { (void)l; }

/* 0 when the caller now holds it, else EBUSY (16). */
PST_INLINE int gasnett_spinlock_trylock(gasnett_spinlock_t *l)
{
  return __atomic_exchange_n(&l->pst_held, 1, __ATOMIC_ACQUIRE) ? 16 : 0;
}

/* Spins a while, then gives the core away in between: the holder may be waiting for it. */
void pst_spinlock_contended(gasnett_spinlock_t *l);

PST_INLINE void gasnett_spinlock_lock(gasnett_spinlock_t *l)
{
  if (PST_UNLIKELY(gasnett_spinlock_trylock(l) != 0)) pst_spinlock_contended(l);
}

PST_INLINE void gasnett_spinlock_unlock(gasnett_spinlock_t *l) { __atomic_store_n(&l->pst_held, 0, __ATOMIC_RELEASE); }

PST_END_C
#endif
