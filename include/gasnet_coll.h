/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collectives; gasnet.h has them already. */
#ifndef _GASNET_COLL_H
#define _GASNET_COLL_H
#include "gasnet.h"
#endif
