/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tokens stand in the lines and columns where the program has them. Headers of the system become #include
 * lines; the program's own headers stand where they are included. What edits gave is read as tokens, and
 * broken behind ; { and }. Within a block that edits opened all lines are moved to the right, and what closes
 * it stands below what opened it. */
#include "xmpcc/readable.h"

#include <stdlib.h>
#include <string.h>

#include "xmpcc/lex.h"
#include "xmpcc/mark.h"
#include "xmpcc/memory.h"
#include "xmpcc/pieces.h"
#include "xmpcc/userfile.h"

enum { READABLE_INDENT_MOST = 60, READABLE_STEP = 2, READABLE_COLUMNS = 110 };

struct readable {
  struct pieces pieces;
  FILE *out;
  const char *file; /* and line: where the last token was */
  unsigned line;
  char last;       /* written in this line; 0: nothing yet */
  unsigned column; /* behind it */
  int joint;       /* an edit's text begins or ends here */
  unsigned indent; /* of the program's line */
  unsigned here;   /* indentation of an edit's line */
  unsigned *block; /* [blocks] that edits opened: indentation of their braces */
  size_t blocks, capacity;

  char *marked; /* where marks say that a gap is */
  unsigned marked_line, headers /* of the system, within each other */;
};

static void readable_newline(struct readable *r)
{
  if (r->last) fputc('\n', r->out);
  r->last = 0;
}

/* In a new line, if the line is over. */
static void readable_put(struct readable *r, const char *s, size_t n, int spaced, unsigned indent)
{
  if (!n) return;
  if (!r->last) r->column = (unsigned)fprintf(r->out, "%*s", (int)indent, "");
  else if (spaced || (r->joint && pieces_pastes(r->last, *s))) fputc(' ', r->out), r->column++;
  fwrite(s, 1, n, r->out);
  r->column += (unsigned)n;
  r->last = s[n - 1];
  r->joint = 0;
}

static unsigned readable_indent(const struct readable *r)
{
  return r->indent + READABLE_STEP * (unsigned)r->blocks;
}

/* Lines that begin with # often stand in the first column: what an edit gives in their place belongs where
 * the next line does, or within the block that this one ends. */
static unsigned readable_indent_of(const struct token *t, int edited)
{
  const struct token *next = t;
  unsigned inner = 0;
  if (edited && (t->kind == TOKEN_DIRECTIVE || t->kind == TOKEN_PRAGMA)) {
    while (next->kind == TOKEN_DIRECTIVE || next->kind == TOKEN_PRAGMA) next++;
    if (next->file != t->file || next->kind == TOKEN_END) next = t;
    else if (token_is(next, "}")) inner = READABLE_STEP;
  }
  const unsigned indent = (next->column ? next->column - 1 : 0) + inner;
  return indent < READABLE_INDENT_MOST ? indent : READABLE_INDENT_MOST;
}

/* To where the token stands: an empty line for one or more that it has before it. */
static void readable_go(struct readable *r, const struct token *t, int edited)
{
  if (r->file == t->file && r->line == t->line) return;
  readable_newline(r);
  if (r->file == t->file && t->line > r->line + 1) fputc('\n', r->out);
  r->file = t->file;
  r->line = t->line;
  r->indent = readable_indent_of(t, edited);
}

static void readable_token(struct pieces *w, const struct token *t)
{
  struct readable *r = (struct readable *)w;
  if (t->system || t->kind == TOKEN_DIRECTIVE || t->kind == TOKEN_END) return;
  if (t->kind == TOKEN_PRAGMA) readable_newline(r);
  readable_go(r, t, r->blocks > 0);
  readable_put(r, t->text, t->length, t->spaced, readable_indent(r));
  r->line = pieces_last_line(t);
  if (t->kind != TOKEN_PRAGMA) return;
  readable_newline(r);
  r->file = NULL; /* what a line of the program has behind it begins with its own indentation */
}

/* ---- headers of the system ---- */

/* As the line of the program that includes it says; *length 0: it says nothing that can be used. */
static char *readable_spelling(const char *file, unsigned line, size_t *length)
{
  char *text = userfile_line(file, line, length), *p = text, *end;
  if (!text) return NULL;
  p += strspn(p, " \t");
  if (*p == '#') p += 1 + strspn(p + 1, " \t");
  p = strncmp(p, "include", 7) == 0 ? p + 7 + strspn(p + 7, " \t_next") : p + strlen(p);
  end = *p == '<' ? strchr(p, '>') : *p == '"' ? strchr(p + 1, '"') : NULL;
  *length = end ? (size_t)(end - p) + 1 : 0;
  memmove(text, p, *length);
  return text;
}

