/* What the compiler and the machine are, and the attributes and helpers that follow from it. Names of GASNet that clients came
 * to rely on (if_pf, _STRINGIFY, PLATFORM_*, HAVE_MMAP) keep their spelling. */
#ifndef PENSTOCK_PLATFORM_H
#define PENSTOCK_PLATFORM_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "gasnet_config.h"

/* Compiler */
#if defined(__clang__)
#define PLATFORM_COMPILER_CLANG 1
#define PLATFORM_COMPILER_FAMILYNAME CLANG
#define PLATFORM_COMPILER_FAMILYID 19
#define PLATFORM_COMPILER_VERSION_STR __clang_version__
#elif defined(__GNUC__)
#define PLATFORM_COMPILER_GNU 1
#define PLATFORM_COMPILER_FAMILYNAME GNU
#define PLATFORM_COMPILER_FAMILYID 1
#define PLATFORM_COMPILER_VERSION_STR __VERSION__
#else
#error "Penstock's headers need a compiler with GNU C's attributes and __atomic builtins"
#endif

/* Processor */
#if defined(__x86_64__)
#define PLATFORM_ARCH_X86_64 1
#elif defined(__i386__)
#define PLATFORM_ARCH_X86 1
#elif defined(__aarch64__)
#define PLATFORM_ARCH_AARCH64 1
#elif defined(__arm__)
#define PLATFORM_ARCH_ARM 1
#elif defined(__powerpc__)
#define PLATFORM_ARCH_POWERPC 1
#elif defined(__riscv)
#define PLATFORM_ARCH_RISCV 1
#endif
#if UINTPTR_MAX > 0xffffffffu
#define PLATFORM_ARCH_64 1
#else
#define PLATFORM_ARCH_32 1
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLATFORM_ARCH_BIG_ENDIAN 1
#else
#define PLATFORM_ARCH_LITTLE_ENDIAN 1
#endif

/* Operating system */
#if defined(__linux__)
#define PLATFORM_OS_LINUX 1
#elif defined(__APPLE__)
#define PLATFORM_OS_DARWIN 1
#elif defined(__FreeBSD__)
#define PLATFORM_OS_FREEBSD 1
#endif
#ifndef HAVE_MMAP
#define HAVE_MMAP 1
#endif
#ifndef SIZEOF_INT
#define SIZEOF_INT __SIZEOF_INT__
#endif

/* Page and cache line: what configure found, else the processor's common sizes. Plain numbers, usable in #if. */
#ifndef PST_PAGESHIFT
#define PST_PAGESHIFT 12
#define PST_PAGESIZE 4096
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
#define PST_STRINGIFY(x) PST_STRINGIFY_(x)
#ifndef _STRINGIFY
#define _STRINGIFY_HELPER(x) #x
#define _STRINGIFY(x) _STRINGIFY_HELPER(x)
#endif
#define PST_CONCAT_(a, b) a##b
#define PST_CONCAT(a, b) PST_CONCAT_(a, b)

/* Branches */
#define PST_LIKELY(cond) __builtin_expect(!!(cond), 1)
#define PST_UNLIKELY(cond) __builtin_expect(!!(cond), 0)
#ifndef if_pf
#define if_pf(cond) if (PST_UNLIKELY(cond))
#define if_pt(cond) if (PST_LIKELY(cond))
#endif

/* Attributes */
#define PST_ATTRIBUTE(list) __attribute__(list)
#define PST_INLINE static inline __attribute__((unused))
#define PST_ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define PST_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define PST_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))

#if defined(__cplusplus)
#define PST_BEGIN_C extern "C" {
#define PST_END_C }
#else
#define PST_BEGIN_C
#define PST_END_C
#endif

/* A pause for the sibling hardware thread in loops that spin. */
PST_INLINE void pst_spin_hint(void)
{
#if defined(PLATFORM_ARCH_X86_64) || defined(PLATFORM_ARCH_X86)
  __builtin_ia32_pause();
#elif defined(PLATFORM_ARCH_AARCH64)
  __asm__ __volatile__("yield" ::: "memory");
#else
  __asm__ __volatile__("" ::: "memory");
#endif
}

#endif
