/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/edit.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/lex.h"
#include "xmpcc/readable.h"
#include "xmpcc/pieces.h"

struct edits *edits_open(const struct source *s)
{
  struct edits *e = memory_get(sizeof *e);
  e->s = s;
  e->number = memory_get(s->count * sizeof *e->number);
  return e;
}

void edits_free(struct edits *e)
{
  if (!e) return;
  for (size_t i = 0; i < e->places; i++) {
    free(e->place[i].before.at);
    free(e->place[i].after.at);
    free(e->place[i].replacement.at);
  }
  for (size_t i = 0; i < e->ends; i++) free(e->end[i].text.at);
  free(e->end);
  free(e->place);
  free(e->number);
  free(e);
}

/* ---- what is edited ---- */

static int edit_has(const struct edits *e, const struct token *t)
{
  return t >= e->s->token && t < e->s->token + e->s->count;
}

static struct edit_place *edit_place(struct edits *e, const struct token *t)
{
  assert(edit_has(e, t));
  unsigned *number = &e->number[t - e->s->token];
  if (!*number) {
    e->place = memory_grow(e->place, e->places, &e->place_capacity, sizeof *e->place);
    e->place[e->places++] = (struct edit_place){.last = NULL};
    *number = (unsigned)e->places;
  }
  return &e->place[*number - 1];
}

static void bytes_print(struct bytes *t, const char *fmt, va_list arguments)
    __attribute__((format(printf, 2, 0)));
static void bytes_print(struct bytes *t, const char *fmt, va_list arguments)
{
  char *made;
  const int n = vasprintf(&made, fmt, arguments);
  if (n < 0) abort(); /* no memory, or a wrong format */
  bytes_add(t, made, (size_t)n);
  free(made);
}

/* The longest range from here wins: it was made of what the others gave, or swallows them. */
void edit_replace(struct edits *e, const struct token *first, const struct token *last, const char *fmt, ...)
{
  struct edit_place *p = edit_place(e, first);
  va_list arguments;
  assert(edit_has(e, last) && first <= last);
  if (p->last > last) return;
  struct bytes made = {0};
  va_start(arguments, fmt);
  bytes_print(&made, fmt, arguments);
  va_end(arguments);
  free(p->replacement.at);
  p->replacement = made;
  p->last = last;
}

void edit_quiet(struct edits *e, const struct token *pragma) { edit_place(e, pragma)->quiet = 1; }

void edit_before(struct edits *e, const struct token *at, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  bytes_print(&edit_place(e, at)->before, fmt, arguments);
  va_end(arguments);
}

void edit_line_before(struct edits *e, const struct token *at, const char *line)
{
  struct bytes *const before = &edit_place(e, at)->before;
  bytes_add(before, "\n", 1);
  bytes_add(before, line, strlen(line));
  bytes_add(before, "\n", 1);
}

void edit_after(struct edits *e, const struct token *at, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  bytes_print(&edit_place(e, at)->after, fmt, arguments);
  va_end(arguments);
}

void edit_at_end(struct edits *e, const struct token *at, const char *fmt, ...)
{
  va_list arguments;
  e->end = memory_grow(e->end, e->ends, &e->end_capacity, sizeof *e->end);
  struct edit_end *end = &e->end[e->ends++];
  *end = (struct edit_end){.at = at};
  va_start(arguments, fmt);
  bytes_print(&end->text, fmt, arguments);
  va_end(arguments);
}

/* ---- a range on one line ---- */

struct edit_line {
  struct pieces pieces;
  struct bytes text;
  int joint; /* between what the source has and what an edit gave */
};

static void line_add(struct edit_line *l, const char *s, size_t n)
{
  struct bytes *t = &l->text;
  if (l->joint && n && t->length && pieces_pastes(t->at[t->length - 1], *s)) bytes_add(t, " ", 1);
  if (n) l->joint = 0;
  bytes_add(t, s, n);
}

static void line_gap(struct pieces *w, const char *from, const char *to)
{
  struct edit_line *l = (struct edit_line *)w;
  const struct bytes *b = &l->text;
  (void)from, (void)to;
  if (!b->length || !strchr(" \n", b->at[b->length - 1])) line_add(l, " ", 1);
}

/* A pragma must have lines of its own even here. What follows is on the line after it. */
static void line_pragma(struct edit_line *l, const struct token *t)
{
  if (l->text.length) bytes_add(&l->text, "\n", 1);
  pieces_mark(&l->text, t->line, t);
  bytes_add(&l->text, t->text, t->length);
  bytes_add(&l->text, "\n", 1);
}

static void line_token(struct pieces *w, const struct token *t)
{
  struct edit_line *l = (struct edit_line *)w;
  if (t->kind == TOKEN_PRAGMA) line_pragma(l, t);
  else if (t->kind != TOKEN_DIRECTIVE) line_add(l, t->text, t->length);
}

static void line_insert(struct pieces *w, enum pieces_side side, const struct bytes *text,
    const struct token *first, const struct token *last)
{
  struct edit_line *l = (struct edit_line *)w;
  (void)side, (void)first, (void)last;
  l->joint = 1;
  line_add(l, text->at, text->length);
  l->joint = 1;
}

