/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the packages of this system are called. */
#ifndef SUPPORT_PACKAGES_H
#define SUPPORT_PACKAGES_H

/* The packages with which configure finds a network's library, by their names in the distribution that the
 * file `os_release` describes (os-release(5)). The text is static. */
const char *pst_packages_of_network(const char *os_release);

#endif
