/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/line.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xmpcc/mark.h"
#include "xmpcc/message.h"
#include "xmpcc/table.h"
#include "xmpf90/include.h"
#include "xmpf90/output.h"
#include "xmpf90/physical.h"

struct line_reader {
  struct lines *l;
  struct input *in;
  const struct line_options *o;
  struct joiner joiner;
  struct table *files; /* each name once */
  const char *at;      /* behind the last line that was read */
  const char *file;    /* of the line at `at` */
  unsigned number;
  struct place end; /* behind the last character that was joined */
};

enum form line_form(const char *name, int *preprocess)
{
  static const char *const fixed[] = {".f", ".for", ".ftn", ".f77", ".fpp"};
  const char *const suffix = strrchr(name, '.');
  *preprocess = suffix && ((suffix[1] >= 'A' && suffix[1] <= 'Z') || strcmp(suffix, ".fpp") == 0);
  for (size_t k = 0; suffix && k < sizeof fixed / sizeof *fixed; k++)
    if (strcasecmp(suffix, fixed[k]) == 0) return FORM_FIXED;
  return FORM_FREE;
}

/* ---- physical lines ---- */

static const char *reader_file(struct line_reader *r, const char *name)
{
  const char *file = table_find(r->files, name, strlen(name));
  if (file) return file;
  char *const copy = arena_copy(&r->l->arena, name, strlen(name));
  *table_make(r->files, copy, strlen(copy)) = copy;
  return copy;
}

/* Line marks begin with "# " and a number; gfortran passes over all other lines with #. */
static void reader_hash(struct line_reader *r, const struct physical *p)
{
  const char *at = p->begin + 1;
  while (at < p->end && (*at == ' ' || *at == '\t')) at++;
  if (at == p->end || !lexical_is_digit(*at)) return;
  const struct mark m = mark_read(at, p->end);
  if (m.file) r->file = reader_file(r, m.file);
  free(m.file);
  r->number = m.line ? m.line - 1 : 0; /* the mark's own */
}

/* Behind the line p, which stands at r->at. */
static void reader_pass(struct line_reader *r, const struct physical *p)
{
  if (p->kind == PHYSICAL_HASH) reader_hash(r, p);
  r->number++;
  r->at = p->next;
}

/* Passes over comments up to a line of the kind, which has a mark where one is needed; 0: none comes, and the
 * reader stays where it was. */
static int reader_continuation(
    struct line_reader *r, enum physical_kind kind, int needs_mark, struct physical *p)
{
  const struct line_reader before = *r;
  while (r->at < r->in->end) {
    physical_read(p, r->at, r->in->end, r->o);
    if (p->kind == kind && (!needs_mark || p->continues)) return 1;
    if (p->kind != PHYSICAL_COMMENT && p->kind != PHYSICAL_HASH) break;
    reader_pass(r, p);
  }
  r->at = before.at;
  r->file = before.file;
  r->number = before.number;
  return 0;
}

static struct token reader_sentinel(const struct line_reader *r, const struct physical *p)
{
  const char *at = p->begin;
  while (lexical_is_blank(*at)) at++;
  return (struct token){.kind = TOKEN_DIRECTIVE,
      .text = at,
      .length = 5,
      .line = r->number,
      .column = (unsigned)(at - p->begin) + 1,
      .file = r->file,
      .spaced = 1};
}

/* A line that goes on, behind which nothing of its kind comes. The compiler takes directives for comments and
 * goes on behind them; what a statement that is cut so would mean nobody knows. */