char *edits_text(const struct edits *e, const struct token *first, const struct token *last)
{
  struct edit_line l = {.pieces = {line_gap, line_token, line_insert}};
  if (!edit_has(e, first)) return token_text(first, last + 1);
  assert(edit_has(e, last));
  pieces_range(&l.pieces, e, first, last);
  bytes_add(&l.text, "", 0);
  return l.text.at;
}

/* ---- the whole, for compilers ---- */

struct edit_writer {
  struct pieces pieces;
  FILE *out;
  char last; /* written */
  int joint;
  int macros; /* their lines stay */
  const struct edits *edits;
};

static void writer_put(struct edit_writer *w, const char *s, size_t n)
{
  if (!n) return;
  if (w->joint && pieces_pastes(w->last, *s)) fputc(' ', w->out);
  w->joint = 0;
  fwrite(s, 1, n, w->out);
  w->last = s[n - 1];
}

static void writer_newlines(struct edit_writer *w, unsigned n)
{
  while (n--) writer_put(w, "\n", 1);
}

/* A new line, which has this number. */
static void writer_mark(struct edit_writer *w, unsigned line, const struct token *like)
{
  struct bytes mark = {0};
  pieces_mark(&mark, line, like);
  if (w->last != '\n') writer_put(w, "\n", 1);
  writer_put(w, mark.at, mark.length);
  free(mark.at);
}

static void writer_space(struct pieces *w, const char *from, const char *to)
{
  writer_put((struct edit_writer *)w, from, (size_t)(to - from));
}

static void writer_line(struct pieces *p, const char *from, const char *to)
{
  struct edit_writer *w = (struct edit_writer *)p;
  const char *rest;
  const enum lex_line kind = lex_line_kind(from + 1, to, &rest);
  if (!w->macros && (kind == LEX_DEFINE || kind == LEX_UNDEF)) writer_newlines(w, pieces_lines(from, to));
  else writer_put(w, from, (size_t)(to - from));
}

static void writer_gap(struct pieces *w, const char *from, const char *to)
{
  static const struct pieces_gap parts = {writer_space, writer_line};
  pieces_gap(w, &parts, from, to);
}

static void writer_token(struct pieces *p, const struct token *t)
{
  struct edit_writer *w = (struct edit_writer *)p;
  if (t->kind == TOKEN_DIRECTIVE) writer_newlines(w, pieces_lines(t->text, pieces_end(t)));
  else writer_put(w, t->text, t->length);
}

/* Whether lines from..to can be told by counting them. */
static int writer_counts(const char *from, const char *to)
{
  enum { LINES_MOST = 8 };
  if (pieces_lines(from, to) > LINES_MOST) return 0;
  for (const char *p = from; p < to && (p = memchr(p, '\n', (size_t)(to - p))); p++)
    if (p + 1 < to && p[1] == '#') return 0;
  return 1;
}

static int edit_is_quiet(const struct edits *e, const struct token *t)
{
  const unsigned number = e->number[t - e->s->token];
  return number && e->place[number - 1].quiet;
}

/* A directive is alone on its line, and so is what stands for it or before it; next: the line behind that. */
static void writer_quiet(
    struct edit_writer *w, const struct bytes *text, const struct token *t, unsigned next)
{
  struct token system = *t;
  system.system = 1;
  writer_mark(w, t->line, &system);
  writer_put(w, text->at, text->length);
  writer_mark(w, next, t);
}

static void writer_insert(struct pieces *p, enum pieces_side side, const struct bytes *text,
    const struct token *first, const struct token *last)
{
  struct edit_writer *w = (struct edit_writer *)p;
  const int pragma = first->kind == TOKEN_PRAGMA;
  if (side != PIECE_AFTER && text->length && edit_is_quiet(w->edits, first)) {
    writer_quiet(w, text, first, side == PIECE_BEFORE ? first->line : pieces_last_line(first));
    return;
  }
  if (side == PIECE_AFTER && pragma) writer_mark(w, pieces_last_line(last), last);
  w->joint = 1;
  writer_put(w, text->at, text->length);
  w->joint = 1;
  if ((text->length && memchr(text->at, '\n', text->length)) || (side == PIECE_BEFORE && pragma) ||
      (side == PIECE_INSTEAD && !writer_counts(first->text, pieces_end(last))))
    writer_mark(w, side == PIECE_BEFORE ? first->line : pieces_last_line(last), last);
  else if (side == PIECE_INSTEAD) writer_newlines(w, pieces_lines(first->text, pieces_end(last)));
}

static void writer_all(struct edit_writer *w, const struct edits *e)
{
  const struct source *s = e->s;
  if (s->token->text > s->text) writer_gap(&w->pieces, s->text, s->token->text);
  pieces_range(&w->pieces, e, s->token, s->token + s->count - 1);
  for (size_t i = 0; i < e->ends; i++) {
    struct token system = *e->end[i].at;
    system.system = 1;
    writer_mark(w, system.line, &system);
    writer_put(w, e->end[i].text.at, e->end[i].text.length);
    writer_put(w, "\n", 1);
  }
}

int edits_write(const struct edits *e, FILE *out, enum edits_form form)
{
  struct edit_writer w = {.pieces = {writer_gap, writer_token, writer_insert},
      .out = out,
      .edits = e,
      .last = '\n',
      .macros = form == EDITS_WITH_MACROS};
  if (form == EDITS_READABLE) readable_write(e, out);
  else writer_all(&w, e);
  return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}
