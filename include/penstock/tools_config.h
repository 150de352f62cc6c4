/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What this library and this compilation are. */
#ifndef PENSTOCK_TOOLS_CONFIG_H
#define PENSTOCK_TOOLS_CONFIG_H
#include "penstock/platform.h"

#define GASNETT_SPEC_VERSION_MAJOR    1
#define GASNETT_SPEC_VERSION_MINOR    19
#define GASNETT_RELEASE_VERSION_MAJOR GASNET_RELEASE_VERSION_MAJOR
#define GASNETT_RELEASE_VERSION_MINOR GASNET_RELEASE_VERSION_MINOR
#define GASNETT_RELEASE_VERSION_PATCH GASNET_RELEASE_VERSION_PATCH

#define GASNETT_PAGESIZE         PST_PAGESIZE
#define GASNETT_PAGESHIFT        PST_PAGESHIFT
#define GASNETT_CACHE_LINE_BYTES PST_CACHE_LINE
/* How many threads of a process may use the library at once: clients have tables of this size. Under
 * GASNET_PAR it is the default of the variable GASNET_MAX_THREADS, which may be larger. */
#if defined(GASNET_SEQ) || defined(GASNET_PARSYNC) || defined(GASNETT_THREAD_SINGLE)
#define GASNETT_MAX_THREADS 1
#else
#define GASNETT_MAX_THREADS 256
#endif

#if defined(GASNET_SEQ) || defined(GASNETT_THREAD_SINGLE)
#define GASNETT_THREAD_MODEL SEQ
#else
#define GASNETT_THREAD_MODEL PAR
#ifndef GASNETT_THREAD_SAFE
#define GASNETT_THREAD_SAFE 1
#endif
#endif

#if defined(GASNET_DEBUG)
#define GASNETT_DEBUG_CONFIG debug
#else
#define GASNETT_DEBUG_CONFIG nodebug
#endif
#if defined(PLATFORM_ARCH_64)
#define GASNETT_PTR_CONFIG 64bit
#else
#define GASNETT_PTR_CONFIG 32bit
#endif
#if defined(PLATFORM_ARCH_X86_64) || defined(PLATFORM_ARCH_AARCH64)
#define GASNETT_TIMER_CONFIG native
#else
#define GASNETT_TIMER_CONFIG posixrt
#endif
#define GASNETT_MEMBAR_CONFIG   compiler
#define GASNETT_ATOMIC_CONFIG   compiler
#define GASNETT_ATOMIC32_CONFIG compiler
#define GASNETT_ATOMIC64_CONFIG compiler

/* GASNETT_USING_GETTIMEOFDAY, GASNETT_USING_GENERIC_ATOMICOPS and GASNETT_CONFIGURE_MISMATCH would say that a
 * slow substitute is in use, or a compiler that the library cannot work with: neither happens, so they are
 * not defined. */

/* clang-format off */
#define GASNETT_CONFIG_STRING \
  "RELEASE=" PST_STRINGIFY(GASNET_RELEASE_VERSION_MAJOR) "." PST_STRINGIFY(GASNET_RELEASE_VERSION_MINOR) "." \
  PST_STRINGIFY(GASNET_RELEASE_VERSION_PATCH) ",SPEC=" PST_STRINGIFY(GASNETT_SPEC_VERSION_MAJOR) "." \
  PST_STRINGIFY(GASNETT_SPEC_VERSION_MINOR) ",PTR=" PST_STRINGIFY(GASNETT_PTR_CONFIG) "," \
  PST_STRINGIFY(GASNETT_DEBUG_CONFIG) "," PST_STRINGIFY(GASNETT_THREAD_MODEL) ",timers_" \
  PST_STRINGIFY(GASNETT_TIMER_CONFIG) ",membars_" PST_STRINGIFY(GASNETT_MEMBAR_CONFIG) ",atomics_" \
  PST_STRINGIFY(GASNETT_ATOMIC_CONFIG) ",atomic32_" PST_STRINGIFY(GASNETT_ATOMIC32_CONFIG) ",atomic64_" \
  PST_STRINGIFY(GASNETT_ATOMIC64_CONFIG)
/* clang-format on */

#endif
