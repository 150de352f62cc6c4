/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tests of contiguous transfers share. */
#ifndef BENCH_TESTS_TRANSFER_H
#define BENCH_TESTS_TRANSFER_H
#include "../engine/engine.h"

#include <gasnet.h>

/* Handler indices of each file of tests. */
enum { BENCH_H_MESSAGES = 128, BENCH_H_FLOOD = 144, BENCH_H_RING = 150, BENCH_H_PROGRESS = 152 };

extern size_t transfer_bytes;  /* an operation */
extern size_t transfer_extent; /* all that a thread moves, from the beginning of its share on */

/* Data that have not yet been moved. */
void transfer_prepare_put(size_t bytes, size_t extent);
void transfer_prepare_get(size_t bytes, size_t extent);
/* Checks, at the other end of a node that runs a series once, the first `nbytes` of each thread. */
const char *transfer_check_put(unsigned flags, size_t nbytes);
const char *transfer_check_get(unsigned flags, size_t nbytes);

/* Where a loop's operations go. The node is not known to the compiler. */
extern volatile gasnet_node_t transfer_node;

/* Hides from the compiler how addresses were computed, as in a program: else each iteration computes them
 * again. */
#define TRANSFER_BASES(a, b) __asm__("" : "+r"(a), "+r"(b))

/* Words are put and got by the calls that need aligned memory, the rest by those for any. */
#define TRANSFER_WORD(n) ((n) == 1 || (n) == 2 || (n) == 4 || (n) == 8)

/* `run` with SIZE, for words a constant, as in a program. */
#define TRANSFER_WORDS(run) \
  switch (transfer_bytes) { \
    TRANSFER_SIZE(case 1, 1, run) \
    TRANSFER_SIZE(case 2, 2, run) \
    TRANSFER_SIZE(case 4, 4, run) \
    TRANSFER_SIZE(case 8, 8, run) \
    TRANSFER_SIZE(default, transfer_bytes, run) \
  }
#define TRANSFER_SIZE(label, bytes, ...) \
  label : { \
    const size_t SIZE = bytes; \
    __VA_ARGS__; \
    break; \
  }

#endif
