/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The context and the worker. */
#include <stdio.h>
#include <stdlib.h>

#include "conduits/net/library.h"
#include "conduits/ucx/ucx.h"
#include "conduits/ucx/variables.h"
#include "support/env.h"

static char why[256];
const char *pst_ucx_why(void) { return why; }

static int report_failure(const char *what, ucs_status_t status)
{
  snprintf(why, sizeof why, "UCX: %s: %s", what, pst_ucx_error(status));
  pst_warn("%s", why);
  return PST_ERR_SYSTEM;
}

/* GASNET_UCX_... say the same as UCX_..., and come first. */
static ucs_status_t config_set(ucp_config_t *config, const struct pst_variable *id, const char *name)
{
  return pst_env_is_set(id) ? UCX(config_modify)(config, name, pst_env_string(id)) : UCS_OK;
}

/* Settings that are better than UCX's own, where the user has not chosen. The first is how much UCX reads
 * from a socket at a time, and so how long the messages of a rendezvous are: with UCX's 64 KiB, endpoints
 * that report the end of their peer take a third longer for 1 MiB than others do. The second is the size of
 * an element of a queue in shared memory, where a message that fits takes neither a buffer nor a request:
 * UCX's 128 bytes are too few for a medium of 512. It is no power of two, for then the elements' first lines
 * would share few sets of a cache. */
static void configure_defaults(ucp_config_t *config)
{
  if (!getenv("UCX_TCP_RX_SEG_SIZE")) UCX(config_modify)(config, "TCP_RX_SEG_SIZE", "512k");
  if (!getenv("UCX_MM_FIFO_ELEM_SIZE")) UCX(config_modify)(config, "MM_FIFO_ELEM_SIZE", "704");
}

static ucs_status_t create_context(void)
{
  const ucp_params_t p = {
      .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
      .features = UCP_FEATURE_AM | UCP_FEATURE_RMA | (pst_net.has_thread ? UCP_FEATURE_WAKEUP : 0) |
          (pst_ucx.atomics ? UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64 : 0),
      .estimated_num_eps = pst_net.nodes,
  };
  ucp_config_t *config;
  ucs_status_t status = UCX(config_read)(NULL, NULL, &config);
  if (status != UCS_OK) return status;
  configure_defaults(config);
  status = config_set(config, &pst_ucx_env.tls, "TLS");
  if (status == UCS_OK) status = config_set(config, &pst_ucx_env.devices, "NET_DEVICES");
  if (status == UCS_OK)
    status = UCX(init_version)(UCP_API_MAJOR, UCP_API_MINOR, &p, config, &pst_ucx.context);
  UCX(config_release)(config);
  return status;
}

/* The lock lets one thread call at a time. */
static ucs_status_t create_worker(void)
{
  const ucp_worker_params_t p = {
      .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_AM_ALIGNMENT,
      .thread_mode = pst_net.par ? UCS_THREAD_MODE_SERIALIZED : UCS_THREAD_MODE_SINGLE,
      .am_alignment = 8,
  };
  const ucs_status_t status = UCX(worker_create)(pst_ucx.context, &p, &pst_ucx.worker);
  pst_ucx.efd = -1;
  if (status == UCS_OK && pst_net.has_thread && UCX(worker_get_efd)(pst_ucx.worker, &pst_ucx.efd) != UCS_OK)
    pst_ucx.efd = -1;
  return status;
}

static int check_worker(void)
{
  ucp_worker_attr_t a = {
      .field_mask = UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER | UCP_WORKER_ATTR_FIELD_THREAD_MODE};
  const ucs_status_t status = UCX(worker_query)(pst_ucx.worker, &a);
  if (status != UCS_OK) return report_failure("ucp_worker_query", status);
  if (a.max_am_header < PST_NET_OVERHEAD)
    return report_failure("the longest header of a message is too short", UCS_ERR_UNSUPPORTED);
  if (pst_net.par && a.thread_mode == UCS_THREAD_MODE_SINGLE)
    return report_failure("it was built for one thread", UCS_ERR_UNSUPPORTED);
  return PST_OK;
}

static int report_limit(const char *which)
{
  snprintf(why, sizeof why, "UCX cannot be used: %s", which);
  pst_warn("%s", why);
  return PST_ERR_SYSTEM;
}

static int load_and_create_context(void)
{
  unsigned major, minor, release;
  const int rc = pst_net_library_judge(pst_ucx_library_open());
  ucs_status_t status;
  if (rc != PST_OK) return rc;
  UCX(get_version)(&major, &minor, &release);
  snprintf(pst_net.library, sizeof pst_net.library, "UCX %u.%u.%u", major, minor, release);
  status = create_context();
  return status == UCS_OK
      ? PST_OK
      : report_failure("it can use none of the transports and devices that GASNET_UCX_TLS and "
                       "GASNET_UCX_DEVICES, or UCX_..., allow",
            status);
}

/* UCX aborts the process where it finds no descriptor or cannot start its thread, so the limits are looked at
 * before. */
int pst_ucx_open_context(void)
{
  const char *limit;
  int rc;
  pst_net_descriptors_open(pst_net.nodes);
  if ((limit = pst_net_limit_reached()) != NULL) return report_limit(limit);
  pst_net_signals_keep();
  rc = load_and_create_context();
  pst_net_signals_restore();
  return rc;
}

int pst_ucx_open_worker(void)
{
  const ucs_status_t status = create_worker();
  return status == UCS_OK ? check_worker() : report_failure("ucp_worker_create", status);
}
