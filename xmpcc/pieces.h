/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A source with its edits, piece after piece: what edit.c and readable.c make their outputs of. */
#ifndef XMPCC_PIECE_H
#define XMPCC_PIECE_H
#include "xmpcc/edit.h"
#include "xmpcc/memory.h"

struct bytes {
  char *at; /* zero-terminated, or NULL while it is empty */
  size_t length, capacity;
};
void bytes_add(struct bytes *t, const char *more, size_t n);

struct edit_place {
  struct bytes before, after, replacement;
  const struct token *last; /* of what is replaced; NULL: nothing is */
  int quiet;
};
struct edit_end {
  const struct token *at;
  struct bytes text;
};
struct edits {
  const struct source *s;
  unsigned *number; /* of each token: its place, from 1; 0: it has none */
  struct edit_place *place;
  size_t places, place_capacity;
  struct edit_end *end;
  size_t ends, end_capacity;
};

enum pieces_side { PIECE_BEFORE, PIECE_INSTEAD, PIECE_AFTER };
struct pieces {
  /* The bytes between two tokens: white space, comments, line marks, #define and #undef. */
  void (*gap)(struct pieces *w, const char *from, const char *to);
  void (*token)(struct pieces *w, const struct token *t);
  /* A text beside first, or instead of first to last; before: last is first. */
  void (*insert)(struct pieces *w, enum pieces_side side, const struct bytes *text, const struct token *first,
      const struct token *last);
};
/* first and last are tokens of the source. The gap before the first one is not part of it. */
void pieces_range(
    struct pieces *w, const struct edits *e, const struct token *first, const struct token *last);

/* Of gaps: calls `space` with what stays as it is, and `line` with each line that begins with #. */
struct pieces_gap {
  void (*space)(struct pieces *w, const char *from, const char *to);
  void (*line)(struct pieces *w, const char *from, const char *to); /* without its end */
};
void pieces_gap(struct pieces *w, const struct pieces_gap *parts, const char *from, const char *to);

/* Must a space part these neighbours? */
int pieces_pastes(char before, char after);
static inline const char *pieces_end(const struct token *t) { return t->text + t->length; }
unsigned pieces_lines(const char *from, const char *to);
static inline unsigned pieces_last_line(const struct token *t)
{
  return t->line + pieces_lines(t->text, pieces_end(t));
}
/* "# line "file" 3", and the end of the line. */
void pieces_mark(struct bytes *to, unsigned line, const struct token *like);

#endif