static void readable_include(struct readable *r, const char *header)
{
  static const char own[] = "penstock-xmp/";
  size_t length = 0;
  char *spelling = readable_spelling(r->marked, r->marked_line, &length);
  const char *below = header, *p = header;
  while ((p = strstr(p, "/include/"))) below = p += 9;
  if (strncmp(below, own, strlen(own)) == 0) below += strlen(own); /* xmpcc's directory of headers */
  readable_newline(r);
  if (length) fprintf(r->out, "#include %.*s\n", (int)length, spelling);
  else if (below > header) fprintf(r->out, "#include <%s>\n", below);
  else fprintf(r->out, "#include \"%s\"\n", header);
  free(spelling);
}

static int readable_ends_with(const char *s, const char *end)
{
  const size_t n = strlen(s), k = strlen(end);
  return n >= k && strcmp(s + n - k, end) == 0;
}

/* GCC includes stdc-predef.h everywhere. */
static void readable_mark(struct readable *r, const char *at, const char *end)
{
  struct mark m = mark_read(at, end);
  const int system = (m.flags & MARK_SYSTEM) != 0;
  if (m.file && (m.flags & MARK_ENTER) != 0) {
    if (system && r->headers == 0 && !readable_ends_with(m.file, "/stdc-predef.h"))
      readable_include(r, m.file);
    if (system || r->headers) r->headers++;
  }
  if ((m.flags & MARK_LEAVE) != 0) r->headers = r->headers && system ? r->headers - 1 : 0;
  if (m.file) free(r->marked), r->marked = m.file;
  r->marked_line = m.line - 1;
}

static void readable_space(struct pieces *w, const char *from, const char *to)
{
  ((struct readable *)w)->marked_line += pieces_lines(from, to);
}

static void readable_line(struct pieces *w, const char *from, const char *to)
{
  struct readable *r = (struct readable *)w;
  const char *rest;
  if (lex_line_kind(from + 1, to, &rest) == LEX_MARK) readable_mark(r, rest, to);
  else r->marked_line += pieces_lines(from, to);
}

static void readable_gap(struct pieces *w, const char *from, const char *to)
{
  static const struct pieces_gap parts = {readable_space, readable_line};
  pieces_gap(w, &parts, from, to);
}

/* ---- what edits gave ---- */

/* Where in a text the next token is: nested in brackets, or in the braces of a value? */
struct readable_nesting {
  unsigned brackets, values;
  int after_equals;
};

/* Does the line end behind t? */
static int readable_breaks(struct readable_nesting *n, const struct token *t)
{
  const int equals = n->after_equals, open = token_is(t, "{"), close = token_is(t, "}");
  n->after_equals = token_is(t, "=");
  if (token_is(t, "(") || token_is(t, "[")) n->brackets++;
  if ((token_is(t, ")") || token_is(t, "]")) && n->brackets) n->brackets--;
  if (open && (equals || n->values)) return n->values++, 0;
  if (close && n->values) return n->values--, 0;
  return !n->brackets && !n->values && (open || close || token_is(t, ";"));
}

static void readable_open(struct readable *r)
{
  r->block = memory_grow(r->block, r->blocks, &r->capacity, sizeof *r->block);
  r->block[r->blocks++] = r->here;
  r->here += READABLE_STEP;
}

/* A line of an edit, which is written when its last token is known. */
struct readable_row {
  struct readable_word {
    struct token token;
    unsigned brackets; /* around it */
  } * word;            /* [count] */
  size_t count, capacity;
  unsigned brackets;
};

static void row_add(struct readable_row *l, const struct token *t)
{
  const int open = token_is(t, "(") || token_is(t, "[") || token_is(t, "{");
  const int close = token_is(t, ")") || token_is(t, "]") || token_is(t, "}");
  l->word = memory_grow(l->word, l->count, &l->capacity, sizeof *l->word);
  if (close && l->brackets) l->brackets--;
  l->word[l->count++] = (struct readable_word){*t, l->brackets};
  l->brackets += open != 0;
}

