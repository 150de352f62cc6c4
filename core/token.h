/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a handler's token points to; it lives on the stack of the poll that runs the handler. */
#ifndef CORE_TOKEN_H
#define CORE_TOKEN_H
#include "gasnet.h"

struct pst_token {
  gasnet_node_t src;
  uint8_t is_reply;
  uint8_t replied;
  uint8_t kind; /* enum pst_am_kind; debug messages name it */
  gasnet_handler_t handler;
};

/* Handlers of the layers above may send several replies; a client's sends one at most. */
static inline void pst_token_reply_again(gasnet_token_t token) { ((struct pst_token *)token)->replied = 0; }

#endif
