/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The calls of the UPC language: start and end, shared memory, barriers, locks, block copies. UPC language
 * specification 1.2, sections 6.6 and 7.2. */
#ifndef PENSTOCK_UPC_LANGUAGE_H
#define PENSTOCK_UPC_LANGUAGE_H
#ifdef __cplusplus
extern "C" {
#endif

/* Collective, once, before all other calls. Joins the job as gasnet_init does, and gives each thread
 * UPC_SHARED_HEAP_SIZE bytes for blocks of one thread, and as many for blocks that are spread over all
 * threads. argc and argv may be NULL. An error ends the job. */
PST_UPC(void, init, (int *argc, char ***argv));
/* Collective: waits for all threads, and ends the use of this library, not the process. Return from main or
 * exit() without it ends the process in the same way, if all threads do so. */
PST_UPC(void, finalize, (void));

#ifndef __UPC__
/* Ends the job with this code at once. Any thread may call it. */
PST_UPC(void, global_exit, (int status));

/* Shared memory of nblocks blocks of nbytes bytes, dealt out to the threads in turn, the first to thread 0.
 * Its contents are not defined. NULL where a size is 0. Where there is no memory the job ends with a message,
 * since the language has no other answer.
 *
 *   upc_all_alloc     collective: all threads have the same memory
 *   upc_global_alloc  each call has its own memory
 *   upc_alloc         nbytes bytes of the calling thread's memory
 *   upc_local_alloc   nblocks * nbytes bytes of it; the language does not recommend this call */
PST_UPC(upc_pts_t, all_alloc, (size_t nblocks, size_t nbytes));
PST_UPC(upc_pts_t, global_alloc, (size_t nblocks, size_t nbytes));
PST_UPC(upc_pts_t, alloc, (size_t nbytes));
PST_UPC(upc_pts_t, local_alloc, (size_t nblocks, size_t nbytes));
/* Any thread may free what any thread has allocated, once. NULL is ignored. upc_all_free is collective and
 * first waits for all threads. */
PST_UPC(void, free, (upc_pts_t ptr));
PST_UPC(void, all_free, (upc_pts_t ptr));

/* The two halves of a barrier, and the whole. A number must be the same for all threads that give one, or the
 * job ends. Parentheses may be empty: upc_barrier(). Section 6.6.1. */
#define upc_notify(...)   pst_upc_notify(sizeof(#__VA_ARGS__) > 1, __VA_ARGS__ + 0)
#define upc_wait(...)     pst_upc_wait(sizeof(#__VA_ARGS__) > 1, __VA_ARGS__ + 0)
#define upc_barrier(...)  pst_upc_barrier(sizeof(#__VA_ARGS__) > 1, __VA_ARGS__ + 0)
#define bupc_notify(...)  upc_notify(__VA_ARGS__)
#define bupc_wait(...)    upc_wait(__VA_ARGS__)
#define bupc_barrier(...) upc_barrier(__VA_ARGS__)
void pst_upc_notify(int named, int id);
void pst_upc_wait(int named, int id);
void pst_upc_barrier(int named, int id);
/* Completes this thread's reads and writes before those that follow, but not non-blocking transfers. A thread
 * that waits in a loop for what others write into its memory calls it in that loop, or the messages that
 * carry the data may not be served. */
PST_UPC(void, fence, (void));

/* Locks: first come, first served. upc_all_lock_alloc is collective and gives all threads the same lock.
 * upc_lock_attempt: not 0 when this thread has the lock now. A thread that holds a lock must not lock it
 * again, and only that thread unlocks it. A lock may be freed while threads hold it or wait: it lives until
 * they have unlocked it. */
PST_UPC(upc_lock_t *, global_lock_alloc, (void));
PST_UPC(upc_lock_t *, all_lock_alloc, (void));
PST_UPC(void, lock_free, (upc_lock_t * lock));
PST_UPC(void, lock, (upc_lock_t * lock));
PST_UPC(int, lock_attempt, (upc_lock_t * lock));
PST_UPC(void, unlock, (upc_lock_t * lock));

/* Copies n bytes; memset sets n bytes to c. Complete on return. The two sides do not overlap. Each
 * pointer-to-shared may be to the memory of any thread. */
PST_UPC(void, memcpy, (upc_pts_t dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memget, (void *dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memput, (upc_pts_t dst, const void *src, size_t n));
PST_UPC(void, memset, (upc_pts_t dst, int c, size_t n));
#endif

#ifdef __cplusplus
}
#endif
#endif
