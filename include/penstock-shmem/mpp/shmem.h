/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The name that the document has for shmem.h. */
#include "../shmem.h"
