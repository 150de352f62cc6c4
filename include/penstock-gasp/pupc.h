/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What UPC programs tell a performance tool. GASP 1.5, sections 5.2 and 5.3. Code that is compiled without
 * upccc
 * --inst contains none of these calls. Events have no pointers-to-shared as arguments. */
#ifndef _PUPC_H
#define _PUPC_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(PENSTOCK_INST) || defined(PENSTOCK_PUPC_FUNCTIONS)

/* 0: the tool is to measure nothing on this thread until the next call with another number. Returns the
 * number of the call before; the first call returns a number that is not 0. */
int pupc_control(int on);

/* Creates an event of this thread's. `desc` is NULL or a format of printf for the event's arguments. Both
 * texts may be freed after the call. Numbers are from GASP_UPC_USEREVT_START to GASP_UPC_USEREVT_END; the job
 * ends when they are exhausted. Without a tool the result is the first of them. */
unsigned int pupc_create_event(const char *name, const char *desc);

void pupc_event_start(unsigned int evttag, ...);
void pupc_event_end(unsigned int evttag, ...);
void pupc_event_atomic(unsigned int evttag, ...);

/* Events tell their places in the source. */
#ifndef PENSTOCK_PUPC_FUNCTIONS
#include "penstock/gasp_site.h"
#define pupc_event_start(...)  PST_GASP_AT(__FILE__, __LINE__, pupc_event_start(__VA_ARGS__))
#define pupc_event_end(...)    PST_GASP_AT(__FILE__, __LINE__, pupc_event_end(__VA_ARGS__))
#define pupc_event_atomic(...) PST_GASP_AT(__FILE__, __LINE__, pupc_event_atomic(__VA_ARGS__))
#endif

#else

#define pupc_control(on)              ((void)sizeof(on), 1)
#define pupc_create_event(name, desc) ((void)sizeof(name), (void)sizeof(desc), 0u)
#define pupc_event_start(...)         ((void)0)
#define pupc_event_end(...)           ((void)0)
#define pupc_event_atomic(...)        ((void)0)

#endif

#ifdef __cplusplus
}
#endif
#endif
