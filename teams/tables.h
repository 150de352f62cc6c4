/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tables of a team, shared by the members of a group.
 *
 * All members have the same tables of ranks and groups, of some 16 bytes a member of the team. Where they
 * fill more than SHARED_FROM bytes, the members of a group share those of its head (teams/group_memory.h), in
 * a file which nobody can change afterwards. A member that cannot open it keeps its own. */
#ifndef TEAMS_TABLES_H
#define TEAMS_TABLES_H
#include "teams/team.h"

/* Collective on the team, which is complete. `who` is the calling function. */
void pst_team_share_tables(const char *who, struct pst_team *t);
/* Frees the tables, shared or not. */
void pst_team_free_tables(struct pst_team *t);

#endif
