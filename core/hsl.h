/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the checks know of this thread's handler-safe locks and no-interrupt sections; 0 in release builds. */
#ifndef CORE_HSL_H
#define CORE_HSL_H
int pst_hsl_held(void);            /* how many locks this thread holds */
int pst_hsl_interrupts_held(void); /* whether it is between gasnet_hold_interrupts and its resume */

#endif
