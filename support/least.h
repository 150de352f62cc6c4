/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef SUPPORT_LEAST_H
#define SUPPORT_LEAST_H
#include <stddef.h>
static inline size_t pst_least(size_t a, size_t b) { return a < b ? a : b; }
#endif
