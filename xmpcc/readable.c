/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tokens stand in the lines and columns where the program has them. Headers of the system become #include
 * lines; the program's own headers stand where they are included. What edits gave is read as tokens, and
 * broken behind ; { and }. */
#include "xmpcc/readable.h"

#include <stdlib.h>
#include <string.h>

#include "xmpcc/lex.h"
#include "xmpcc/mark.h"
#include "xmpcc/userfile.h"
#include "xmpcc/pieces.h"

enum { READABLE_INDENT_MOST = 60 };

struct readable {
  struct pieces pieces;
  FILE *out;
  const char *file; /* and line: where the last token was */
  unsigned line;
  char last;       /* written in this line; 0: nothing yet */
  int joint;       /* an edit's text begins or ends here */
  unsigned indent; /* of the program's line */
  unsigned depth;  /* of blocks that edits opened */

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
  if (!r->last) fprintf(r->out, "%*s", (int)indent, "");
  else if (spaced || (r->joint && pieces_pastes(r->last, *s))) fputc(' ', r->out);
  fwrite(s, 1, n, r->out);
  r->last = s[n - 1];
  r->joint = 0;
}

static unsigned readable_indent(const struct readable *r) { return r->indent + 2 * r->depth; }

/* To where the token stands: an empty line for one or more that it has before it. */
static void readable_go(struct readable *r, const struct token *t)
{
  if (r->file == t->file && r->line == t->line) return;
  readable_newline(r);
  if (r->file == t->file && t->line > r->line + 1) fputc('\n', r->out);
  r->file = t->file;
  r->line = t->line;
  r->indent = t->column ? t->column - 1 : 0;
  if (r->indent > READABLE_INDENT_MOST) r->indent = READABLE_INDENT_MOST;
}

static void readable_token(struct pieces *w, const struct token *t)
{
  struct readable *r = (struct readable *)w;
  if (t->system || t->kind == TOKEN_DIRECTIVE || t->kind == TOKEN_END) return;
  if (t->kind == TOKEN_PRAGMA) readable_newline(r);
  readable_go(r, t);
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

static void readable_text_token(struct readable *r, const struct token *t, struct readable_nesting *n)
{
  const int breaks = readable_breaks(n, t), close = breaks && token_is(t, "}");
  if (close) {
    readable_newline(r);
    if (r->depth) r->depth--;
  }
  readable_put(r, t->text, t->length, t->spaced, readable_indent(r));
  if (breaks && token_is(t, "{")) r->depth++;
  if (breaks) readable_newline(r);
}

/* A pragma within a text; marks are left out. */
static void readable_text_line(struct readable *r, struct lex *l)
{
  const char *end = lex_line_end(l->at, l->end), *rest;
  if (lex_line_kind(l->at + 1, end, &rest) != LEX_MARK) {
    readable_newline(r);
    readable_put(r, l->at, (size_t)(end - l->at), 0, readable_indent(r));
    readable_newline(r);
  }
  l->at = end;
}

static void readable_text(struct readable *r, const struct bytes *text)
{
  struct lex l = {.at = text->at, .end = text->at + text->length};
  struct readable_nesting n = {0};
  for (unsigned lines = 1, before = 0;; before = lines) {
    struct token t;
    const int spaced = lex_space(&l, 1, &lines);
    if (l.at == l.end) break;
    if (*l.at == '#' && lines != before) {
      readable_text_line(r, &l);
      continue;
    }
    lex_token(&l, &t);
    t.spaced = (unsigned char)spaced;
    readable_text_token(r, &t, &n);
  }
}

static void readable_insert(struct pieces *w, enum pieces_side side, const struct bytes *text,
    const struct token *first, const struct token *last)
{
  struct readable *r = (struct readable *)w;
  if (side != PIECE_AFTER && text->length) {
    readable_go(r, first);
    if (first->spaced && r->last) readable_put(r, " ", 1, 0, 0);
  }
  r->joint = 1;
  if (text->length) readable_text(r, text);
  r->joint = 1;
  if (side == PIECE_INSTEAD && !last->system) r->file = last->file, r->line = pieces_last_line(last);
}

void readable_write(const struct edits *e, FILE *out)
{
  const struct source *s = e->s;
  struct readable r = {.pieces = {readable_gap, readable_token, readable_insert}, .out = out};
  if (s->token->text > s->text) readable_gap(&r.pieces, s->text, s->token->text);
  pieces_range(&r.pieces, e, s->token, s->token + s->count - 1);
  r.indent = r.depth = 0;
  for (size_t i = 0; i < e->ends; i++) {
    readable_newline(&r);
    readable_text(&r, &e->end[i].text);
  }
  readable_newline(&r);
  free(r.marked);
}
