/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tells ThreadSanitizer of an order that another process brings about, which it cannot see. Empty
 * in other builds. */
#ifndef SUPPORT_TSAN_H
#define SUPPORT_TSAN_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PST_TSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define PST_TSAN 1
#endif

#if defined(PST_TSAN)
void __tsan_acquire(void *);
void __tsan_release(void *);
static inline void pst_tsan_acquire(void *p) { __tsan_acquire(p); }
static inline void pst_tsan_release(void *p) { __tsan_release(p); }
#else
static inline void pst_tsan_acquire(void *p) { (void)p; }
static inline void pst_tsan_release(void *p) { (void)p; }
#endif

#endif
