/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gasnet_tools.h"
#include "support/error.h"

void gasnett_maximize_rlimit(int resource, const char *name)
{
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) {
    pst_warn("cannot read the limit %s: %m", name);
    return;
  }
  if (limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(resource, &limit) != 0) pst_warn("cannot raise the limit %s: %m", name);
}

void gasnett_maximize_rlimits(void)
{
  static const struct {
    int resource;
    const char *name;
  } all[] = {
      {RLIMIT_AS, "RLIMIT_AS"},
      {RLIMIT_DATA, "RLIMIT_DATA"},
      {RLIMIT_RSS, "RLIMIT_RSS"},
      {RLIMIT_STACK, "RLIMIT_STACK"},
      {RLIMIT_NOFILE, "RLIMIT_NOFILE"},
      {RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK"},
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    gasnett_maximize_rlimit(all[i].resource, all[i].name);
}