static void reader_cut(const struct line_reader *r, enum physical_kind kind)
{
  struct line_reader ahead = *r;
  struct physical p;
  const struct token end = {.text = "", .line = r->end.line, .column = r->end.column, .file = r->end.file};
  if (kind == PHYSICAL_XMP)
    message_error(&end, "the directive goes on, but no line of it follows; begin that with !$xmp&");
  while (kind == PHYSICAL_TEXT && ahead.at < r->in->end) {
    physical_read(&p, ahead.at, r->in->end, r->o);
    if (p.kind == PHYSICAL_XMP) {
      const struct token at = reader_sentinel(&ahead, &p);
      message_error(&at, "the directive stands within a statement that goes on; write it before that begins");
    }
    if (p.kind != PHYSICAL_COMMENT && p.kind != PHYSICAL_HASH) break;
    reader_pass(&ahead, &p);
  }
}

/* ---- joining ---- */

static void reader_add(struct line_reader *r, const struct physical *p, const char *at)
{
  joiner_add(&r->joiner, *at, r->file, r->number, (unsigned)(at - p->begin) + 1);
}

static void reader_end(struct line_reader *r, const struct physical *p, const char *at)
{
  r->end = (struct place){r->file, r->number, (unsigned)(at - p->begin) + 1, PLACE_SPACED};
}

/* Whether the & at `at` says that the line goes on. */
static int free_goes_on(const struct line_reader *r, const struct physical *p, const char *at)
{
  for (at++; at < p->end; at++)
    if (!lexical_is_blank(*at)) return *at == '!' && !joiner_in_literal(&r->joiner);
  return 1;
}

/* Adds a line from `at` on; says whether it goes on. */
static int free_join(struct line_reader *r, const struct physical *p, const char *at)
{
  for (; at < p->end; at++) {
    if (*at == '!' && !joiner_in_literal(&r->joiner)) break;
    if (*at == '&' && free_goes_on(r, p, at)) break;
    reader_add(r, p, at);
  }
  reader_end(r, p, at);
  return at < p->end && *at == '&';
}

/* Where the text of a line begins that continues the one before. Without an & words do not go on; what a
 * literal has goes on at the first character that is not blank. */
static const char *free_resume(struct line_reader *r, const struct physical *p)
{
  const char *at = p->text;
  while (at < p->end && lexical_is_blank(*at)) at++;
  if (at < p->end && *at == '&') return at + 1;
  if (!joiner_in_literal(&r->joiner)) joiner_add(&r->joiner, ' ', r->file, r->number, 1);
  return at;
}

static void free_lines(struct line_reader *r, struct physical *p)
{
  const enum physical_kind kind = p->kind;
  int goes_on = free_join(r, p, p->text);
  reader_pass(r, p);
  while ((goes_on || kind != PHYSICAL_TEXT) && reader_continuation(r, kind, !goes_on, p)) {
    goes_on = free_join(r, p, free_resume(r, p));
    reader_pass(r, p);
  }
  if (goes_on) reader_cut(r, kind);
}

/* Columns 1 to 5 of a line that begins a statement, and the text. */
static void fixed_join(struct line_reader *r, const struct physical *p, int begins)
{
  for (const char *at = p->label; begins && at < p->label_end; at++) reader_add(r, p, at);
  const char *at = p->text;
  for (; at < p->end; at++) {
    if (*at == '!' && !joiner_in_literal(&r->joiner)) break;
    reader_add(r, p, at);
  }
  reader_end(r, p, at);
}

/* Up to the last column the line has blanks, which a literal has that goes on. */
static void fixed_pad(struct line_reader *r, unsigned room)
{
  for (; room && joiner_in_literal(&r->joiner); room--)
    joiner_add(&r->joiner, ' ', r->end.file, r->end.line, r->end.column);
  if (room) joiner_add(&r->joiner, ' ', r->end.file, r->end.line, r->end.column);
}

static void fixed_lines(struct line_reader *r, struct physical *p)
{
  const enum physical_kind kind = p->kind;
  fixed_join(r, p, 1);
  reader_pass(r, p);
  for (unsigned room = p->room; reader_continuation(r, kind, 1, p); room = p->room) {
    fixed_pad(r, room);
    fixed_join(r, p, 0);
    reader_pass(r, p);
  }
}

/* ---- statements ---- */

