/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The collectives, which gasnet.h declares. */
#ifndef _GASNET_COLL_H
#define _GASNET_COLL_H
#include "gasnet.h"
#endif
