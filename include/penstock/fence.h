/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory fences between this thread and others, or other processes sharing memory (README-tools, "Memory
 * barriers"). */
#ifndef PENSTOCK_FENCE_H
#define PENSTOCK_FENCE_H
#include "penstock/platform.h"

/* Keeps the compiler, not the processor, from moving accesses across it. */
#define gasnett_compiler_fence() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Earlier stores (and loads) before later stores. */
#define gasnett_local_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
/* Earlier loads before later loads (and stores). */
#define gasnett_local_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
/* Everything earlier before everything later. Only this one orders a store before a later load. */
#define gasnett_local_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)

/* The weak ones order threads of one process only. Without threads they restrain only the compiler. */
#if defined(GASNET_SEQ) || defined(GASNETT_THREAD_SINGLE)
#define gasnett_weak_wmb() gasnett_compiler_fence()
#define gasnett_weak_rmb() gasnett_compiler_fence()
#define gasnett_weak_mb()  gasnett_compiler_fence()
#else
#define gasnett_weak_wmb() gasnett_local_wmb()
#define gasnett_weak_rmb() gasnett_local_rmb()
#define gasnett_weak_mb()  gasnett_local_mb()
#endif

#endif
