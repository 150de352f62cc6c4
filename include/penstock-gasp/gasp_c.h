/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Events of C: functions (GASP 1.5, table 1) and memory allocation (table 2). Code that was compiled with
 * upccc
 * --inst-functions causes the first, programs that were linked with upccc --inst the second. */
#ifndef _GASP_C_H
#define _GASP_C_H

/* Start, End: const char *funcsig (NULL where it is not known) */
#define GASP_C_FUNC 0x0101u
/* Start: size_t nbytes; End: size_t nbytes, void *returnptr */
#define GASP_C_MALLOC 0x0102u
/* Start: void *ptr, size_t size; End: void *ptr, size_t size, void *returnptr */
#define GASP_C_REALLOC 0x0103u
/* Start, End: void *ptr */
#define GASP_C_FREE 0x0104u

#endif
