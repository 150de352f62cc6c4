/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/source.h"

#include <stdlib.h>
#include <string.h>

#include "xmpcc/lex.h"
#include "xmpcc/macro.h"
#include "xmpcc/mark.h"
#include "xmpcc/memory.h"
#include "xmpcc/message.h"
#include "xmpcc/table.h"
#include "xmpcc/userfile.h"

/* Texts and names of files live as long as the source. */
struct source_memory {
  struct source source; /* first: what users have */
  struct arena arena;
};

struct source_reader {
  struct source *s;
  struct arena *arena;
  struct lex lex;
  struct macros *macros;
  struct table files; /* each name once */
  size_t capacity;
};

static struct token *source_push(struct source_reader *r)
{
  struct source *s = r->s;
  s->token = memory_grow(s->token, s->count, &r->capacity, sizeof *s->token);
  return &s->token[s->count++];
}

static struct token source_end(const struct lex *l)
{
  return (struct token){.kind = TOKEN_END,
      .text = l->at,
      .line = l->line,
      .column = (unsigned)(l->at - l->line_begin) + 1,
      .file = l->file,
      .spaced = 1,
      .system = l->system};
}

/* ---- line marks ---- */

/* Takes the name over. */
static const char *source_file(struct source_reader *r, char *name)
{
  const char *file = table_find(&r->files, name, strlen(name));
  if (!file) {
    char *copy = arena_copy(r->arena, name, strlen(name));
    file = *table_make(&r->files, copy, strlen(copy)) = copy;
  }
  free(name);
  return file;
}

/* A mark within a file says "system header", too, where a macro of one was replaced: that is the user's text.
 */
static void source_mark(struct source_reader *r, const char *at, const char *end)
{
  const struct mark m = mark_read(at, end);
  const char *file = m.file ? source_file(r, m.file) : r->lex.file;
  if (file != r->lex.file || (m.flags & (MARK_ENTER | MARK_LEAVE)) != 0)
    r->lex.system = (m.flags & MARK_SYSTEM) != 0;
  r->lex.file = file;
  r->lex.line = m.line - 1; /* the mark's own */
}

/* Whether one of the files seen so far saves the macro's definition. */
static int source_saves(void *reader, const char *name, size_t n)
{
  const struct source_reader *const r = reader;
  const char *file = NULL;
  for (size_t i = 0; (file = table_next(&r->files, &i));)
    if (userfile_has(file, "push_macro", name, n)) return 1;
  return 0;
}

/* ---- lines that begin with # ---- */

/* Words that a directive begins with: no macro replaces them. */
static int source_is_first_word(const struct token *t)
{
  static const char *const words[] = {"nodes", "template", "distribute", "align", "shadow", "coarray",
      "template_fix", "task", "tasks", "end", "loop", "array", "reflect", "reduce_shadow", "gmove", "barrier",
      "reduction", "bcast", "wait_async", "post", "wait", "lock", "unlock", "image", "static_desc",
      "save_desc"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is_word(t, words[i])) return 1;
  return 0;
}

/* The rest of the line, whose macros are replaced. */
static struct token *source_directive(
    struct source_reader *r, const char *at, const char *end, const struct token *directive)
{
  struct lex l = r->lex;
  struct token *list = NULL;
  size_t count = 0, capacity = 0, kept = 0;
  l.end = end;
  lex_go(&l, at);
  for (int more = 1; more; count++) {
    list = memory_grow(list, count, &capacity, sizeof *list);
    const int spaced = lex_space(&l, 0, NULL);
    if ((more = l.at < end)) lex_token(&l, &list[count]);
    else list[count] = source_end(&l);
    list[count].spaced = (unsigned char)spaced;
  }
  while (source_is_first_word(&list[kept])) kept++;
  struct token *expanded = macros_expand(r->macros, list, kept, directive);
  free(list);
  return expanded;
}

static void source_line_token(
    struct source_reader *r, enum token_kind kind, const char *end, const char *rest)
{
  struct lex *l = &r->lex;
  struct token t = {.kind = kind,
      .text = l->at,
      .length = (unsigned)(end - l->at),
      .line = l->line,
      .column = (unsigned)(l->at - l->line_begin) + 1,
      .file = l->file,
      .spaced = 1,
      .system = l->system};
  if (kind == TOKEN_DIRECTIVE) t.list = source_directive(r, rest, end, &t);
  *source_push(r) = t;
}

/* At a # that begins a line. */
static void source_hash(struct source_reader *r)
{
  struct lex *l = &r->lex;
  const char *end = lex_line_end(l->at, l->end), *rest;
  switch (lex_line_kind(l->at + 1, end, &rest)) {
  case LEX_MARK:
    lex_go(l, end);
    source_mark(r, rest, end);
    return;
  case LEX_DEFINE: macro_define(r->macros, rest, end); break;
  case LEX_UNDEF: macro_undefine(r->macros, rest, end); break;
  case LEX_XMP: source_line_token(r, TOKEN_DIRECTIVE, end, rest); break;
  case LEX_OTHER: source_line_token(r, TOKEN_PRAGMA, end, rest); break;
  }
  lex_go(l, end);
}

/* ---- the whole ---- */

static void source_tokens(struct source_reader *r)
{
  struct lex *l = &r->lex;
  unsigned lines = 1, before = 0;
  for (;;) {
    const int spaced = lex_space(l, 1, &lines);
    if (l->at == l->end) break;
    if (*l->at == '#' && lines != before) {
      source_hash(r);
    } else {
      struct token *t = source_push(r);
      lex_token(l, t);
      t->spaced = (unsigned char)spaced;
    }
    before = lines;
  }
  *source_push(r) = source_end(l);
}

/* Lengths and columns are 32 bits wide. */
static size_t source_size(size_t size, const struct token *at)
{
  if (size <= MARK_LINES_MOST) return size;
  message_error(
      at, "the preprocessed source has %zu bytes; the most that xmpcc reads are %d", size, MARK_LINES_MOST);
  return 0;
}

struct source *source_read(char *text, size_t size, const char *name)
{
  struct source_memory *m = memory_get(sizeof *m);
  struct source *s = &m->source;
  char *file = arena_copy(&m->arena, name, strlen(name));
  const struct token begin = {.line = 1, .column = 1, .file = file};
  *s = (struct source){.name = file, .text = memory_more(text, size + 1)};
  s->size = source_size(size, &begin);
  s->text[s->size] = 0;
  struct source_reader r = {.s = s,
      .arena = &m->arena,
      .lex = {.at = s->text, .end = s->text + s->size, .line_begin = s->text, .file = file, .line = 1}};
  *table_make(&r.files, file, strlen(file)) = file;
  r.macros = macros_open(r.arena, source_saves, &r);
  source_tokens(&r);
  macros_free(r.macros);
  table_free(&r.files);
  return s;
}

void source_free(struct source *s)
{
  if (!s) return;
  struct source_memory *m = (struct source_memory *)s;
  for (size_t i = 0; i < s->count; i++) free(s->token[i].list);
  free(s->token);
  free(s->text);
  arena_free(&m->arena);
  free(m);
}
