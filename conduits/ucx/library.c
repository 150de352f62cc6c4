#include "conduits/ucx/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/conduit.h"
#include "support/setting.h"

/* Where configure was given a directory, the libraries there; else where the loader finds them. */
#ifndef PST_UCX_DIRECTORY
#define PST_UCX_DIRECTORY ""
#endif

struct pst_ucx_library pst_ucx_library;

static const struct { const char *name; size_t at; } functions[] = {
#define X(name) { #name, offsetof(struct pst_ucx_library, name) },
  PST_UCX_FUNCTIONS(X)
#undef X
};

static int find(void *handle, const char *name, void *at)
{
  void *f = dlsym(handle, name);
  if (f) memcpy(at, &f, sizeof f);
  return f != NULL;
}

static int resolve(void *ucp, void *ucs, struct pst_ucx_library *l)
{
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (!find(ucp, functions[i].name, (char *)l + functions[i].at)) return PST_ERR_UNSUPPORTED;
  find(ucs, "ucs_global_opts_set_value", &l->set_option);
  return find(ucs, "ucs_status_string", &l->ucs_status_string) ? PST_OK : PST_ERR_UNSUPPORTED;
}

/* ---- its general settings, which it reads when it is loaded ---- */

static struct pst_setting settings[] = {
  { "UCX_LOG_LEVEL", "error", 0 },
  { "UCX_HANDLE_ERRORS", "none", 0 },
  { "UCX_WARN_UNUSED_ENV_VARS", "n", 0 },
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };
static char log_level[8]; /* empty: a user wants to hear more */

static int is_low(const char *level)
{
  static const char *const low[] = { "fatal", "error", "warn" };
  for (size_t i = 0; i < sizeof low / sizeof low[0]; i++)
    if (strcasecmp(level, low[i]) == 0) return 1;
  return 0;
}

static void set_log_level(const char *level)
{
  if (log_level[0] && pst_ucx_library.set_option) pst_ucx_library.set_option("LOG_LEVEL", level);
}
void pst_ucx_library_hush(void) { set_log_level("fatal"); }
void pst_ucx_library_speak(void) { set_log_level(log_level); }

/* It stays loaded: transports leave threads and handlers behind. */
const char *pst_ucx_library_open(void)
{
  static char why[512];
  struct pst_ucx_library l = { 0 };
  void *ucs, *ucp;
  if (pst_ucx_library.ucp_get_version) return NULL;
  pst_settings_set(settings, SETTINGS);
  if (is_low(getenv("UCX_LOG_LEVEL"))) snprintf(log_level, sizeof log_level, "%s", getenv("UCX_LOG_LEVEL"));
  ucs = dlopen(PST_UCX_DIRECTORY "libucs.so.0", RTLD_NOW | RTLD_LOCAL);
  ucp = ucs ? dlopen(PST_UCX_DIRECTORY "libucp.so.0", RTLD_NOW | RTLD_LOCAL) : NULL;
  pst_settings_unset(settings, SETTINGS);
  if (!ucp || resolve(ucp, ucs, &l) != PST_OK) {
    snprintf(why, sizeof why, "UCX cannot be used: %s", dlerror());
    return why;
  }
  pst_ucx_library = l;
  return NULL;
}

int pst_ucx_library_load(void)
{
  const char *why = pst_ucx_library_open();
  if (why) pst_warn("%s", why);
  return why ? PST_ERR_UNSUPPORTED : PST_OK;
}
