/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/output.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "xmpf90/broken.h"

struct output_edit {
  size_t first, last;
  char *text;
};
struct output_list {
  char **text;
  size_t count, capacity;
};
struct output_edits {
  struct output_edit *edit; /* [count], by first */
  size_t count, capacity;
  struct output_list before, after;
  int is_removed, is_touched;
};

/* ---- edits ---- */

static struct output_edits *edits_of(struct statement *s)
{
  if (!s->edits) s->edits = memory_get(sizeof *s->edits);
  return s->edits;
}

static char *edit_text(const char *fmt, va_list arguments) __attribute__((format(printf, 1, 0)));
static char *edit_text(const char *fmt, va_list arguments)
{
  char *made;
  if (vasprintf(&made, fmt, arguments) < 0) abort(); /* no memory, or a wrong format */
  return made;
}

void output_touch(struct statement *s) { edits_of(s)->is_touched = 1; }
void output_remove(struct statement *s) { edits_of(s)->is_removed = 1; }

void output_replace(struct statement *s, size_t first, size_t last, const char *fmt, ...)
{
  struct output_edits *const e = edits_of(s);
  va_list arguments;
  assert(first <= last && last <= s->count);
  e->edit = memory_grow(e->edit, e->count, &e->capacity, sizeof *e->edit);
  size_t k = e->count++;
  for (; k && e->edit[k - 1].first > first; k--) e->edit[k] = e->edit[k - 1];
  va_start(arguments, fmt);
  e->edit[k] = (struct output_edit){first, last, edit_text(fmt, arguments)};
  va_end(arguments);
}

static void list_add(struct output_list *list, char *text)
{
  list->text = memory_grow(list->text, list->count, &list->capacity, sizeof *list->text);
  list->text[list->count++] = text;
}

void output_before(struct statement *s, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  list_add(&edits_of(s)->before, edit_text(fmt, arguments));
  va_end(arguments);
}

void output_after(struct statement *s, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  list_add(&edits_of(s)->after, edit_text(fmt, arguments));
  va_end(arguments);
}

static void list_free(struct output_list *list)
{
  for (size_t k = 0; k < list->count; k++) free(list->text[k]);
  free(list->text);
}

void output_forget(struct statement *s)
{
  struct output_edits *const e = s->edits;
  if (!e) return;
  for (size_t k = 0; k < e->count; k++) free(e->edit[k].text);
  list_free(&e->before);
  list_free(&e->after);
  free(e->edit);
  free(e);
  s->edits = NULL;
}

/* ---- a statement ---- */

struct writer {
  const struct lines *l;
  struct broken_out out;
};

/* What was put in front of the token `glued` has the blank that was before it. */
static void tokens_write(struct broken *b, const struct statement *s, size_t first, size_t last, size_t glued)
{
  for (size_t k = first; k < last; k++) {
    const struct token *const t = &s->token[k];
    if (t->spaced && k > 0 && k != glued) broken_add(b, " ", 1, t);
    broken_add(b, t->text, t->length, t);
  }
}

/* A replacement has the blank that was before what it replaces. */
static void edit_write(struct broken *b, const struct statement *s, const struct output_edit *e, size_t glued)
{
  const struct token *const t = &s->token[e->first];
  if (t->spaced && e->first > 0 && e->first != glued) broken_add(b, " ", 1, t);
  broken_add(b, e->text, strlen(e->text), t);
}

static void statement_write(struct broken *b, const struct statement *s)
{
  const struct output_edits *const e = s->edits;
  size_t at = 0, glued = SIZE_MAX;
  for (size_t k = 0; e && k < e->count; k++) {
    const struct output_edit *const one = &e->edit[k];
    tokens_write(b, s, at, one->first, glued);
    edit_write(b, s, one, glued);
    glued = one->first == one->last ? one->first : SIZE_MAX;
    if (one->last > at) at = one->last;
  }
  tokens_write(b, s, at, s->count, glued);
}

