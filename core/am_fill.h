/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Medium messages whose payload is written straight to where the conduit sends it from. */
#ifndef CORE_AM_FILL_H
#define CORE_AM_FILL_H
#include "gasnet.h"

/* fill(context, to) writes the nbytes of the payload, at most the conduit's max_filled. It is called once,
 * before the return, and must not send. A sender of requests calls pst_am_serve after some of them; a handler
 * may send several such replies. */
typedef void (*pst_am_fill_fn)(void *context, char *to);
void pst_am_request_filled(gasnet_node_t dest, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args);
void pst_am_reply_filled(gasnet_token_t token, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args);

/* Sends a medium request without waiting. PST_OK, or PST_ERR_AGAIN where there is no room. For the progress
 * thread, which must not run the client's handlers to make room. */
int pst_am_request_try(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, unsigned nargs,
    const gasnet_handlerarg_t *args);

#endif
