/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ucx/library.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "conduits/net/library.h"

/* Where configure was given a directory, the libraries there; else where the loader finds them. */
#ifndef PST_UCX_DIRECTORY
#define PST_UCX_DIRECTORY ""
#endif

struct pst_ucx_library pst_ucx_library;

/* ---- settings of UCX as a whole: ucp_config_modify takes them, too, and they count at once ---- */

static ucp_config_t *general;
static const char *log_level; /* NULL: a user wants to hear more */

static int is_low(const char *level)
{
  static const char *const low[] = {"fatal", "error", "warn"};
  for (size_t i = 0; i < sizeof low / sizeof low[0]; i++)
    if (strcasecmp(level, low[i]) == 0) return 1;
  return 0;
}

static void set_log_level(const char *level)
{
  if (log_level) UCX(config_modify)(general, "LOG_LEVEL", level);
}
void pst_ucx_library_hush(void) { set_log_level("fatal"); }
void pst_ucx_library_speak(void) { set_log_level(log_level); }

/* The log shows errors alone, and a deadly signal is reported by us, unless the user wants otherwise. */
static void set_general(void)
{
  static char level[8];
  const char *said = getenv("UCX_LOG_LEVEL");
  if (UCX(config_read)(NULL, NULL, &general) != UCS_OK) return;
  if (!said || is_low(said)) {
    snprintf(level, sizeof level, "%s", said ? said : "error");
    log_level = level;
  }
  if (!getenv("UCX_HANDLE_ERRORS")) UCX(config_modify)(general, "HANDLE_ERRORS", "none");
  pst_ucx_library_speak();
}

/* libucp needs libucs, which is the same one where it is loaded first. */
const char *pst_ucx_library_open(void)
{
  static const struct pst_net_function ucs[] = {
      {"ucs_status_string", offsetof(struct pst_ucx_library, ucs_status_string)}, {NULL, 0}};
  static const struct pst_net_function ucp[] = {
#define X(name) {#name, offsetof(struct pst_ucx_library, name)},
      PST_UCX_FUNCTIONS(X)
#undef X
          {NULL, 0},
  };
  struct pst_ucx_library l = {0};
  const char *why;
  if (pst_ucx_library.ucp_get_version) return NULL;
  why = pst_net_library_open("UCX", PST_UCX_DIRECTORY "libucs.so.0", ucs, &l);
  if (!why) why = pst_net_library_open("UCX", PST_UCX_DIRECTORY "libucp.so.0", ucp, &l);
  if (why) return why;
  pst_ucx_library = l;
  set_general();
  return NULL;
}
