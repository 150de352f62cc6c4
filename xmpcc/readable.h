/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What --translate shows: the program in C for people to read, which compiles, too. */
#ifndef XMPCC_READABLE_H
#define XMPCC_READABLE_H
#include <stdio.h>

#include "xmpcc/edit.h"

void readable_write(const struct edits *e, FILE *out);

#endif
