/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/pieces.h"

#include <stdio.h>
#include <string.h>

#include "xmpcc/lex.h"

void bytes_add(struct bytes *t, const char *more, size_t n)
{
  if (t->capacity - t->length <= n) {
    t->capacity = t->capacity * 2 + n + 32;
    t->at = memory_more(t->at, t->capacity);
  }
  if (n) memcpy(t->at + t->length, more, n);
  t->length += n;
  t->at[t->length] = 0;
}

static void pieces_insert(struct pieces *w, enum pieces_side side, const struct bytes *text,
    const struct token *first, const struct token *last)
{
  if (text->length || side == PIECE_INSTEAD) w->insert(w, side, text, first, last);
}

/* One token, or the range that stands for it. Gives the last token of that. */
static const struct token *pieces_step(struct pieces *w, const struct edits *e, const struct token *t)
{
  static const struct edit_place nothing;
  const unsigned number = e->number[t - e->s->token];
  const struct edit_place *p = number ? &e->place[number - 1] : &nothing;
  pieces_insert(w, PIECE_BEFORE, &p->before, t, t);
  if (!p->last) {
    w->token(w, t);
    pieces_insert(w, PIECE_AFTER, &p->after, t, t);
    return t;
  }
  pieces_insert(w, PIECE_INSTEAD, &p->replacement, t, p->last);
  const unsigned of_last = e->number[p->last - e->s->token];
  if (of_last) pieces_insert(w, PIECE_AFTER, &e->place[of_last - 1].after, p->last, p->last);
  return p->last;
}

void pieces_range(
    struct pieces *w, const struct edits *e, const struct token *first, const struct token *last)
{
  const char *done = first->text;
  for (const struct token *t = first; t <= last; t++) {
    if (t->text > done) w->gap(w, done, t->text);
    t = pieces_step(w, e, t);
    done = pieces_end(t);
  }
}

void pieces_gap(struct pieces *w, const struct pieces_gap *parts, const char *from, const char *to)
{
  struct lex l = {.at = from, .end = to};
  for (unsigned lines = 0; from < to; from = l.at) {
    lex_space(&l, 1, &lines);
    if (l.at > from) parts->space(w, from, l.at);
    from = l.at;
    if (from == to) break;
    l.at = lex_line_end(from, to);
    parts->line(w, from, l.at);
  }
}

int pieces_pastes(char before, char after)
{
  static const char signs[] = "+-*/%&|^<>=!.:#";
  const int name = lex_is_name((unsigned char)after) || after == '"' || after == '\'' || after == '\\';
  if (lex_is_name((unsigned char)before) || before == '.') return name || after == '.';
  return before && after && strchr(signs, before) && strchr(signs, after);
}

unsigned pieces_lines(const char *from, const char *to)
{
  unsigned lines = 0;
  while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) from++, lines++;
  return lines;
}

static void pieces_quote(struct bytes *to, const char *s)
{
  char octal[5];
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') bytes_add(to, "\\", 1);
    if ((unsigned char)*s >= ' ') bytes_add(to, s, 1);
    else bytes_add(to, octal, (size_t)snprintf(octal, sizeof octal, "\\%03o", (unsigned char)*s));
  }
}

void pieces_mark(struct bytes *to, unsigned line, const struct token *like)
{
  char number[32];
  bytes_add(to, number, (size_t)snprintf(number, sizeof number, "# %u \"", line));
  pieces_quote(to, like->file);
  if (like->system) bytes_add(to, "\" 3 4\n", 6);
  else bytes_add(to, "\"\n", 2);
}
