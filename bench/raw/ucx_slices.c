/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Large messages: those that come with their data are taken where they are, those by rendezvous are received
 * first. */
#include "ucx.h"

#include <string.h>

static char packed[RAW_PACKED_MOST] __attribute__((aligned(64))),
    received[RAW_PACKED_MOST] __attribute__((aligned(64)));

/* Offset of a message in the sender's packed memory, and in `received` here. */
struct place {
  uint64_t at;
};

char *raw_packed(void) { return packed; }

void raw_send_slice(const char *slice, size_t nbytes, int eager)
{
  static struct place places[RAW_SLICES_MOST]; /* of messages that may still be waiting */
  static unsigned next;
  struct place *p = &places[next++ % RAW_SLICES_MOST];
  p->at = (uint64_t)(slice - packed);
  raw_ucx_started(ucp_am_send_nbx(raw_ucx.ep, RAW_UCX_SLICE, p, sizeof *p, slice, nbytes,
                      eager ? &raw_ucx_eager : &raw_ucx_counted),
      "ucp_am_send_nbx");
}

void raw_progress(void) { ucp_worker_progress(raw_ucx.worker); }

/* ---- arriving ---- */

static void take_received(void *request, ucs_status_t status, size_t length, void *slice)
{
  (void)length;
  if (status != UCS_OK) raw_ucx_die("a rendezvous", status);
  ucp_request_free(request);
  raw_face_take(slice);
}

static ucs_status_t on_slice(void *arg, const void *header, size_t header_length, void *data, size_t length,
    const ucp_am_recv_param_t *param)
{
  struct place p;
  (void)arg;
  (void)header_length;
  memcpy(&p, header, sizeof p);
  if (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
    if (raw_ucx_receive(data, received + p.at, length, take_received, received + p.at))
      raw_face_take(received + p.at);
    return UCS_INPROGRESS;
  }
  raw_face_take(data);
  return UCS_OK;
}

void raw_ucx_open_slices(void) { raw_ucx_handle(RAW_UCX_SLICE, on_slice); }
