/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What UCX is and finds here, for gasnet_info. */
#include <stdlib.h>
#include <string.h>

#include "conduits/net/library.h"
#include "conduits/ucx/ucx.h"

static void tell_library(const struct pst_inspector *tell)
{
  unsigned major, minor, release;
  const char *file = pst_net_library_file(*(void **)&pst_ucx_library.ucp_get_version);
  if (file) tell->fact("library", "%s", file);
  UCX(get_version)(&major, &minor, &release);
  tell->fact("version", "UCX %u.%u.%u", major, minor, release);
  tell->fact("built with", "UCX %u.%u", UCP_API_MAJOR, UCP_API_MINOR);
}

/* Each ends a line: "... flags -- tcp/eth0". */
static void tell_resources(const struct pst_inspector *tell, char *text)
{
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *name = strstr(line, "-- ");
    if (!name) continue;
    name += 3;
    name[strcspn(name, " ")] = '\0';
    tell->item("transport", name);
  }
  tell->item(NULL, NULL);
}

static void tell_context(const struct pst_inspector *tell)
{
  char *text = pst_ucx_describe_context();
  if (text) tell_resources(tell, text);
  free(text);
}

const char *pst_ucx_inspect(const struct pst_inspector *tell)
{
  const char *why = pst_ucx_library_open();
  if (why) return why;
  tell_library(tell);
  if (pst_ucx_open_context() != PST_OK) return pst_ucx_why();
  tell->fact("devices", pst_ucx_has_device() ? "of InfiniBand's class" : "none of InfiniBand's class");
  tell_context(tell);
  return pst_ucx_open_worker() == PST_OK ? NULL : pst_ucx_why();
}
