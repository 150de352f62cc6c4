/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the packages of this system are called. */
#ifndef SUPPORT_PACKAGES_H
#define SUPPORT_PACKAGES_H

/* The packages with which configure finds a network's library, as the distribution calls them that the file
 * `os_release` names (os-release(5)); a text that stays. */
const char *pst_packages_of_network(const char *os_release);

#endif
