/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* UCX's functions. */
#ifndef CONDUITS_UCX_LIBRARY_H
#define CONDUITS_UCX_LIBRARY_H
#include <ucp/api/ucp.h>

/* Each function of UCP that the conduit calls. */
/* clang-format off */
#define PST_UCX_FUNCTIONS(X) \
  X(ucp_get_version) X(ucp_init_version) X(ucp_cleanup) X(ucp_config_read) X(ucp_config_modify) \
  X(ucp_config_release) X(ucp_worker_create) X(ucp_worker_destroy) X(ucp_worker_query) \
  X(ucp_worker_get_address) X(ucp_worker_release_address) X(ucp_worker_progress) X(ucp_worker_get_efd) \
  X(ucp_worker_arm) X(ucp_worker_flush_nbx) X(ucp_worker_set_am_recv_handler) X(ucp_ep_create) \
  X(ucp_ep_flush_nbx) X(ucp_am_send_nbx) X(ucp_am_recv_data_nbx) X(ucp_am_data_release) X(ucp_put_nbx) \
  X(ucp_get_nbx) X(ucp_atomic_op_nbx) X(ucp_mem_map) X(ucp_rkey_pack) X(ucp_rkey_buffer_release) \
  X(ucp_ep_rkey_unpack) X(ucp_rkey_ptr) X(ucp_request_free) X(ucp_request_check_status) \
  X(ucp_ep_print_info) X(ucp_context_print_info)
/* clang-format on */

struct pst_ucx_library {
#define X(name) __typeof__(name) *name;
  PST_UCX_FUNCTIONS(X)
#undef X
  __typeof__(ucs_status_string) *ucs_status_string;
};
extern struct pst_ucx_library pst_ucx_library;
#define UCX(name) (pst_ucx_library.ucp_##name)

/* NULL, or the reason why it cannot be used. UCX's log shows errors alone, where the user has not said
 * otherwise. */
const char *pst_ucx_library_open(void);

/* Between the two UCX prints nothing: for calls that may fail because another way follows. */
void pst_ucx_library_hush(void);
void pst_ucx_library_speak(void);

#endif
