/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef TEAMS_FOLD_H
#define TEAMS_FOLD_H
#include "teams/call.h"

/* Adds a plan in which the members at that place of each group combine their `count` elements at `data` in
 * the order of groups, into the data of all of them. It is empty for other members. Where the place is not 0
 * the team is ordered, and its groups are equally large. */
void pst_plan_fold(struct pst_call *c, void *data, size_t count, unsigned place);

#endif
