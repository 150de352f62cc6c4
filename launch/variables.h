/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The launcher's variables. GASP's two are among them: gasnetrun heeds the first, and GASP's runtime, which
 * is linked without the library, too, has no table. */
#ifndef LAUNCH_VARIABLES_H
#define LAUNCH_VARIABLES_H
#include "support/env.h"

struct pst_launch_env {
  struct pst_variable hosts, rsh, spawn_interface, gasp_tool, gasp_output;
};
extern const struct pst_launch_env pst_launch_env;

#endif
