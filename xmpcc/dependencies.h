/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lists of what an object depends on, which compilers write for make. */
#ifndef XMPCC_DEPENDENCIES_H
#define XMPCC_DEPENDENCIES_H

/* Takes the file that ends with this out of the list, and the rule that -MP gives for it. */
void dependencies_drop(const char *list, const char *ending);

#endif
