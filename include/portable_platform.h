/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tells the preprocessor the compiler, the processor and the operating system: PLATFORM_... is 1 where it
 * applies, else not defined. Needs no header of Penstock. Copies of such a header elsewhere have the same
 * guard, so a file reads only one. */
#ifndef _PORTABLE_PLATFORM_H
#define _PORTABLE_PLATFORM_H

#include <stdint.h>

/* Compiler */
#if defined(__clang__)
#define PLATFORM_COMPILER_CLANG      1
#define PLATFORM_COMPILER_FAMILYNAME CLANG
#define PLATFORM_COMPILER_FAMILYID   19
#define PST_COMPILER_VERSION         __clang_version__
#elif defined(__GNUC__)
#define PLATFORM_COMPILER_GNU        1
#define PLATFORM_COMPILER_FAMILYNAME GNU
#define PLATFORM_COMPILER_FAMILYID   1
#define PST_COMPILER_VERSION         __VERSION__
#else
#error "Penstock's headers need a compiler with GNU C's attributes and __atomic builtins"
#endif

/* The mpi.h of some MPIs has a copy of such a header, with another guard. */
#ifndef PLATFORM_COMPILER_VERSION_STR
#define PLATFORM_COMPILER_VERSION_STR PST_COMPILER_VERSION
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

/* The compiler in one text, which `strings` finds in objects that keep it. */
#define PST_PLATFORM_TEXT_(x) #x
#define PST_PLATFORM_TEXT(x)  PST_PLATFORM_TEXT_(x)
#define PLATFORM_COMPILER_IDSTR \
  "|COMPILER_FAMILY:" PST_PLATFORM_TEXT( \
      PLATFORM_COMPILER_FAMILYNAME) "|COMPILER_VERSION:" PST_COMPILER_VERSION \
                                    "|COMPILER_FAMILYID:" PST_PLATFORM_TEXT(PLATFORM_COMPILER_FAMILYID) "|"

#endif
