/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef EXTENDED_VARIABLES_H
#define EXTENDED_VARIABLES_H
#include "support/env.h"

struct pst_extended_env {
  struct pst_variable barrier;
};
extern const struct pst_extended_env pst_extended_env;

#endif
