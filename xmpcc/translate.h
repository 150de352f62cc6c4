/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The translation of one file: edits that make a C program of an XcalableMP one. */
#ifndef XMPCC_TRANSLATE_H
#define XMPCC_TRANSLATE_H
#include "xmpcc/edit.h"

/* 0, or -1 where errors have been said; then nothing may be written. */
int translate(const struct source *s, struct edits *e);

#endif
