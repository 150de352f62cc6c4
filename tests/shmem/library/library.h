/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef TESTS_SHMEM_LIBRARY_H
#define TESTS_SHMEM_LIBRARY_H

extern long library_copied, library_large[4000];
long *library_private(void);
long *library_private_zero(void);
/* library_copied, as the library itself reads it. */
long library_sees(void);

#endif
