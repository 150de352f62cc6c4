/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What tools may ask about the arguments of events. These calls are in C and cause no events. Any thread may
 * make them at any time after the first gasp_init. */
#ifndef _GASP_UPCALLS_H
#define _GASP_UPCALLS_H

#include <stddef.h>
#include <stdint.h>

#include "gasp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* This thread's number, and the number of threads. */
unsigned gaspu_mythread(void);
unsigned gaspu_threads(void);
/* Both, in GASP's style; the result is 0. */
int gaspu_init(gasp_model_t model, int *mythread, int *threads);

/* Of a pointer-to-shared: the thread that has the memory, the place in its block, and the address, which
 * counts from the beginning of that thread's shared memory. */
unsigned gaspu_threadof(const gasp_upc_PTS_t *ptr);
unsigned gaspu_affinity(const gasp_upc_PTS_t *ptr); /* the same as gaspu_threadof */
unsigned gaspu_phaseof(const gasp_upc_PTS_t *ptr);
uint64_t gaspu_addrfield(const gasp_upc_PTS_t *ptr);
/* As text: "<address=0x40 thread=1 phase=0>" or "<NULL>". At most `size` bytes with the final 0; a text that
 * is too long is cut. */
void gaspu_dump_shared(const gasp_upc_PTS_t *ptr, char *buffer, int size);

/* A variable of the job's environment, or NULL. */
const char *gaspu_getenv(const char *name);

/* A monotonic clock: ticks, and a difference of ticks in microseconds. */
uint64_t gaspu_getticks(void);
uint64_t gaspu_ticks_now(void); /* the same as gaspu_getticks */
uint64_t gaspu_ticks_to_us(uint64_t ticks);

#ifdef __cplusplus
}
#endif
#endif
