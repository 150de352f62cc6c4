/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef TEAMS_FOLD_H
#define TEAMS_FOLD_H
#include "teams/call.h"

/* Adds a plan in which the heads combine their elements at `data` in the order of groups, into all heads'
 * data. It is empty for other members. */
void pst_plan_fold(struct pst_call *c, void *data);

#endif
