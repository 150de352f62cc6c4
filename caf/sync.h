/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Synchronisation of images. */
#ifndef CAF_SYNC_H
#define CAF_SYNC_H

#include "caf/internal.h"

/* Completes puts, and waits for all images of the current team. Stores the status. 0: some have stopped or
 * failed. */
int pst_caf_sync_team(const struct pst_caf_status *status);
/* Begins and ends image control statements that wait for no image: completes puts, acquires. */
void pst_caf_release(void);
void pst_caf_acquire(void);

#endif