static struct statement *reader_statement(struct line_reader *r, const struct joined *j)
{
  struct lines *const l = r->l;
  l->statement = memory_grow(l->statement, l->count, &l->capacity, sizeof *l->statement);
  struct statement *const s = &l->statement[l->count++];
  *s = (struct statement){.joined = j, .line = r->in->lines - 1};
  return s;
}

/* Reads the tokens of the statement at `at`; gives the offset behind its semicolon. */
static size_t statement_tokens(struct statement *s, size_t at, const char *separator)
{
  const struct joined *const j = s->joined;
  size_t capacity = 0;
  for (;;) {
    s->token = memory_grow(s->token, s->count, &capacity, sizeof *s->token);
    struct token *const t = &s->token[s->count];
    at = lexical_token(j, at, j->length, t);
    if (t->kind == TOKEN_END) return at;
    if (separator && token_is(t, separator)) break;
    s->count++;
  }
  s->token[s->count].kind = TOKEN_END;
  s->token[s->count].length = 0;
  return at;
}

/* The digits at `at`, which no name follows directly in free form. */
static size_t statement_label(struct statement *s, size_t at)
{
  const struct joined *const j = s->joined;
  while (at < j->length && lexical_is_blank(j->text[at])) at++;
  const size_t end = lexical_digits(j, at, j->length);
  if (end > at) s->label = lexical_piece(j, at, end - at, TOKEN_NUMBER);
  return end;
}

static void reader_statements(struct line_reader *r, const struct joined *j)
{
  for (size_t at = 0; at < j->length;) {
    struct statement *const s = reader_statement(r, j);
    at = statement_tokens(s, statement_label(s, at), ";");
    if (s->count || s->label.length) continue;
    free(s->token); /* nothing between two semicolons */
    r->l->count--;
  }
}

static void reader_directive(
    struct line_reader *r, const struct joined *j, const struct token *sentinel, enum statement_kind kind)
{
  struct statement list = {.joined = j};
  struct statement *const s = reader_statement(r, j);
  statement_tokens(&list, 0, NULL);
  s->kind = kind;
  s->token = memory_get(2 * sizeof *s->token);
  s->count = 1;
  s->token[0] = *sentinel;
  s->token[0].list = list.token;
  s->token[1] = list.token[list.count];
}

/* ---- lines ---- */

static struct line *reader_line(struct line_reader *r, const char *begin)
{
  struct input *const in = r->in;
  in->line = memory_grow(in->line, in->lines, &in->capacity, sizeof *in->line);
  struct line *const line = &in->line[in->lines++];
  *line = (struct line){.begin = begin, .first = r->l->count, .file = r->file, .number = r->number};
  return line;
}

static void reader_close(const struct line_reader *r, struct line *line)
{
  line->end = r->at;
  line->file_after = r->file;
  line->number_after = r->number;
}

static void reader_input(struct line_reader *outer, struct input *in);

/* An include line, if it is one, and its file is found. */
static int reader_include(struct line_reader *r, const struct physical *p)
{
  size_t length, size;
  const char *const name = physical_include(p, &length);
  char *text = name ? include_read(r->l, r->in, name, length, &size) : NULL;
  if (!text) return 0;
  struct line *line = reader_line(r, p->begin);
  const size_t place = r->in->lines - 1;
  struct input *const in = arena_get(&r->l->arena, sizeof *in);
  char *const path = text + size + 1; /* include_read says so */
  *in = (struct input){.name = reader_file(r, path), .text = text, .end = text + size, .includer = r->in};
  line->included = in;
  reader_input(r, in);
  line = &r->in->line[place];
  line->count = r->l->count - line->first;
  reader_pass(r, p);
  reader_close(r, line);
  return 1;
}

