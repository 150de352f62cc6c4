/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Waiting for a debugger: `gasnet_frozen` is 1 until somebody sets it to 0. */
#ifndef SUPPORT_FREEZE_H
#define SUPPORT_FREEZE_H
/* Says which process is frozen, why ("on request", "after a fatal error") and how to go on; returns when
 * gasnet_frozen was cleared or SIGCONT arrived. Usable in signal handlers. */
void pst_freeze(const char *why);
#endif
