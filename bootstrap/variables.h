/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef BOOTSTRAP_VARIABLES_H
#define BOOTSTRAP_VARIABLES_H
#include "support/env.h"

struct pst_bootstrap_env {
  struct pst_variable pshm_nodes, use_hugepages, catch_exit, spawn_timeout;
};
extern const struct pst_bootstrap_env pst_bootstrap_env;

#endif