/* In fixed form the line that goes on is the second one. */
static void reader_check_cut(const struct line_reader *r, const struct physical *p)
{
  if (r->o->form == FORM_FREE || p->kind != PHYSICAL_TEXT || !p->continues || !r->in->lines) return;
  const struct line *const before = &r->in->line[r->in->lines - 1];
  if (!before->count || r->l->statement[before->first].kind != STATEMENT_XMP) return;
  message_error(r->l->statement[before->first].token,
      "the directive stands within a statement that goes on; write it before that begins");
}

static void reader_logical(struct line_reader *r, struct physical *p)
{
  const enum physical_kind kind = p->kind;
  reader_check_cut(r, p);
  const struct token sentinel = kind == PHYSICAL_TEXT ? (struct token){0} : reader_sentinel(r, p);
  reader_line(r, p->begin);
  r->joiner.keeps_blanks = r->o->form == FORM_FREE || kind != PHYSICAL_TEXT;
  if (r->o->form == FORM_FREE) free_lines(r, p);
  else fixed_lines(r, p);
  const struct joined *const j = joiner_take(&r->joiner, r->o->form, &r->l->arena, r->end);
  if (kind == PHYSICAL_TEXT) reader_statements(r, j);
  else reader_directive(r, j, &sentinel, kind == PHYSICAL_XMP ? STATEMENT_XMP : STATEMENT_OPENMP);
  struct line *const line = &r->in->line[r->in->lines - 1];
  line->count = r->l->count - line->first;
  reader_close(r, line);
}

static void reader_run(struct line_reader *r)
{
  struct physical p;
  while (r->at < r->in->end) {
    physical_read(&p, r->at, r->in->end, r->o);
    if (p.kind == PHYSICAL_COMMENT || p.kind == PHYSICAL_HASH) reader_pass(r, &p);
    else if (p.kind != PHYSICAL_TEXT || p.continues || !reader_include(r, &p)) reader_logical(r, &p);
  }
}

static void reader_input(struct line_reader *outer, struct input *in)
{
  struct line_reader r = {.l = outer->l,
      .in = in,
      .o = outer->o,
      .files = outer->files,
      .at = in->text,
      .file = in->name,
      .number = 1};
  reader_run(&r);
  joiner_free(&r.joiner);
}

/* Lengths and columns are 32 bits wide. */
static size_t line_size(size_t size, const struct token *at)
{
  if (size <= MARK_LINES_MOST) return size;
  message_error(at, "the source has %zu bytes; the most that are read are %d", size, MARK_LINES_MOST);
  return 0;
}

struct lines *lines_read(char *text, size_t size, const char *name, const struct line_options *o)
{
  struct lines *const l = memory_get(sizeof *l);
  struct table files = {0};
  struct input *const in = arena_get(&l->arena, sizeof *in);
  const char *const file = arena_copy(&l->arena, name, strlen(name));
  const struct token begin = {.line = 1, .column = 1, .file = file};
  l->options = *o;
  text = memory_more(text, size + 1);
  size = line_size(size, &begin);
  text[size] = 0;
  *in = (struct input){.name = file, .text = text, .end = text + size};
  *table_make(&files, file, strlen(file)) = (void *)file;
  l->input = in;
  struct line_reader outer = {.l = l, .o = &l->options, .files = &files};
  reader_input(&outer, in);
  table_free(&files);
  for (size_t k = 0; k < l->count; k++)
    if (l->statement[k].kind == STATEMENT_OTHER) statement_classify(&l->statement[k]);
  return l;
}

static void input_free(struct input *in)
{
  for (size_t k = 0; k < in->lines; k++)
    if (in->line[k].included) input_free(in->line[k].included);
  free(in->line);
  free((char *)in->text);
}

void lines_free(struct lines *l)
{
  if (!l) return;
  for (size_t k = 0; k < l->count; k++) {
    free(l->statement[k].token->list);
    free(l->statement[k].token);
    output_forget(&l->statement[k]);
  }
  free(l->statement);
  input_free(l->input);
  arena_free(&l->arena);
  free(l);
}
