/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Files that a dead process has left in shared memory. */
#ifndef BOOTSTRAP_LEFTOVERS_H
#define BOOTSTRAP_LEFTOVERS_H
#include <sys/types.h>

/* Removes what is certainly its own. The process must be dead and not yet waited for, so that nobody else has
 * its number. */
void pst_leftovers_remove(pid_t pid);

#endif
