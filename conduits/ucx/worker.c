/* The context and the worker. */
#include <stdio.h>
#include <stdlib.h>

#include "conduits/ucx/ucx.h"
#include "penstock/platform.h"
#include "support/env.h"
#include "support/setting.h"

static char why[256];
const char *pst_ucx_why(void) { return why; }

static int failed(const char *what, ucs_status_t status)
{
  snprintf(why, sizeof why, "UCX: %s: %s", what, pst_ucx_error(status));
  pst_warn("%s", why);
  return PST_ERR_SYSTEM;
}

/* GASNET_UCX_... say the same as UCX_..., and come first. */
static ucs_status_t configure(ucp_config_t *config, enum pst_env id, const char *name)
{
  return pst_env_is_set(id) ? UCX(config_modify)(config, name, pst_env_string(id)) : UCS_OK;
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
  status = configure(config, PST_ENV_UCX_TLS, "TLS");
  if (status == UCS_OK) status = configure(config, PST_ENV_UCX_DEVICES, "NET_DEVICES");
  if (status == UCS_OK) status = UCX(init_version)(UCP_API_MAJOR, UCP_API_MINOR, &p, config, &pst_ucx.context);
  UCX(config_release)(config);
  return status;
}

/* What a worker takes from the environment. */
static struct pst_setting settings[] = {
  /* How much it reads from a socket at a time, and so how long the messages of a rendezvous are: with UCX's 64 KiB 1 MiB takes a third longer
   * than by the way that endpoints go which do not report their peer's end. */
  { "UCX_TCP_RX_SEG_SIZE", "512k", 0 },
  /* Elements of queues in shared memory hold a medium of 512 bytes; UCX's are of 128. Not a power of two: their first lines would share few
   * sets of a cache. */
  { "UCX_MM_FIFO_ELEM_SIZE", PST_STRINGIFY(PST_UCX_ELEMENT), 0 },
};
enum { ELEMENT = 1, SETTINGS = sizeof settings / sizeof settings[0] };

/* A user may say it in other ways, too, and then messages there are copied to be aligned. */
static uint32_t element(void)
{
  enum { LEAST = 128, MOST = 4096 };
  const char *text = getenv(settings[ELEMENT].name);
  char *end;
  const unsigned long n = text ? strtoul(text, &end, 10) : 0;
  return n < LEAST || *end ? 0 : n < MOST ? (uint32_t)n : MOST;
}

static ucs_status_t create_with_settings(const ucp_worker_params_t *p)
{
  ucs_status_t status;
  pst_settings_set(settings, SETTINGS);
  status = UCX(worker_create)(pst_ucx.context, p, &pst_ucx.worker);
  pst_ucx.element = element();
  pst_settings_unset(settings, SETTINGS);
  return status;
}

/* The lock makes calls one at a time. */
static ucs_status_t create_worker(void)
{
  const ucp_worker_params_t p = {
    .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_AM_ALIGNMENT,
    .thread_mode = pst_net.par ? UCS_THREAD_MODE_SERIALIZED : UCS_THREAD_MODE_SINGLE, .am_alignment = 8,
  };
  const ucs_status_t status = create_with_settings(&p);
  pst_ucx.efd = -1;
  if (status == UCS_OK && pst_net.has_thread && UCX(worker_get_efd)(pst_ucx.worker, &pst_ucx.efd) != UCS_OK) pst_ucx.efd = -1;
  return status;
}

static int check_worker(void)
{
  ucp_worker_attr_t a = { .field_mask = UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER | UCP_WORKER_ATTR_FIELD_THREAD_MODE };
  const ucs_status_t status = UCX(worker_query)(pst_ucx.worker, &a);
  if (status != UCS_OK) return failed("ucp_worker_query", status);
  if (a.max_am_header < PST_NET_OVERHEAD) return failed("the longest header of a message is too short", UCS_ERR_UNSUPPORTED);
  if (pst_net.par && a.thread_mode == UCS_THREAD_MODE_SINGLE) return failed("it was built for one thread", UCS_ERR_UNSUPPORTED);
  return PST_OK;
}

int pst_ucx_open_context(void)
{
  unsigned major, minor, release;
  ucs_status_t status = UCS_OK;
  int rc;
  pst_net_signals_keep();
  rc = pst_ucx_library_load();
  if (rc == PST_OK) {
    UCX(get_version)(&major, &minor, &release);
    snprintf(pst_net.library, sizeof pst_net.library, "UCX %u.%u.%u", major, minor, release);
    status = create_context();
  }
  pst_net_signals_restore();
  return rc != PST_OK ? rc : status == UCS_OK ? PST_OK :
         failed("it can use none of the transports and devices that GASNET_UCX_TLS and GASNET_UCX_DEVICES, or UCX_..., allow", status);
}

int pst_ucx_open_worker(void)
{
  const ucs_status_t status = create_worker();
  return status == UCS_OK ? check_worker() : failed("ucp_worker_create", status);
}
