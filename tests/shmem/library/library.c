/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A shared library with static data: a global variable that programs have a copy of, one that they use
 * through functions, and a private one. */
#include "library.h"

long library_copied = 31;
long library_large[4000];
static long private_word = 32;
static long private_zero[3000];

long *library_private(void) { return &private_word; }
long *library_private_zero(void) { return &private_zero[1500]; }
long library_sees(void) { return library_copied; }