static int row_is_list(const struct readable_word *before)
{
  return token_is(&before->token, ",") || token_is(&before->token, ";");
}

/* Where the next line begins if words from i on begin in this column: behind the comma that the fewest
 * brackets are around, else behind a space. */
static size_t row_next(const struct readable_row *l, size_t i, unsigned column)
{
  size_t best = l->count, space = l->count, k;
  for (k = i; k < l->count && column <= READABLE_COLUMNS; k++) {
    const struct readable_word *const w = &l->word[k];
    if (k > i && w->token.spaced) space = k;
    if (k > i && row_is_list(w - 1) && (best == l->count || w->brackets <= l->word[best].brackets)) best = k;
    column += w->token.spaced + w->token.length;
  }
  if (k == l->count && column <= READABLE_COLUMNS) return k;
  return best < l->count ? best : space;
}

static void row_write(struct readable *r, struct readable_row *l)
{
  unsigned indent = r->here;
  for (size_t i = 0; i < l->count;) {
    const size_t next = row_next(l, i, r->last ? r->column : indent);
    for (; i < next; i++) {
      const struct token *const t = &l->word[i].token;
      readable_put(r, t->text, t->length, t->spaced, indent);
    }
    if (i < l->count) readable_newline(r);
    indent = r->here + 2 * READABLE_STEP;
  }
  l->count = l->brackets = 0;
}

static void readable_text_token(
    struct readable *r, const struct token *t, struct readable_nesting *n, struct readable_row *l)
{
  const int breaks = readable_breaks(n, t), close = breaks && token_is(t, "}");
  if (close) {
    row_write(r, l);
    readable_newline(r);
    if (r->blocks) r->here = r->block[--r->blocks];
  }
  row_add(l, t);
  if (!breaks) return;
  row_write(r, l);
  if (token_is(t, "{")) readable_open(r);
  readable_newline(r);
}

/* A pragma within a text; marks are left out. */
static void readable_text_line(struct readable *r, struct lex *l)
{
  const char *end = lex_line_end(l->at, l->end), *rest;
  if (lex_line_kind(l->at + 1, end, &rest) != LEX_MARK) {
    readable_newline(r);
    readable_put(r, l->at, (size_t)(end - l->at), 0, r->here);
    readable_newline(r);
  }
  l->at = end;
}

/* spaced: its first token, behind what the line has. */
static void readable_text(struct readable *r, const struct bytes *text, int spaced)
{
  struct lex l = {.at = text->at, .end = text->at + text->length};
  struct readable_nesting n = {0};
  struct readable_row row = {0};
  for (unsigned lines = 1, before = 0;; before = lines, spaced = 0) {
    struct token t;
    spaced |= lex_space(&l, 1, &lines);
    if (l.at == l.end) break;
    if (*l.at == '#' && lines != before) {
      row_write(r, &row);
      readable_text_line(r, &l);
      continue;
    }
    lex_token(&l, &t);
    t.spaced = (unsigned char)spaced;
    readable_text_token(r, &t, &n, &row);
  }
  row_write(r, &row);
  free(row.word);
}

static void readable_insert(struct pieces *w, enum pieces_side side, const struct bytes *text,
    const struct token *first, const struct token *last)
{
  struct readable *r = (struct readable *)w;
  if (side != PIECE_AFTER && text->length) readable_go(r, first, 1);
  r->here = readable_indent(r);
  if (side == PIECE_AFTER && token_is(last, "{")) {
    r->here += READABLE_STEP;
    if (text->length) readable_newline(r);
  }
  r->joint = 1;
  if (text->length) readable_text(r, text, side != PIECE_AFTER && first->spaced);
  r->joint = 1;
  if (side == PIECE_INSTEAD && !last->system) r->file = last->file, r->line = pieces_last_line(last);
}

void readable_write(const struct edits *e, FILE *out)
{
  const struct source *s = e->s;
  struct readable r = {.pieces = {readable_gap, readable_token, readable_insert}, .out = out};
  if (s->token->text > s->text) readable_gap(&r.pieces, s->text, s->token->text);
  pieces_range(&r.pieces, e, s->token, s->token + s->count - 1);
  r.here = 0;
  r.blocks = 0;
  for (size_t i = 0; i < e->ends; i++) {
    readable_newline(&r);
    readable_text(&r, &e->end[i].text, 0);
  }
  readable_newline(&r);
  free(r.block);
  free(r.marked);
}
