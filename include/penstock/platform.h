/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Attributes and helpers for this compiler and machine. Names of GASNet that clients came to rely on (if_pf,
 * _STRINGIFY, HAVE_MMAP) keep their spelling. */
#ifndef PENSTOCK_PLATFORM_H
#define PENSTOCK_PLATFORM_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "gasnet_config.h"
/* A client may have included its own header of this name before, which defines the same. */
#include "../portable_platform.h"

#ifndef HAVE_MMAP
#define HAVE_MMAP 1
#endif
#ifndef SIZEOF_INT
#define SIZEOF_INT __SIZEOF_INT__
#endif

/* Page and cache line: what configure found, else the processor's common sizes. #if can use them. */
#ifndef PST_PAGESHIFT
#define PST_PAGESHIFT 12
#define PST_PAGESIZE  4096
#endif
#ifndef PST_CACHE_LINE
#if defined(PLATFORM_ARCH_POWERPC)
#define PST_CACHE_LINE 128
#else
#define PST_CACHE_LINE 64
#endif
#endif

/* Text */
#define PST_STRINGIFY_(x) #x
#define PST_STRINGIFY(x)  PST_STRINGIFY_(x)
#ifndef _STRINGIFY
#define _STRINGIFY_HELPER(x) #x
#define _STRINGIFY(x)        _STRINGIFY_HELPER(x)
#endif
#define PST_CONCAT_(a, b) a##b
#define PST_CONCAT(a, b)  PST_CONCAT_(a, b)

/* Branches */
#define PST_LIKELY(cond)   __builtin_expect(!!(cond), 1)
#define PST_UNLIKELY(cond) __builtin_expect(!!(cond), 0)
#ifndef if_pf
#define if_pf(cond) if (PST_UNLIKELY(cond))
#define if_pt(cond) if (PST_LIKELY(cond))
#endif

/* Attributes */
#define PST_ATTRIBUTE(list)            __attribute__(list)
#define PST_INLINE                     static __inline__ __attribute__((unused))
#define PST_ALWAYS_INLINE              static __inline__ __attribute__((always_inline, unused))
#define PST_ALIGNED(bytes)             __attribute__((aligned(bytes)))
#define PST_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))

#if defined(__cplusplus)
#define PST_BEGIN_C extern "C" {
#define PST_END_C   }
#else
#define PST_BEGIN_C
#define PST_END_C
#endif

/* A pause for the sibling hardware thread in loops that spin. Most AArch64 processors do nothing for `yield`;
 * `isb` takes about as long as x86's `pause`. */
PST_INLINE void pst_spin_pause(void)
{
#if defined(PLATFORM_ARCH_X86_64) || defined(PLATFORM_ARCH_X86)
  __builtin_ia32_pause();
#elif defined(PLATFORM_ARCH_AARCH64)
  __asm__ __volatile__("isb" ::: "memory");
#else
  __asm__ __volatile__("" ::: "memory");
#endif
}

#endif
