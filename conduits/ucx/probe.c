/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What UCX finds here, and how fast it is between two nodes, before the conduit is open. */
#include "conduits/net/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduits/ucx/ucx.h"

/* Transports of InfiniBand-class devices, in a context's description: "... flags -- rc_mlx5/mlx5_0:1". */
static int names_verbs(const char *text)
{
  static const char *const transports[] = {"-- rc_", "-- dc_", "-- ud_"};
  for (size_t i = 0; i < sizeof transports / sizeof transports[0]; i++)
    if (strstr(text, transports[i])) return 1;
  return 0;
}

char *pst_ucx_describe_context(void)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  UCX(context_print_info)(pst_ucx.context, f);
  fclose(f);
  return text;
}

int pst_ucx_has_device(void)
{
  char *text = pst_ucx_describe_context();
  const int has = text && names_verbs(text);
  free(text);
  return has;
}

enum pst_conduit_grade pst_ucx_grade(void)
{
  enum pst_conduit_grade grade;
  if (pst_ucx_open_context() != PST_OK) return PST_GRADE_NONE;
  grade = pst_ucx_has_device() ? PST_GRADE_NATIVE : PST_GRADE_SOCKETS;
  UCX(cleanup)(pst_ucx.context);
  return grade;
}

/* ---- round trips ---- */

static int came, under_way;
static ucp_ep_h ep;

static ucs_status_t on_message(void *unused, const void *header, size_t header_bytes, void *data,
    size_t nbytes, const ucp_am_recv_param_t *param)
{
  (void)unused, (void)header, (void)header_bytes, (void)data, (void)nbytes, (void)param;
  came++;
  return UCS_OK;
}

static void probe_sent(void *request, ucs_status_t status, void *unused)
{
  (void)unused;
  UCX(request_free)(request);
  if (status == UCS_OK) under_way--;
}

static int send_one(size_t nbytes)
{
  static const char bytes[PST_PROBE_MOST];
  const ucp_request_param_t p = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_FLAGS,
      .flags = UCP_AM_SEND_FLAG_EAGER,
      .cb.send = probe_sent};
  const ucs_status_ptr_t r = UCX(am_send_nbx)(ep, PST_UCX_AM_MESSAGE, NULL, 0, bytes, nbytes, &p);
  if (UCS_PTR_IS_ERR(r)) return UCS_PTR_STATUS(r) == UCS_ERR_NO_RESOURCE ? 0 : -1;
  under_way += r != NULL;
  return 1;
}

static int probe_progress(void)
{
  UCX(worker_progress)(pst_ucx.worker);
  return came;
}

static int is_sent(void) { return under_way == 0; }

static void probe_close(void)
{
  UCX(worker_destroy)(pst_ucx.worker);
  UCX(cleanup)(pst_ucx.context);
}

static size_t copy_address(char to[PST_PROBE_ADDRESS])
{
  ucp_address_t *address;
  size_t size;
  if (UCX(worker_get_address)(pst_ucx.worker, &address, &size) != UCS_OK) return 0;
  if (size > PST_PROBE_ADDRESS) size = 0;
  memcpy(to, address, size);
  UCX(worker_release_address)(pst_ucx.worker, address);
  return size;
}

static size_t probe_open(char address[PST_PROBE_ADDRESS])
{
  if (pst_ucx_open_context() != PST_OK) return 0;
  if (pst_ucx_open_worker() != PST_OK) {
    UCX(cleanup)(pst_ucx.context);
    return 0;
  }
  const size_t size = copy_address(address);
  if (size == 0) probe_close();
  return size;
}

static int probe_connect(const char *address)
{
  const ucp_am_handler_param_t h = {
      .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB,
      .id = PST_UCX_AM_MESSAGE,
      .cb = on_message};
  const ucp_ep_params_t p = {
      .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS, .address = (const ucp_address_t *)address};
  return UCX(worker_set_am_recv_handler)(pst_ucx.worker, &h) == UCS_OK &&
      UCX(ep_create)(pst_ucx.worker, &p, &ep) == UCS_OK;
}

double pst_ucx_probe(const struct pst_conduit_job *job, gasnet_node_t peer)
{
  static const struct pst_probe probe = {
      probe_open, probe_connect, send_one, probe_progress, is_sent, probe_close};
  return pst_probe(job, peer, &probe);
}
