/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Threads of OpenMP in a program whose runtime is else called by one thread. Within an active parallel region
 * several threads may call it at once, and outside of one the program has one thread that does. So what all
 * threads share is locked in regions alone, and a program without OpenMP does not pay for locks. */
#ifndef FRONT_THREADS_H
#define FRONT_THREADS_H

/* OpenMP's own, of whichever compiler; NULL in a program that is not linked with it. */
extern int omp_get_active_level(void) __attribute__((weak));

/* How many parallel regions of several threads the calling thread is in. */
static inline int pst_front_parallel(void) { return omp_get_active_level ? omp_get_active_level() : 0; }

/* One lock for all that is shared, which a thread may take again while it has it: nothing that is done under
 * it takes long, and none of it is on the path of an ordinary loop. */
void pst_front_threads_lock(void);
void pst_front_threads_unlock(void);

/* All that enter in a region leave in it, so both see the same level. */
static inline void pst_front_shared_enter(void)
{
  if (__builtin_expect(pst_front_parallel(), 0)) pst_front_threads_lock();
}
static inline void pst_front_shared_leave(void)
{
  if (__builtin_expect(pst_front_parallel(), 0)) pst_front_threads_unlock();
}

/* What tells the calling thread from the others: not NULL. */
const void *pst_front_thread(void);

#endif
