/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Words that files have: @file stands for them, as GCC reads it. */
#ifndef XMPCC_RESPONSE_H
#define XMPCC_RESPONSE_H
#include "xmpcc/options.h"

/* Adds the words; @file that cannot be read is a word like others. */
void response_words(struct words *to, int argc, char **argv);

#endif
