/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The core that this thread runs on, by number; a hint, since it may move at any time. */
#ifndef SUPPORT_CPU_H
#define SUPPORT_CPU_H
#include <sched.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

static inline unsigned pst_cpu(void)
{
#ifdef RSEQ_SIG /* since glibc 2.35 the kernel keeps it in a word of the thread */
  if (__builtin_expect(__rseq_size != 0, 1))
    return ((const volatile struct rseq *)((const char *)__builtin_thread_pointer() + __rseq_offset))->cpu_id;
#endif
  return (unsigned)sched_getcpu();
}

#endif
