/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Internal names of GASNet that some clients use. New programs do not need them. */
#ifndef PENSTOCK_INTERNALS_H
#define PENSTOCK_INTERNALS_H
#include "penstock/platform.h"
#include "penstock/tools_config.h"
PST_BEGIN_C

/* A 64-bit number, or a pointer, in two halves of 32 bits. */
#define GASNETI_MAKEWORD(high, low) (((uint64_t)(uint32_t)(high) << 32) | (uint32_t)(low))
#define GASNETI_HIWORD(word)        ((uint32_t)((uint64_t)(uintptr_t)(word) >> 32))
#define GASNETI_LOWORD(word)        ((uint32_t)(uintptr_t)(word))

#define GASNETI_MAX_THREADS GASNETT_MAX_THREADS
/* Processes of a host share memory. */
#define GASNETI_PSHM_ENABLED 1

/* The same as gasnett_gethostname. */
const char *gasneti_gethostname(void);

/* Clients take the addresses of both, so that compilers do not warn of unused static functions. */
PST_INLINE void _gasneti_threadkey_init(void *key) { (void)key; }
PST_INLINE PST_PRINTF(1, 2) void _gasnett_trace_printf_noop(const char *format, ...) { (void)format; }

PST_END_C
#endif
