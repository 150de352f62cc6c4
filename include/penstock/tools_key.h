/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One pointer for each thread under a name known at compile time; NULL in a new thread (README-tools,
 * "Thread-specific data"). DEFINE stands at file scope in one source file, DECLARE in those that share the
 * key. */
#ifndef PENSTOCK_TOOLS_KEY_H
#define PENSTOCK_TOOLS_KEY_H
#include "penstock/internals.h"

#define PST_THREADKEY(key) PST_CONCAT(gasnett_threadkey_of_, key)
#if defined(__cplusplus)
#define GASNETT_THREADKEY_DECLARE(key) extern "C" __thread void *PST_THREADKEY(key)
#define GASNETT_THREADKEY_DEFINE(key) \
  extern "C" { \
  __thread void *PST_THREADKEY(key) = 0; \
  } \
  extern "C" __thread void *PST_THREADKEY(key)
#else
#define GASNETT_THREADKEY_DECLARE(key) extern __thread void *PST_THREADKEY(key)
#define GASNETT_THREADKEY_DEFINE(key)  __thread void *PST_THREADKEY(key)
#endif

/* Keys need no initialisation: init exists for clients that call it, and _noinit makes no difference. */
#define gasnett_threadkey_init(key)              _gasneti_threadkey_init(&PST_THREADKEY(key))
#define gasnett_threadkey_get(key)               ((void *)PST_THREADKEY(key))
#define gasnett_threadkey_set(key, value)        ((void)(PST_THREADKEY(key) = (void *)(value)))
#define gasnett_threadkey_get_noinit(key)        gasnett_threadkey_get(key)
#define gasnett_threadkey_set_noinit(key, value) gasnett_threadkey_set(key, value)

#endif
