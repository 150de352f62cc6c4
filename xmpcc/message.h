/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What xmpcc tells its user: "file:line:column: error: text", the line of the source, and a caret below it.
 * The line is read from the file; where that cannot be read it is left out. */
#ifndef XMPCC_MESSAGE_H
#define XMPCC_MESSAGE_H
#include "xmpcc/token.h"

/* An error counts: the compiler writes nothing then, and exits with 1. The text says what is wrong, and
 * after "; " what would be right. */
void message_error(const struct token *at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void message_warning(const struct token *at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Belongs to the error before. */
void message_note(const struct token *at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* How many errors there are. After 20 of them the program ends. */
unsigned message_errors(void);
/* Where messages go; stderr unless set. Counting begins again (tests). */
#include <stdio.h>
void message_set_output(FILE *f);
/* After how many errors the program ends: 20 unless set (tests). */
void message_set_most(unsigned errors);

#endif
