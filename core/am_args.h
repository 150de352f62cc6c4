/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Values in the arguments of a message: pointers, lengths and others of 64 bits take two arguments each. */
#ifndef CORE_AM_ARGS_H
#define CORE_AM_ARGS_H
#include "gasnet.h"

#define PST_SPLIT(v) \
  (gasnet_handlerarg_t)((uint64_t)(uintptr_t)(v) >> 32), (gasnet_handlerarg_t)(uint64_t)(uintptr_t)(v)
#define PST_JOIN(hi, lo) ((uintptr_t)((uint64_t)(uint32_t)(hi) << 32 | (uint32_t)(lo)))
#define PST_ARGS(array)  (unsigned)(sizeof(array) / sizeof((array)[0])) /* how many */

#endif
