/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tables of variables. PST_LAYERS is X(name) for each variables.c of the tree; the makefile writes it, so
 * that support knows no layer by name. Whoever links this object has all tables: they need nothing but
 * support. */
#include "support/env.h"

#define X(layer) extern const struct pst_env_table pst_##layer##_variables;
PST_LAYERS
#undef X

#define X(layer) &pst_##layer##_variables,
const struct pst_env_table *const pst_env_tables[] = {PST_LAYERS NULL};
#undef X