/* What has the place of the statement, for what is added. */
static const struct token *statement_place(const struct statement *s)
{
  return s->label.length ? &s->label : s->token;
}

static void list_write(struct writer *w, const struct output_list *list, const struct statement *s)
{
  for (size_t k = 0; k < list->count; k++) {
    struct broken b;
    broken_open(&b, &w->l->options, s->token->column);
    broken_add(&b, list->text[k], strlen(list->text[k]), statement_place(s));
    broken_write(&b, &w->out);
  }
}

static void statement_rewrite(struct writer *w, const struct statement *s)
{
  const int is_removed = s->edits && s->edits->is_removed;
  struct broken b;
  if (is_removed && !s->label.length) return;
  broken_open(&b, &w->l->options, s->token->column);
  if (s->count || is_removed) broken_label(&b, &s->label);
  else broken_add(&b, s->label.text, s->label.length, &s->label); /* an error that the compiler has to see */
  if (is_removed) broken_add(&b, "continue", 8, &s->label);
  else statement_write(&b, s);
  broken_write(&b, &w->out);
}

/* ---- lines ---- */

/* Bytes as they came, which stand at one place and lead to another one. */
static void bytes_write(
    struct writer *w, const char *at, const char *end, struct broken_place from, struct broken_place to)
{
  if (at == end) return;
  broken_out_at(&w->out, from);
  fwrite(at, 1, (size_t)(end - at), w->out.f);
  w->out.is_open = end[-1] != '\n';
  w->out.at = to;
}

static void line_copy(struct writer *w, const struct line *line)
{
  bytes_write(w, line->begin, line->end, (struct broken_place){line->file, line->number, 0},
      (struct broken_place){line->file_after, line->number_after, 0});
}

static int line_is_edited(const struct writer *w, const struct line *line)
{
  for (size_t k = 0; k < line->count; k++)
    if (w->l->statement[line->first + k].edits) return 1;
  return 0;
}

/* A directive is a comment for the compiler, and is never written in another way. */
static void line_edit_one(struct writer *w, const struct line *line, const struct statement *s)
{
  const struct output_edits *const e = s->edits;
  const int is_directive = s->token->kind == TOKEN_DIRECTIVE;
  list_write(w, &e->before, s);
  if (!e->is_removed && (is_directive || (!e->is_touched && !e->count))) line_copy(w, line);
  else if (!is_directive) statement_rewrite(w, s);
  list_write(w, &e->after, s);
}

static void line_edit(struct writer *w, const struct line *line)
{
  const struct statement *s = &w->l->statement[line->first];
  if (line->count == 1) {
    line_edit_one(w, line, s);
    return;
  }
  for (size_t k = 0; k < line->count; k++, s++) {
    if (s->edits) list_write(w, &s->edits->before, s);
    statement_rewrite(w, s);
    if (s->edits) list_write(w, &s->edits->after, s);
  }
}

static void input_write(struct writer *w, const struct input *in)
{
  const char *at = in->text;
  struct broken_place place = {in->name, 1, 0};
  for (size_t k = 0; k < in->lines; k++) {
    const struct line *const line = &in->line[k];
    bytes_write(w, at, line->begin, place, (struct broken_place){line->file, line->number, 0});
    if (!line_is_edited(w, line)) line_copy(w, line);
    else if (line->included) input_write(w, line->included);
    else line_edit(w, line);
    at = line->end;
    place = (struct broken_place){line->file_after, line->number_after, 0};
  }
  bytes_write(w, at, in->end, place, place);
}

int output_write(const struct lines *l, FILE *f, int is_marked)
{
  struct writer w = {.l = l, .out = {.f = f, .at = {l->input->name, !is_marked, 0}}};
  input_write(&w, l->input);
  return fflush(f) == 0 && !ferror(f) ? 0 : -1;
}
