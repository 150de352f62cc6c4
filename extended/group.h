/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Groups of implicit operations: the client's, and each thread's own. */
#ifndef EXTENDED_GROUP_H
#define EXTENDED_GROUP_H
#include "extended/op.h"

/* From now on gasnetx_group_wait_all looks at the group. */
void pst_groups_add(struct gasnetx_group *g);

#endif
