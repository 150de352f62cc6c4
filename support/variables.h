/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Variables for layers that may not include each other's headers: conduits and bootstrap. */
#ifndef SUPPORT_VARIABLES_H
#define SUPPORT_VARIABLES_H
#include "support/env.h"

struct pst_support_env {
  struct pst_variable verboseenv, spawn_verbose, backtrace, freeze_on_error, exittimeout, tmpdir;
};
extern const struct pst_support_env pst_support_env;

#endif
