/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The processor's hint that this is a waiting loop. */
#ifndef SUPPORT_PAUSE_H
#define SUPPORT_PAUSE_H

static inline void pst_spin_pause(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
