/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting for a condition while messages are served. */
#ifndef PENSTOCK_WAIT_H
#define PENSTOCK_WAIT_H
#ifdef __cplusplus
extern "C" {
#endif

/* GASNET_WAIT_SPIN: never gives the core away but to runnable processes. GASNET_WAIT_BLOCK: sleeps in the
 * kernel at once. GASNET_WAIT_SPINBLOCK: spins, yields, then sleeps. GASNET_ERR_BAD_ARG for others. */
int gasnet_set_waitmode(int wait_mode);

/* Serves what has arrived; GASNET_OK. */
int gasnet_AMPoll(void);

/* How long this wait has found nothing, and how many messages had been served when the condition was last
 * looked at: the caller zeroes it once and passes it to each step. */
struct pst_wait {
  unsigned idle, seen;
};
void pst_wait_step(struct pst_wait *w);

/* Polls until cond holds, which handlers (or other threads' handlers) make true. What they wrote
 * before is visible after. */
#define GASNET_BLOCKUNTIL(cond) \
  do { \
    struct pst_wait pst_wait_ = {0, 0}; \
    while (!(cond)) pst_wait_step(&pst_wait_); \
    PST_ACQUIRE_FENCE(); \
  } while (0)

/* ThreadSanitizer knows no fences; there the atomics around them carry the order. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PST_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(PST_THREAD_SANITIZER)
#define PST_ACQUIRE_FENCE() __atomic_signal_fence(__ATOMIC_ACQUIRE)
#define PST_RELEASE_FENCE() __atomic_signal_fence(__ATOMIC_RELEASE)
#else
#define PST_ACQUIRE_FENCE() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define PST_RELEASE_FENCE() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

/* Where a sync has succeeded: what was got is read after it, what was put is seen before what is stored after
 * it. */
#define PST_SYNC_FENCE() \
  do { \
    PST_ACQUIRE_FENCE(); \
    PST_RELEASE_FENCE(); \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
