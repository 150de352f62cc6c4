/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages there and back: what they are compared with where nodes share memory. */
#ifndef BENCH_TESTS_MESSAGES_H
#define BENCH_TESTS_MESSAGES_H
#include "transfer.h"

extern size_t messages_bytes; /* of a medium or long */

/* Offset in each segment: the bare loops use the memory before it, longs arrive behind it. */
enum { MESSAGES_LONG = 256 << 10, MESSAGES_MEDIUM_MOST = MESSAGES_LONG - 1024 /* of the bare loop */ };

/* Series of node 0 and its peer; the `_p` ones have a pause instruction in their wait. */
void messages_short(long n);
void messages_short_p(long n);
void messages_medium(long n);
void messages_medium_p(long n);
void messages_long(long n);
/* Forgets all past exchanges. Called before any further one. */
void messages_reset(void);

#endif
