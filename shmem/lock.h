/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks of any width: C's are longs, Fortran's integers of 4 bytes. */
#ifndef SHMEM_LOCK_H
#define SHMEM_LOCK_H

/* width: 4 or 8 bytes. */
void pst_shmem_lock_set(const char *call, volatile void *lock, unsigned width);
void pst_shmem_lock_clear(const char *call, volatile void *lock, unsigned width);
int pst_shmem_lock_test(const char *call, volatile void *lock, unsigned width); /* 0: it is set now */

#endif
