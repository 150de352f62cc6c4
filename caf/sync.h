/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Synchronisation of images. */
#ifndef CAF_SYNC_H
#define CAF_SYNC_H

#include "caf/internal.h"

/* Completes puts, and waits for all images of the current team that have not failed. Stores the status. 0:
 * some have stopped, so that others may not have come. */
int pst_caf_sync_team(const struct pst_caf_status *status);
/* The same for any team, and without a word on images that have failed: gfortran refuses stat= in statements
 * about teams, and leaves allocate and deallocate half done where they have a status. */
int pst_caf_sync_active(const struct pst_caf_status *status, const struct pst_caf_team *team);
/* Begins image control statements: completes puts. What comes behind one is ordered by the word that it reads
 * with acquire, or changes by an atomic operation. */
void pst_caf_release(void);

#endif
