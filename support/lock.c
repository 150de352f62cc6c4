/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The parts of the tools' locks that are not worth inlining. */
#include <errno.h>

#include "gasnet_tools.h"
#include "support/error.h"
#include "support/yield.h"

/* About as long as a short critical section on another core takes. */
#define SPINS 200

void pst_lock_failed(const char *what, const char *file, int line)
{
  pst_fatal("%s:%d: %s", file, line, what);
}

void pst_spinlock_contended(gasnett_spinlock_t *l)
{
  for (;;) {
    for (int i = 0; i < SPINS; i++) {
      if (__atomic_load_n(&l->pst_held, __ATOMIC_RELAXED) == 0 && gasnett_spinlock_trylock(l) == 0) return;
      pst_spin_pause();
    }
    pst_yield();
  }
}

int gasnett_rwlock_init(gasnett_rwlock_t *l)
{
  l->pst_readers = 0;
  l->pst_writer = 0;
  int err = pthread_mutex_init(&l->pst_lock, NULL);
  if (err) return err;
  err = pthread_cond_init(&l->pst_changed, NULL);
  if (err) pthread_mutex_destroy(&l->pst_lock);
  return err;
}

int gasnett_rwlock_destroy(gasnett_rwlock_t *l)
{
  int err = pthread_cond_destroy(&l->pst_changed);
  int err2 = pthread_mutex_destroy(&l->pst_lock);
  return err ? err : err2;
}

static int may_read(const gasnett_rwlock_t *l) { return l->pst_writer == 0; }
static int may_write(const gasnett_rwlock_t *l) { return l->pst_writer == 0 && l->pst_readers == 0; }

/* The writer itself would wait for ever. */
static int rwlock_enter(gasnett_rwlock_t *l)
{
  pthread_mutex_lock(&l->pst_lock);
  if (l->pst_writer != pst_lock_self()) return 0;
  pthread_mutex_unlock(&l->pst_lock);
  return EDEADLK;
}

int gasnett_rwlock_rdlock(gasnett_rwlock_t *l)
{
  if (rwlock_enter(l) != 0) return EDEADLK;
  while (!may_read(l)) pthread_cond_wait(&l->pst_changed, &l->pst_lock);
  l->pst_readers++;
  return pthread_mutex_unlock(&l->pst_lock);
}

int gasnett_rwlock_wrlock(gasnett_rwlock_t *l)
{
  if (rwlock_enter(l) != 0) return EDEADLK;
  while (!may_write(l)) pthread_cond_wait(&l->pst_changed, &l->pst_lock);
  l->pst_writer = pst_lock_self();
  return pthread_mutex_unlock(&l->pst_lock);
}

int gasnett_rwlock_tryrdlock(gasnett_rwlock_t *l)
{
  pthread_mutex_lock(&l->pst_lock);
  int ok = may_read(l);
  if (ok) l->pst_readers++;
  pthread_mutex_unlock(&l->pst_lock);
  return ok ? 0 : EBUSY;
}

int gasnett_rwlock_trywrlock(gasnett_rwlock_t *l)
{
  pthread_mutex_lock(&l->pst_lock);
  int ok = may_write(l);
  if (ok) l->pst_writer = pst_lock_self();
  pthread_mutex_unlock(&l->pst_lock);
  return ok ? 0 : EBUSY;
}

int gasnett_rwlock_unlock(gasnett_rwlock_t *l)
{
  int err = 0;
  pthread_mutex_lock(&l->pst_lock);
  if (l->pst_writer == pst_lock_self()) l->pst_writer = 0;
  else if (l->pst_readers) l->pst_readers--;
  else err = EPERM;
  if (l->pst_readers == 0) pthread_cond_broadcast(&l->pst_changed);
  pthread_mutex_unlock(&l->pst_lock);
  return err;
}

int pst_rwlock_read_held(gasnett_rwlock_t *l)
{
  pthread_mutex_lock(&l->pst_lock);
  int held = l->pst_readers != 0;
  pthread_mutex_unlock(&l->pst_lock);
  return held;
}

int pst_rwlock_write_held(gasnett_rwlock_t *l)
{
  pthread_mutex_lock(&l->pst_lock);
  int held = l->pst_writer == pst_lock_self();
  pthread_mutex_unlock(&l->pst_lock);
  return held;
}
