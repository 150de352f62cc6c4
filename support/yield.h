/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* sched_yield without libc, which would touch three more pages: with many processes on a core, each page is a
 * TLB miss every time that a process gets its turn. */
#ifndef SUPPORT_YIELD_H
#define SUPPORT_YIELD_H
#include <sched.h>
#include <sys/syscall.h>

static inline void pst_yield(void)
{
#if defined(__x86_64__) && defined(__LP64__)
  long result = SYS_sched_yield;
  __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#else
  sched_yield();
#endif
}

#endif
