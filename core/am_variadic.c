/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The variadic twins of the active-message calls. */
#include <stdarg.h>

#include "core/job.h"

enum { MAX_ARGS = 16 };

static unsigned collect(const char *call, int numargs, va_list ap, gasnet_handlerarg_t *args)
{
  if (numargs < 0 || numargs > MAX_ARGS)
    pst_fatal("%s: %d arguments; 0 to %d are legal", call, numargs, MAX_ARGS);
  for (int i = 0; i < numargs; i++) args[i] = va_arg(ap, gasnet_handlerarg_t);
  return (unsigned)numargs;
}

#define COLLECT(call) \
  gasnet_handlerarg_t args[MAX_ARGS]; \
  unsigned n; \
  va_list ap; \
  va_start(ap, numargs); \
  n = collect((call), numargs, ap, args); \
  va_end(ap)

/* SIDE is Request or Reply, and to_t the type of what leads to the target. */
#define DEFINE(SIDE, side, to_t) \
  int gasnet_AM##SIDE##Short(to_t to, gasnet_handler_t h, int numargs, ...) \
  { \
    COLLECT("gasnet_AM" #SIDE "Short"); \
    return pst_am_##side##_short(to, h, n, args); \
  } \
\
  int gasnet_AM##SIDE##Medium(to_t to, gasnet_handler_t h, const void *src, size_t nbytes, int numargs, ...) \
  { \
    COLLECT("gasnet_AM" #SIDE "Medium"); \
    return pst_am_##side##_medium(to, h, src, nbytes, n, args); \
  } \
\
  int gasnet_AM##SIDE##Long( \
      to_t to, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr, int numargs, ...) \
  { \
    COLLECT("gasnet_AM" #SIDE "Long"); \
    return pst_am_##side##_long(to, h, src, nbytes, dest_addr, n, args); \
  }

DEFINE(Request, request, gasnet_node_t)
DEFINE(Reply, reply, gasnet_token_t)

int gasnet_AMRequestLongAsync(
    gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr, int numargs, ...)
{
  COLLECT("gasnet_AMRequestLongAsync");
  return pst_am_request_longasync(dest, h, src, nbytes, dest_addr, n, args);
}
