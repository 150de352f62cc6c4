/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which gfortran has compiled the program: 16 has other arguments for statements about teams than earlier
 * ones. Most calls show it. Before one has, it is what the program has been linked for: caf, pkg-config and
 * CMake define a symbol. Without that it is the version that configure found. */
#ifndef CAF_VERSION_H
#define CAF_VERSION_H

#include "caf/internal.h"

/* 1: gfortran 16 or later. */
int pst_caf_version_is_16(void);
/* A call has shown it. Ends the job where the contrary has been assumed in a statement whose call does not
 * show it, which is form team. */
void pst_caf_version_seen(const char *call, int is_16);
void pst_caf_version_assumed(void);

/* The team that change team or sync team names. Stores the status, which is only gfortran 16's to have. */
struct pst_caf_team *pst_caf_version_team(struct pst_caf_status *status, void *team);

#endif
