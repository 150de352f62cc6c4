/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The integer types of given sizes, and the formats that print them: what every system here has in
 * <inttypes.h>. Clients include it by this name because GASNet had to make them up for systems that lacked
 * them. */
#ifndef _PORTABLE_INTTYPES_H
#define _PORTABLE_INTTYPES_H

#include <inttypes.h>
#include <stdint.h>

#endif
