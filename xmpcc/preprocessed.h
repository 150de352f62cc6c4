/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What -E shows: the translated text without the empty lines that its line marks make needless. */
#ifndef XMPCC_PREPROCESSED_H
#define XMPCC_PREPROCESSED_H
#include <stdio.h>

void preprocessed_write(const char *text, size_t size, FILE *out, int marks);

#endif
