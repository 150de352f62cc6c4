/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The bare program for UCX: what its two files share. */
#ifndef BENCH_RAW_UCX_H
#define BENCH_RAW_UCX_H
#include "inside.h"

#include <ucp/api/ucp.h>

/* Sends `n` messages of 8 bytes until the peer has counted them, as data or as headers alone. */
void raw_ucx_flood(long n, const struct raw_shape *s);
void raw_ucx_flood_by_header(long n, const struct raw_shape *s);
/* Sends several messages at a time from local memory, until they are in the peer's target memory; or back. */
void raw_ucx_send(long n, const struct raw_shape *s);
void raw_ucx_fetch(long n, const struct raw_shape *s);

/* What arrived last, besides messages for raw_receive. */
enum raw_ucx_event {
  RAW_UCX_NOTHING,
  RAW_UCX_ALL_HERE, /* the last of a flood or stream */
  RAW_UCX_ASKED     /* the peer wants a stream */
};

struct raw_ucx {
  ucp_context_h context;
  ucp_worker_h worker;
  ucp_ep_h ep;
  ucp_mem_h memory;
  ucp_rkey_h rkey;
  char *target;
  uint64_t base;      /* of the peer's target memory */
  unsigned in_flight; /* requests that have not completed */
  int unflushed;      /* something was started that may be complete here but not there */
  enum raw_ucx_event event;
  int closing;
};
extern struct raw_ucx raw_ucx;

/* Identifiers of active messages. */
enum { RAW_UCX_MESSAGE, RAW_UCX_FLOOD, RAW_UCX_DATA, RAW_UCX_FETCH, RAW_UCX_SLICE };

/* For operations that in_flight counts until they complete; and for such without rendezvous. */
extern const ucp_request_param_t raw_ucx_counted, raw_ucx_eager;

_Noreturn void raw_ucx_die(const char *what, ucs_status_t status);
void raw_ucx_handle(unsigned id, ucp_am_recv_callback_t callback);
/* Receives what comes by rendezvous, by UCX's descriptor: `then` is called with `data` when it is here, maybe
 * at once, without a request then; it calls raw_ucx_received first. Returns what the handler of the message
 * returns. */
ucs_status_t raw_ucx_receive(
    void *descriptor, char *to, size_t nbytes, ucp_am_recv_data_nbx_callback_t then, void *data);
void raw_ucx_received(void *request, ucs_status_t status);

static inline void raw_ucx_started(ucs_status_ptr_t request, const char *what)
{
  if (!request) return;
  if (UCS_PTR_IS_ERR(request)) raw_ucx_die(what, UCS_PTR_STATUS(request));
  raw_ucx.in_flight++;
}

void raw_ucx_open_slices(void);
void raw_ucx_open_streams(void);
/* Where the data of arriving streams go. */
void raw_ucx_set_data_memory(char *memory);
/* The peer does what the event asks for. */
void raw_ucx_serve_streams(void);
#endif
