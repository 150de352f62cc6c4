/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The messages of PMI's wire protocol as texts. All of this is the launcher's word, and checked. */
#ifndef BOOTSTRAP_PMI_TEXT_H
#define BOOTSTRAP_PMI_TEXT_H
#include <stddef.h>

enum { PST_PMI_COUNT = 6 }; /* digits before a message of PMI-2 */

/* The value of a field `key=value`; fields are separated by blanks in PMI-1, by semicolons in PMI-2, where
 * two of them stand for one within a value. 0, PST_ERR_INVALID where there is none, PST_ERR_RANGE where it
 * has more than size-1 bytes. */
int pst_pmi_field(const char *text, char separator, const char *key, char *value, size_t size);
/* The same, decimal, from `least` to `most`. */
int pst_pmi_number(
    const char *text, char separator, const char *key, unsigned least, unsigned most, unsigned *number);
/* The length before a message of PMI-2: digits, with blanks before them (MPICH) or behind (Slurm). 0 or
 * PST_ERR_*. */
int pst_pmi_count(const char digits[PST_PMI_COUNT], size_t most, size_t *count);
/* A decimal number and nothing else. */
int pst_pmi_decimal(const char *text, unsigned least, unsigned most, unsigned *number);

void pst_pmi_hex(const void *bytes, size_t n, char *text);  /* 2n + 1 bytes */
int pst_pmi_unhex(const char *text, void *bytes, size_t n); /* exactly n bytes; 0 or PST_ERR_INVALID */

#endif
