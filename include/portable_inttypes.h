/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The integer types of given sizes, and the formats that print them. Every system here has them in
 * <inttypes.h>. GASNet has this header for systems that lack them, so clients include it. */
#ifndef _PORTABLE_INTTYPES_H
#define _PORTABLE_INTTYPES_H

#include <inttypes.h>
#include <stdint.h>

#endif
