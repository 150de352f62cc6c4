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

int gasnet_AMRequestShort(gasnet_node_t dest, gasnet_handler_t h, int numargs, ...)
{
  COLLECT("gasnet_AMRequestShort");
  return pst_am_request_short(dest, h, n, args);
}

int gasnet_AMRequestMedium(
    gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, int numargs, ...)
{
  COLLECT("gasnet_AMRequestMedium");
  return pst_am_request_medium(dest, h, src, nbytes, n, args);
}

int gasnet_AMRequestLong(
    gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr, int numargs, ...)
{
  COLLECT("gasnet_AMRequestLong");
  return pst_am_request_long(dest, h, src, nbytes, dest_addr, n, args);
}

int gasnet_AMRequestLongAsync(
    gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, void *dest_addr, int numargs, ...)
{
  COLLECT("gasnet_AMRequestLongAsync");
  return pst_am_request_longasync(dest, h, src, nbytes, dest_addr, n, args);
}

int gasnet_AMReplyShort(gasnet_token_t token, gasnet_handler_t h, int numargs, ...)
{
  COLLECT("gasnet_AMReplyShort");
  return pst_am_reply_short(token, h, n, args);
}

int gasnet_AMReplyMedium(
    gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes, int numargs, ...)
{
  COLLECT("gasnet_AMReplyMedium");
  return pst_am_reply_medium(token, h, src, nbytes, n, args);
}

int gasnet_AMReplyLong(gasnet_token_t token, gasnet_handler_t h, const void *src, size_t nbytes,
    void *dest_addr, int numargs, ...)
{
  COLLECT("gasnet_AMReplyLong");
  return pst_am_reply_long(token, h, src, nbytes, dest_addr, n, args);
}
