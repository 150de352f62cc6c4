/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNet's portable tools, usable in any program, with or without a job: timers, fences, atomics, locks,
 * thread keys, host facts, diagnosis. A file that uses gasnet.h, too, includes that first. With
 * GASNETT_LITE_MODE defined there are only timers and fences. */
#ifndef _INCLUDED_GASNET_TOOLS_H
#define _INCLUDED_GASNET_TOOLS_H
#define _GASNET_TOOLS_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "gasnet_config.h"
#include "penstock/platform.h"

#include "penstock/attribute.h"
#include "penstock/tools_config.h"

#include "penstock/fence.h"
#include "penstock/ticks.h"

#if !defined(GASNETT_LITE_MODE)
#include "penstock/internals.h"
#include "penstock/tools_atomic.h"
#include "penstock/tools_env.h"
#include "penstock/tools_heap.h"
#include "penstock/tools_host.h"
#include "penstock/tools_key.h"
#include "penstock/tools_lock.h"
#include "penstock/tools_trace.h"
#include "penstock/visformat.h"
#endif

#endif
