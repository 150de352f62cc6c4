/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The client's own lines in the trace (README-tools, "Tracing"). In a file that includes gasnet.h they go to
 * GASNET_TRACEFILE, and cost one predicted branch without it. In other files they do nothing. */
#ifndef PENSTOCK_TOOLS_TRACE_H
#define PENSTOCK_TOOLS_TRACE_H
#include "penstock/platform.h"
PST_BEGIN_C

/* The source line that the calling thread says it is at; while frozen it does not change. */
void pst_sourceline_set(const char *file, unsigned line);
void pst_sourceline_get(const char **file, unsigned *line);
void pst_sourceline_freeze(int frozen);

#define GASNETT_TRACE_SETSOURCELINE(file, line)   pst_sourceline_set(file, (unsigned)(line))
#define GASNETT_TRACE_GETSOURCELINE(pfile, pline) pst_sourceline_get(pfile, pline)
#define GASNETT_TRACE_FREEZESOURCELINE()          pst_sourceline_freeze(1)
#define GASNETT_TRACE_UNFREEZESOURCELINE()        pst_sourceline_freeze(0)

#if defined(_INCLUDED_GASNET_H)
extern uint32_t pst_trace_on;
void pst_trace_printf(char letter, const char *fmt, ...) PST_PRINTF(2, 3);
#define GASNETT_TRACE_ENABLED (__atomic_load_n(&pst_trace_on, __ATOMIC_RELAXED) != 0)
#define GASNETT_TRACE_PRINTF(...) \
  do { \
    if (PST_UNLIKELY(__atomic_load_n(&pst_trace_on, __ATOMIC_RELAXED) & (1u << ('H' - 'A')))) \
      pst_trace_printf('H', __VA_ARGS__); \
  } while (0)
#define GASNETT_TRACE_PRINTF_FORCE(...) \
  do { \
    if (PST_UNLIKELY(GASNETT_TRACE_ENABLED)) pst_trace_printf('H', __VA_ARGS__); \
  } while (0)

/* Writes a line into the statistics; force: for any GASNET_STATSMASK. */
void pst_stats_printf(int force, const char *fmt, ...) PST_PRINTF(2, 3);
/* Writes the counts so far to the statistics; reset: counts again from zero. */
void pst_stats_dump(int reset);
#define GASNETT_STATS_PRINTF(...) \
  do { \
    if (PST_UNLIKELY(GASNETT_TRACE_ENABLED)) pst_stats_printf(0, __VA_ARGS__); \
  } while (0)
#define GASNETT_STATS_PRINTF_FORCE(...) \
  do { \
    if (PST_UNLIKELY(GASNETT_TRACE_ENABLED)) pst_stats_printf(1, __VA_ARGS__); \
  } while (0)
#define GASNETT_STATS_DUMP(reset) \
  do { \
    if (PST_UNLIKELY(GASNETT_TRACE_ENABLED)) pst_stats_dump(reset); \
  } while (0)
#else
#define GASNETT_TRACE_ENABLED           0
#define GASNETT_TRACE_PRINTF(...)       ((void)0)
#define GASNETT_TRACE_PRINTF_FORCE(...) ((void)0)
#define GASNETT_STATS_PRINTF(...)       ((void)0)
#define GASNETT_STATS_PRINTF_FORCE(...) ((void)0)
#define GASNETT_STATS_DUMP(reset)       ((void)(reset))
#endif

/* GASNET_TRACEMASK and GASNET_STATSMASK alone set the masks: reading gives "", setting does nothing. */
#define GASNETT_TRACE_GETMASK()          ""
#define GASNETT_TRACE_SETMASK(mask)      ((void)(mask))
#define GASNETT_TRACE_GET_TRACELOCAL()   1
#define GASNETT_TRACE_SET_TRACELOCAL(on) ((void)(on))
#define GASNETT_STATS_INIT(callback)     ((void)(callback))
#define GASNETT_STATS_GETMASK()          ""
#define GASNETT_STATS_SETMASK(mask)      ((void)(mask))

PST_END_C
#endif
