/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Large messages: those that come with their data are taken where they are, those by rendezvous are received
 * first. */
#include "ucx.h"

#include <string.h>

static char packed[RAW_PACKED_MOST] __attribute__((aligned(64))),
    received[RAW_PACKED_MOST] __attribute__((aligned(64)));

/* The head of a slice: its offset in the sender's packed memory, and in `received` here. */
typedef uint64_t slice_offset_t;

char *raw_packed(void) { return packed; }

void raw_send_slice(const char *slice, size_t nbytes, int eager)
{
  static slice_offset_t offsets[RAW_SLICES_MOST]; /* of messages that may still be waiting */
  static unsigned next;
  slice_offset_t *p = &offsets[next++ % RAW_SLICES_MOST];
  *p = (slice_offset_t)(slice - packed);
  raw_ucx_started(ucp_am_send_nbx(raw_ucx.ep, RAW_UCX_SLICE, p, sizeof *p, slice, nbytes,
                      eager ? &raw_ucx_eager : &raw_ucx_counted),
      "ucp_am_send_nbx");
}

void raw_progress(void) { ucp_worker_progress(raw_ucx.worker); }

/* ---- arriving ---- */

static void take_received(void *request, ucs_status_t status, size_t length, void *slice)
{
  (void)length;
  raw_ucx_received(request, status);
  raw_face_take(slice);
}

static ucs_status_t on_slice(void *arg, const void *header, size_t header_length, void *data, size_t length,
    const ucp_am_recv_param_t *param)
{
  slice_offset_t at;
  (void)arg;
  (void)header_length;
  memcpy(&at, header, sizeof at);
  if (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)
    return raw_ucx_receive(data, received + at, length, take_received, received + at);
  raw_face_take(data);
  return UCS_OK;
}

void raw_ucx_open_slices(void) { raw_ucx_handle(RAW_UCX_SLICE, on_slice); }
