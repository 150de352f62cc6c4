/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Edits of statements, and the source with them. What no edit is for comes out byte for byte as it came in. A
 * logical line is written again where tokens of it are replaced, or where it has several statements and one
 * of them is edited: each statement by itself in its form, without comments, broken to 132 columns or to the
 * width of fixed form. Line marks give each piece the line of the source that it was made of, so the
 * compiler's messages have the user's lines. An include line is replaced by what its file has where a
 * statement of that is edited. */
#ifndef XMPF90_OUTPUT_H
#define XMPF90_OUTPUT_H
#include <stdio.h>

#include "xmpf90/line.h"

/* In the place of tokens first to last, last not included: where these are the same, in front of first.
 * Ranges of one statement do not overlap; what is put at one place follows in the order of the calls. */
void output_replace(struct statement *s, size_t first, size_t last, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A statement before this one, or behind it; several calls add several, in their order. One that begins with
 * ! or # is a line as it is, for directives of OpenMP and comments. A label stays where it is: what jumps
 * there does not execute what was put before. */
void output_before(struct statement *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void output_after(struct statement *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Nothing of the statement is written, but for its label, which continues. */
void output_remove(struct statement *s);
/* It is written again with the same tokens. */
void output_touch(struct statement *s);
void output_forget(struct statement *s);

/* 0, or -1 where writing fails. is_marked: a line mark comes first, for a compiler that gets it under another
 * name; its messages then show the lines of the user's file. */
int output_write(const struct lines *l, FILE *f, int is_marked);

#endif
