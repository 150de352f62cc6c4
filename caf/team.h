/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef CAF_TEAM_H
#define CAF_TEAM_H

#include "caf/internal.h"

/* Is it the initial team, or one that has been formed? */
int pst_caf_team_exists(const void *team);

/* The node of an image of a team, or of the team of the number that was formed with the current one. */
gasnet_node_t pst_caf_node_of_team(const char *call, caf_team_t *team, const int *number, int image)
    __attribute__((cold));
static inline gasnet_node_t pst_caf_node_in(const char *call, caf_team_t *team, const int *number, int image)
{
  return __builtin_expect(team || number, 0) ? pst_caf_node_of_team(call, team, number, image)
                                             : pst_caf_node(call, image);
}

#endif
