/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Packed messages: the pieces of a slice of a transfer in one message, with a description of their places. */
#ifndef VIS_PACKED_H
#define VIS_PACKED_H
#include "core/am_args.h"
#include "extended/op.h"
#include "vis/cost.h"
#include "vis/cursor.h"
#include "vis/notify.h"
#include "vis/wire.h"

/* A transfer at its initiator, while it is being started. */
struct pst_packed {
  int get;
  gasnet_node_t node;
  uintptr_t origin; /* what addresses there are relative to */
  const struct pst_cost *cost;
  struct pst_completion *completion;
  const gasnetx_notify_t *notify; /* or NULL */
  int counted;  /* each message says how much there is in all; the target answers the last one only */
  uint32_t id;  /* counted: the transfer's number among this node's */
  size_t total; /* counted: its bytes */
};

void pst_packed_begin(struct pst_packed *t, int get, gasnet_node_t node, size_t total,
    const gasnetx_notify_t *notify, struct pst_completion *completion);

/* Makes a put that goes in several messages only a counted one. A put with a notification already is. */
void pst_packed_count(struct pst_packed *t);
/* Sends n bytes of data and behind them `length` bytes that describe their places; together at most
 * cost->message. */
void pst_packed_put(const struct pst_packed *t, const void *message, size_t n, size_t length);
/* The same at once: PST_OK, or PST_ERR_AGAIN where there is no room (pst_am_request_try). */
int pst_packed_try_put(const struct pst_packed *t, const void *message, size_t n, size_t length);
/* The same with the next n bytes of a cursor as data. Serves no messages of others (see pst_am_serve). */
void pst_packed_put_next(
    const struct pst_packed *t, struct pst_cursor *data, size_t n, const void *description, size_t length);
/* Sends a contiguous piece by long messages: for transfers with a notification. */
void pst_packed_put_row(const struct pst_packed *t, void *remote, void *local, size_t n);

/* n bytes of a get: the description of their places there, and here (origin 0). */
struct pst_packed_places {
  const void *far, *near;
  size_t far_length, near_length, n;
};
/* Asks for them. The descriptions may be reused on return. */
void pst_packed_get(const struct pst_packed *t, const struct pst_packed_places *p);
/* The same in a series: several short requests share a message. After the end all have been sent. */
enum {
  PST_PACKED_ASKS = 4,      /* requests in a message */
  PST_PACKED_ASK_MOST = 96, /* bytes of a request that shares one */
  PST_PACKED_ASK_MORE = 24  /* bytes of a request beside the description, at most */
};
struct pst_packed_asks {
  size_t count, nbytes;
  char bytes[PST_PACKED_ASKS * PST_PACKED_ASK_MOST];
};
void pst_packed_get_begin(struct pst_packed_asks *asks);
void pst_packed_get_next(
    const struct pst_packed *t, struct pst_packed_asks *asks, const struct pst_packed_places *p);
void pst_packed_get_end(const struct pst_packed *t, struct pst_packed_asks *asks);

void pst_packed_put_open(void);
void pst_packed_get_open(void);

/* From how many bytes on a contiguous piece goes by itself. */
static inline size_t pst_packed_alone(const struct pst_packed *t)
{
  return t->notify ? t->cost->message_row : t->cost->native_row;
}

/* Where this node lets packed messages read and write: its segment and regions. */
struct pst_wire_window pst_packed_window(void);

#endif
