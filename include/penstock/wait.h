/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting for a condition while messages are served. */
#ifndef PENSTOCK_WAIT_H
#define PENSTOCK_WAIT_H
#ifdef __cplusplus
extern "C" {
#endif

/* GASNET_WAIT_SPIN: never sleeps, gives the core only to runnable processes. GASNET_WAIT_BLOCK: sleeps in the
 * kernel at once. GASNET_WAIT_SPINBLOCK: spins, yields, then sleeps. GASNET_ERR_BAD_ARG for others. */
int gasnet_set_waitmode(int wait_mode);

/* Serves the messages that have arrived; GASNET_OK. */
int gasnet_AMPoll(void);

/* State of a wait: how long it has found nothing, and how many messages had been served when the condition
 * was last looked at. The caller zeroes it once and passes it to each step. */
struct pst_wait {
  unsigned idle, seen;
};
void pst_wait_step(struct pst_wait *w);

/* Polls until cond holds; handlers, in any thread, make it true. What they wrote before is visible then. */
#define GASNET_BLOCKUNTIL(cond) \
  do { \
    struct pst_wait pst_wait_ = {0, 0}; \
    while (!(cond)) pst_wait_step(&pst_wait_); \
    PST_ACQUIRE_FENCE(); \
  } while (0)

/* ThreadSanitizer does not know fences; with it the atomics around them give the order. */
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

/* After a successful sync: later loads see what was got, and later stores are seen after what was put. */
#define PST_SYNC_FENCE() \
  do { \
    PST_ACQUIRE_FENCE(); \
    PST_RELEASE_FENCE(); \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
