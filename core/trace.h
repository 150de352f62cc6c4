/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNET_TRACEFILE/TRACEMASK and STATSFILE/STATSMASK. When off, each call site costs one predicted branch.
 * Mask letters as GASNet's: G get, P put, S sync, B barrier, L locks, A active messages, I information, C
 * conduit, D data, N source lines, H client (GASNETT_TRACE_PRINTF), W collectives. */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H
#include <stddef.h>
#include <stdint.h>

extern uint32_t
    pst_trace_on; /* one bit a letter, 1u << (letter - 'A'): tracing or statistics want this class */

#define PST_TRACE(letter, ...) \
  do { \
    if (__builtin_expect(__atomic_load_n(&pst_trace_on, __ATOMIC_RELAXED) & (1u << ((letter) - 'A')), 0)) \
      pst_trace_event((letter), __VA_ARGS__); \
  } while (0)

/* Counts one event `name` (static text) of `bytes` (0 where there are none) for the statistics and, when
 * traced, writes a line: time, node, thread, letter, name, peer (-1 none), bytes. */
void pst_trace_event(char letter, const char *name, int peer, size_t bytes);
void pst_trace_printf(char letter, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* GASNETT_STATS_PRINTF and GASNETT_STATS_DUMP call these. */
void pst_stats_printf(int force, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void pst_stats_dump(int reset);

void pst_trace_open(
    unsigned node, unsigned nodes); /* reads the environment; fatal when a file cannot be made */
void pst_trace_close(void);         /* writes the statistics, closes; safe to call twice and at exit */
#endif
