/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Mediums whose payload is made where it is sent from. */
#ifndef CORE_AM_FILL_H
#define CORE_AM_FILL_H
#include "gasnet.h"

/* What fill(context, to) writes, nbytes, at most the conduit's max_filled. It is called once, before the
 * return, and sends nothing. Who sends requests calls pst_am_serve after some of them; a handler may send
 * several such replies. */
typedef void (*pst_am_fill_fn)(void *context, char *to);
void pst_am_request_filled(gasnet_node_t dest, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args);
void pst_am_reply_filled(gasnet_token_t token, gasnet_handler_t h, pst_am_fill_fn fill, void *context,
    size_t nbytes, unsigned nargs, const gasnet_handlerarg_t *args);

/* A medium request that is sent at once: PST_OK; or PST_ERR_AGAIN: there is no room. For a conduit's own
 * thread, which serves no messages of the client's to make room. */
int pst_am_request_try(gasnet_node_t dest, gasnet_handler_t h, const void *src, size_t nbytes, unsigned nargs,
    const gasnet_handlerarg_t *args);

#endif
