/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/ucx/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/conduit.h"

/* Where configure was given a directory, the libraries there; else where the loader finds them. */
#ifndef PST_UCX_DIRECTORY
#define PST_UCX_DIRECTORY ""
#endif

struct pst_ucx_library pst_ucx_library;

static const struct {
  const char *name;
  size_t at;
} functions[] = {
#define X(name) {#name, offsetof(struct pst_ucx_library, name)},
    PST_UCX_FUNCTIONS(X)
#undef X
};

static int find_function(void *handle, const char *name, void *at)
{
  void *f = dlsym(handle, name);
  if (f) memcpy(at, &f, sizeof f);
  return f != NULL;
}

static int resolve_functions(void *ucp, void *ucs, struct pst_ucx_library *l)
{
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (!find_function(ucp, functions[i].name, (char *)l + functions[i].at)) return PST_ERR_UNSUPPORTED;
  return find_function(ucs, "ucs_status_string", &l->ucs_status_string) ? PST_OK : PST_ERR_UNSUPPORTED;
}

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

/* It stays loaded: transports leave threads and handlers behind. */
const char *pst_ucx_library_open(void)
{
  static char why[512];
  struct pst_ucx_library l = {0};
  void *ucs, *ucp;
  if (pst_ucx_library.ucp_get_version) return NULL;
  ucs = dlopen(PST_UCX_DIRECTORY "libucs.so.0", RTLD_NOW | RTLD_LOCAL);
  ucp = ucs ? dlopen(PST_UCX_DIRECTORY "libucp.so.0", RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!ucp || resolve_functions(ucp, ucs, &l) != PST_OK) {
    snprintf(why, sizeof why, "UCX cannot be used: %s", dlerror());
    return why;
  }
  pst_ucx_library = l;
  set_general();
  return NULL;
}

int pst_ucx_library_load(void)
{
  const char *why = pst_ucx_library_open();
  if (why) pst_warn("%s", why);
  return why ? PST_ERR_UNSUPPORTED : PST_OK;
}
