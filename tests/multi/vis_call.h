/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A transfer's forms, chosen at run time, and what becomes of its description. */
#ifndef TESTS_MULTI_VIS_CALL_H
#define TESTS_MULTI_VIS_CALL_H

#include "common.h"

enum { BLOCKING, NB, NBI, REGION }; /* REGION: implicit, in an access region */

/* The call in the form that `how` says; its handle, if it has one. */
#define VIS_CALL(how, name, ...) \
  ((how) == BLOCKING    ? (name##_bulk(__VA_ARGS__), GASNET_INVALID_HANDLE) \
          : (how) == NB ? name##_nb_bulk(__VA_ARGS__) \
                        : (name##_nbi_bulk(__VA_ARGS__), GASNET_INVALID_HANDLE))

/* Spoils what described a transfer when the call has returned: the library must not look at it later. */
UNUSED static void spoil(void *p, size_t n)
{
  memset(p, 0xB7, n);
  __asm__ volatile("" : : "r"(p) : "memory"); /* else the compiler drops the memset */
}

#endif
