/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* In a parallel region of OpenMP directives that communicate, or make objects, are executed by one thread at
 * a time, as in single, master or critical. Their functions begin with PST_XMP_ALONE, which ends the job
 * where another thread is in such a function. Those that one calls may have it, too. Loops, tasks, inquiries
 * and accesses to coarrays have it not: any number of threads may be in them. */
#ifndef XMP_ALONE_H
#define XMP_ALONE_H

#include "front/threads.h"

/* 1: this call has made the thread the only one, and ends that. */
int pst_xmp_alone_begin(const char *where);
void pst_xmp_alone_end(void);

static inline void pst_xmp_alone_leave(const int *begun)
{
  if (__builtin_expect(*begun, 0)) pst_xmp_alone_end();
}

#define PST_XMP_ALONE(where) \
  __attribute__((cleanup(pst_xmp_alone_leave), unused)) \
  const int alone_ = __builtin_expect(pst_front_parallel(), 0) ? pst_xmp_alone_begin(where) : 0

#endif
