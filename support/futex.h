/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting in the kernel for a word to change. Spurious returns are normal: callers loop. */
#ifndef SUPPORT_FUTEX_H
#define SUPPORT_FUTEX_H
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline void pst_futex_wait(_Atomic uint32_t *word, uint32_t seen, long nanoseconds, int flags)
{
  const struct timespec t = {nanoseconds / 1000000000L, nanoseconds % 1000000000L};
  syscall(SYS_futex, word, FUTEX_WAIT | flags, seen, nanoseconds < 0 ? NULL : &t, NULL, 0);
}

static inline void pst_futex_wake(_Atomic uint32_t *word, int count, int flags)
{
  syscall(SYS_futex, word, FUTEX_WAKE | flags, count, NULL, NULL, 0);
}

/* Between processes. */
static inline void pst_futex_wait_shared(_Atomic uint32_t *word, uint32_t seen, long nanoseconds)
{
  pst_futex_wait(word, seen, nanoseconds, 0);
}
static inline void pst_futex_wake_shared(_Atomic uint32_t *word) { pst_futex_wake(word, INT_MAX, 0); }

#endif
