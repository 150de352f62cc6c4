/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* First in each program that upccc links: where the section of static shared data begins. No object has the
 * address 0, as on thread 0 that would be NULL; it is as long as GNU UPC's own. */
extern char __upc_shared_start[256];
char __upc_shared_start[256] __attribute__((section("upc_shared"), aligned(64))) = {0};
