/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Active messages one way: floods of small ones, and streams of large ones that put or get data. */
#include "ucx.h"

#include <string.h>

enum { DEPTH = 512 /* small messages that wait to be sent */, SEVERAL_MOST = 32 /* large ones */ };

struct data_header {
  uint64_t at; /* offset in the memory that the data are for */
  uint64_t of; /* messages in the stream */
};

struct fetch_request {
  uint64_t nbytes, several;
};

static char *data_memory;
static struct fetch_request asked;

void raw_ucx_set_data_memory(char *memory) { data_memory = memory; }

/* Messages may come, and large ones complete, in any order. */
static void count(uint64_t of)
{
  static uint64_t here;
  if (++here < of) return;
  here = 0;
  raw_ucx.event = RAW_UCX_ALL_HERE;
}

/* ---- arriving ---- */

static ucs_status_t on_flood(void *arg, const void *header, size_t header_length, void *data, size_t length,
    const ucp_am_recv_param_t *param)
{
  uint64_t of;
  (void)arg;
  (void)length;
  (void)param;
  memcpy(&of, header_length ? header : data, sizeof of);
  count(of);
  return UCS_OK;
}

static void received(void *request, ucs_status_t status, size_t length, void *of)
{
  (void)length;
  raw_ucx_received(request, status);
  count((uintptr_t)of);
}

static ucs_status_t on_data(void *arg, const void *header, size_t header_length, void *data, size_t length,
    const ucp_am_recv_param_t *param)
{
  struct data_header h;
  (void)arg;
  (void)header_length;
  memcpy(&h, header, sizeof h);
  if (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)
    return raw_ucx_receive(data, data_memory + h.at, length, received, (void *)(uintptr_t)h.of);
  memcpy(data_memory + h.at, data, length);
  count(h.of);
  return UCS_OK;
}

static ucs_status_t on_fetch(void *arg, const void *header, size_t header_length, void *data, size_t length,
    const ucp_am_recv_param_t *param)
{
  (void)arg;
  (void)header;
  (void)header_length;
  (void)length;
  (void)param;
  memcpy(&asked, data, sizeof asked);
  raw_ucx.event = RAW_UCX_ASKED;
  return UCS_OK;
}

void raw_ucx_open_streams(void)
{
  raw_ucx_set_data_memory(raw_local);
  raw_ucx_handle(RAW_UCX_FLOOD, on_flood);
  raw_ucx_handle(RAW_UCX_DATA, on_data);
  raw_ucx_handle(RAW_UCX_FETCH, on_fetch);
}

/* ---- sending ---- */

static void send_small(unsigned id, const void *header, size_t header_length, const void *data, size_t length)
{
  ucs_status_ptr_t request = ucp_am_send_nbx(
      raw_ucx.ep, id, header, header_length, data, length, &raw_ucx_counted);
  raw_ucx_started(request, "ucp_am_send_nbx");
  while (raw_ucx.in_flight >= DEPTH) ucp_worker_progress(raw_ucx.worker);
}

static void stream(const char *from, size_t nbytes, uint64_t several)
{
  static struct data_header header[SEVERAL_MOST]; /* of messages that may still be waiting */
  for (uint64_t i = 0; i < several; i++) {
    header[i] = (struct data_header){i * nbytes, several};
    raw_ucx_started(ucp_am_send_nbx(raw_ucx.ep, RAW_UCX_DATA, &header[i], sizeof *header, from + i * nbytes,
                        nbytes, &raw_ucx_counted),
        "ucp_am_send_nbx");
  }
}

static void await_answer(void)
{
  char answer[RAW_MESSAGE_MOST];
  raw_receive(answer);
  raw_drain();
}

static void flood(long n, int as_header)
{
  static uint64_t of; /* of messages that may still be waiting */
  of = (uint64_t)n;
  for (long i = 0; i < n; i++)
    if (as_header) send_small(RAW_UCX_FLOOD, &of, sizeof of, NULL, 0);
    else send_small(RAW_UCX_FLOOD, NULL, 0, &of, sizeof of);
  await_answer();
}
void raw_ucx_flood(long n, const struct raw_shape *s) { flood(raw_count(n, s), 0); }
void raw_ucx_flood_by_header(long n, const struct raw_shape *s) { flood(raw_count(n, s), 1); }

void raw_ucx_send(long n, const struct raw_shape *s)
{
  for (long left = raw_count(n, s); left > 0; left -= s->several) {
    stream(raw_local, s->bytes, (uint64_t)s->several);
    await_answer();
  }
}

static void fetch(const struct raw_shape *s)
{
  static struct fetch_request request;
  request = (struct fetch_request){s->bytes, (uint64_t)s->several};
  send_small(RAW_UCX_FETCH, NULL, 0, &request, sizeof request);
  while (raw_ucx.event != RAW_UCX_ALL_HERE) ucp_worker_progress(raw_ucx.worker);
  raw_ucx.event = RAW_UCX_NOTHING;
  raw_drain();
}

void raw_ucx_fetch(long n, const struct raw_shape *s)
{
  for (long left = raw_count(n, s); left > 0; left -= s->several) fetch(s);
}

/* ---- the passive side ---- */

void raw_ucx_serve_streams(void)
{
  static const char answer[8];
  const enum raw_ucx_event event = raw_ucx.event;
  raw_ucx.event = RAW_UCX_NOTHING;
  if (event == RAW_UCX_ALL_HERE) raw_send(answer, sizeof answer, 0);
  else stream(raw_ucx.target, asked.nbytes, asked.several);
}
