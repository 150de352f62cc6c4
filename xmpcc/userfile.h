/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What stands in files as their users wrote them. */
#ifndef XMPCC_USERFILE_H
#define XMPCC_USERFILE_H
#include <stddef.h>

/* A line without its end, which the caller frees; NULL: it cannot be read. */
char *userfile_line(const char *file, unsigned line, size_t *length);
/* Whether a line has the word and behind it the name, neither of them as a part of a longer name. */
int userfile_has(const char *file, const char *word, const char *name, size_t length);

#endif
