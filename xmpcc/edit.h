/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Changes to a source, and what comes out. The source's tokens stay as they are; an edit replaces a range of
 * them, or inserts text. Everything that is not edited comes out byte for byte as it came.
 *
 * Text that an edit gives is on the lines of what it replaces, or of the token that it stands at: it has no
 * newline, and the output has as many lines as the input between any two line marks, so what a compiler says
 * of the rest stays true. Where text must have lines of its own (before a pragma, at the end of a file)
 * edit.c adds line marks. A TOKEN_DIRECTIVE comes out as an empty line unless it is replaced: its text then
 * stands on its line. #define and #undef lines come out as empty lines. */
#ifndef XMPCC_EDIT_H
#define XMPCC_EDIT_H
#include <stdio.h>

#include "xmpcc/source.h"

struct edits;
struct edits *edits_open(const struct source *s);
void edits_free(struct edits *e);

/* first and last are tokens of the source; last is included. Ranges may nest: an outer replacement swallows
 * what was done within it. They may not overlap otherwise. */
void edit_replace(struct edits *e, const struct token *first, const struct token *last, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* To the compiler the text that stands for this pragma, or before it, is of a system header: it warns of
 * nothing there. */
void edit_quiet(struct edits *e, const struct token *pragma);
/* Of several texts before one token, those that were given first come first; likewise after. They stay when
 * the token itself is replaced. */
void edit_before(struct edits *e, const struct token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A line of its own before the token, behind the other texts before it: a pragma. */
void edit_line_before(struct edits *e, const struct token *at, const char *line);
void edit_after(struct edits *e, const struct token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Goes to the end of the file, on a line with the mark of `at`'s place. */
void edit_at_end(struct edits *e, const struct token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The text of first to last, included, as the edits so far have made it, on one line. The caller frees it. */
char *edits_text(const struct edits *e, const struct token *first, const struct token *last);
/* READABLE is what --translate shows: no text of system headers (an #include stands for each), no more empty
 * lines than the program has, inserted text broken and indented. WITH_MACROS keeps #define and #undef. */
enum edits_form { EDITS_PLAIN, EDITS_READABLE, EDITS_WITH_MACROS };
/* 0; -1 where writing failed (errno). */
int edits_write(const struct edits *e, FILE *out, enum edits_form form);

#endif
