/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The table of active-message handlers: 1..127 the library's, 128..255 the client's. */
#ifndef CORE_HANDLER_H
#define CORE_HANDLER_H
#include "gasnet.h"

/* Handlers are kept without their prototype and called through one that fits: see am_call.h. */
typedef void (*pst_handler_fn)(void);

enum {
  PST_HANDLER_CLIENT = 128, /* the client's first index */
  PST_HANDLER_END = 256,
  /* The library's own. */
  PST_HANDLER_PUT = 1,
  PST_HANDLER_PUT_DONE,
  PST_HANDLER_GET,
  PST_HANDLER_GET_DONE,
  PST_HANDLER_GET_PLACED,
  PST_HANDLER_MEMSET,
  PST_HANDLER_NOTIFY,
  PST_HANDLER_VIS_PUT,
  PST_HANDLER_VIS_PUT_DONE,
  PST_HANDLER_VIS_GET,
  PST_HANDLER_VIS_GET_DONE,
  PST_HANDLER_VIS_PUT_NOTIFY,
  PST_HANDLER_VIS_LONG_NOTIFY,
  PST_HANDLER_VIS_PUT_PART,
  PST_HANDLER_ATOMIC,
  PST_HANDLER_ATOMIC_DONE,
  PST_HANDLER_ATOMIC_NBI,
  PST_HANDLER_TEAM,
  PST_HANDLER_TEAM_CONSUMED,
  PST_HANDLER_TEAM_ASK,
  PST_HANDLER_TEAM_LEFT,
  PST_HANDLER_TEAM_LEFT_TOO,
  PST_HANDLER_NOTHING
};

extern pst_handler_fn pst_handler[PST_HANDLER_END];

/* The library's handlers, before the client's. */
void pst_handler_set(gasnet_handler_t index, pst_handler_fn fn);

/* Checks the client's table, gives indices to entries that have 0 and writes them back. GASNET_OK, or
 * GASNET_ERR_BAD_ARG with nothing changed and the reason in *why, static text. */
int pst_handler_register(gasnet_handlerentry_t *table, int numentries, const char **why);

#endif
