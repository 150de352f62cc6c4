/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a UPC program finds in its language: start and end, shared memory, barriers, locks, block copies. UPC
 * language specification 1.2, sections 6.6 and 7.2. */
#ifndef PENSTOCK_UPC_LANGUAGE_H
#define PENSTOCK_UPC_LANGUAGE_H
#ifdef __cplusplus
extern "C" {
#endif

/* Collective, once, first: joins the job as gasnet_init does, and gives each thread UPC_SHARED_HEAP_SIZE
 * bytes for what is allocated in pieces of one thread, and as many for what is spread over all. argc and argv
 * may be NULL. An error ends the job. */
PST_UPC(void, init, (int *argc, char ***argv));
/* Collective: waits for all threads, and ends nothing but the use of this library. Who returns from main or
 * calls exit() without it ends the process in the same way, if all do. */
PST_UPC(void, finalize, (void));

#ifndef __UPC__
/* Ends the job with this code at once, whoever calls it. */
PST_UPC(void, global_exit, (int status));

/* Shared memory of nblocks blocks of nbytes bytes, dealt out to the threads in turn. Sizes of 0: NULL. The
 * first block is thread 0's. What is in it is not defined. No memory: the job ends and says so, as the
 * language has no other answer. upc_all_alloc     collective: the same block for all upc_global_alloc  each
 * call its own upc_alloc         nbytes bytes of the calling thread's; upc_local_alloc, which the language
 * does not recommend, nblocks * nbytes */
PST_UPC(upc_pts_t, all_alloc, (size_t nblocks, size_t nbytes));
PST_UPC(upc_pts_t, global_alloc, (size_t nblocks, size_t nbytes));
PST_UPC(upc_pts_t, alloc, (size_t nbytes));
PST_UPC(upc_pts_t, local_alloc, (size_t nblocks, size_t nbytes));
/* Any thread may free what any has allocated, once; NULL is nothing. upc_all_free is collective and waits for
 * all first. */
PST_UPC(void, free, (upc_pts_t ptr));
PST_UPC(void, all_free, (upc_pts_t ptr));

/* The two halves of a barrier, and both. With a number: it must be the same for all who give one, or the job
 * ends. Parentheses may be empty: upc_barrier(). Section 6.6.1. */
#define upc_notify(...)   pst_upc_notify(sizeof(#__VA_ARGS__) > 1, __VA_ARGS__ + 0)
#define upc_wait(...)     pst_upc_wait(sizeof(#__VA_ARGS__) > 1, __VA_ARGS__ + 0)
#define upc_barrier(...)  pst_upc_barrier(sizeof(#__VA_ARGS__) > 1, __VA_ARGS__ + 0)
#define bupc_notify(...)  upc_notify(__VA_ARGS__)
#define bupc_wait(...)    upc_wait(__VA_ARGS__)
#define bupc_barrier(...) upc_barrier(__VA_ARGS__)
void pst_upc_notify(int named, int id);
void pst_upc_wait(int named, int id);
void pst_upc_barrier(int named, int id);
/* What this thread has read and written before is done before what comes after. Non-blocking transfers go
 * their own way. A thread that waits in a loop for what others write into its memory calls it there, or the
 * messages that carry it may not be served. */
PST_UPC(void, fence, (void));

/* Locks: first come, first served. upc_all_lock_alloc is collective and gives all the same one.
 * upc_lock_attempt: not 0 when it is taken. A thread that holds a lock does not take it again; only who holds
 * it gives it back. upc_lock_free while somebody holds it or waits: it goes when they have given it back. */
PST_UPC(upc_lock_t *, global_lock_alloc, (void));
PST_UPC(upc_lock_t *, all_lock_alloc, (void));
PST_UPC(void, lock_free, (upc_lock_t * lock));
PST_UPC(void, lock, (upc_lock_t * lock));
PST_UPC(int, lock_attempt, (upc_lock_t * lock));
PST_UPC(void, unlock, (upc_lock_t * lock));

/* n bytes between the memory of one thread and that of another, or of this one's; memset: n bytes c. They are
 * complete on return. The two do not overlap. Of memcpy neither needs to be this thread's. */
PST_UPC(void, memcpy, (upc_pts_t dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memget, (void *dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memput, (upc_pts_t dst, const void *src, size_t n));
PST_UPC(void, memset, (upc_pts_t dst, int c, size_t n));
#endif

#ifdef __cplusplus
}
#endif
#endif
