/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Linked first into each program by upccc: the beginning of the section of static shared data. It keeps
 * address 0 free, which is NULL on thread 0, and is as long as GNU UPC's own. */
extern char __upc_shared_start[256];
char __upc_shared_start[256] __attribute__((section("upc_shared"), aligned(64))) = {0};
