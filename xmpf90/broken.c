/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/broken.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FREE_WIDTH = 132, FIXED_WIDTH = 72, INDENT_MOST = 60, LABEL_MOST = 5 /* digits */ };

/* ---- places ---- */

static void mark_write(FILE *f, struct broken_place p)
{
  fprintf(f, "# %u \"", p.line);
  for (const char *c = p.file; *c; c++) {
    if (*c == '"' || *c == '\\') fputc('\\', f);
    fputc(*c, f);
  }
  fputs("\"\n", f);
}

void broken_out_at(struct broken_out *o, struct broken_place p)
{
  if (o->is_open) fputc('\n', o->f), o->at.line++;
  o->is_open = 0;
  if (o->at.line != p.line || strcmp(o->at.file, p.file) != 0) mark_write(o->f, p);
  o->at = p;
}

static int is_same_line(const struct broken_place *a, const struct broken_place *b)
{
  return a->line == b->line && a->file == b->file;
}

/* ---- the text ---- */

void broken_open(struct broken *b, const struct line_options *o, unsigned column)
{
  *b = (struct broken){.options = o, .column = column};
}

void broken_label(struct broken *b, const struct token *label)
{
  if (b->options->form == FORM_FREE || label->length <= LABEL_MOST) b->label = label;
  else broken_add(b, label->text, label->length, label);
}

void broken_add(struct broken *b, const char *text, size_t n, const struct token *at)
{
  for (size_t k = 0; k < n; k++) {
    b->text = memory_grow(b->text, b->length, &b->text_capacity, 1);
    b->place = memory_grow(b->place, b->length, &b->place_capacity, sizeof *b->place);
    b->text[b->length] = text[k];
    b->place[b->length++] = (struct broken_place){at->file, at->line, k == 0};
  }
}

/* ---- lines ---- */

/* What comes before the text of the first line, which begins where it did; gives its length. */
static unsigned head_write(const struct broken *b, FILE *f)
{
  const int digits = b->label ? (int)b->label->length : 0, is_fixed = b->options->form == FORM_FIXED;
  const char *const label = digits ? b->label->text : "";
  unsigned n = LABEL_MOST + 1;
  if (is_fixed) fprintf(f, "%-5.*s ", digits, label);
  else n = digits ? (unsigned)fprintf(f, "%.*s ", digits, label) : 0;
  if (is_fixed && b->options->width && b->options->width < FIXED_WIDTH) return n; /* too narrow */
  for (; n + 1 < b->column && n < INDENT_MOST; n++) fputc(' ', f);
  return n;
}

/* How many characters up to a new line of the source, where a line may be broken; more than `most`: that does
 * not come before. */
static size_t line_piece(const struct broken *b, size_t at, int anywhere, size_t most)
{
  size_t end = at + 1;
  for (; end < b->length && end - at <= most; end++)
    if ((anywhere || b->place[end].begins) && !is_same_line(&b->place[at], &b->place[end])) break;
  return end - at;
}

/* How many characters go on a line that has room for `room`, of which the last one may be needed for &. */
static size_t free_piece(const struct broken *b, size_t at, size_t room)
{
  const size_t left = line_piece(b, at, 1, room);
  if (left < room || (left == room && at + left == b->length)) return left;
  const size_t most = room - 1;
  for (size_t n = most; n > most / 2; n--)
    if (b->text[at + n - 1] == ' ') return n;
  return most;
}

static void free_write(const struct broken *b, struct broken_out *o)
{
  size_t at = 0;
  while (at < b->length) {
    broken_out_at(o, b->place[at]);
    unsigned column = at ? 1 : head_write(b, o->f);
    if (at) fputc('&', o->f);
    const size_t n = free_piece(b, at, FREE_WIDTH - column);
    fwrite(b->text + at, 1, n, o->f);
    at += n;
    fputs(at < b->length ? "&\n" : "\n", o->f);
    o->at.line++;
  }
}

static void fixed_write(const struct broken *b, struct broken_out *o)
{
  for (size_t at = 0, n; at < b->length; at += n) {
    broken_out_at(o, b->place[at]);
    const unsigned column = at ? LABEL_MOST + 1 : head_write(b, o->f);
    const size_t room = b->options->width > LABEL_MOST + 1 ? b->options->width - column : SIZE_MAX;
    if (at) fputs("     &", o->f);
    n = line_piece(b, at, 0, room);
    if (n > room) n = room;
    fwrite(b->text + at, 1, n, o->f);
    fputc('\n', o->f);
    o->at.line++;
  }
}

static void whole_write(const struct broken *b, struct broken_out *o)
{
  broken_out_at(o, *b->place);
  fwrite(b->text, 1, b->length, o->f);
  fputc('\n', o->f);
  o->at.line++;
}

void broken_write(struct broken *b, struct broken_out *o)
{
  if (b->length && (*b->text == '!' || *b->text == '#')) whole_write(b, o);
  else if (b->options->form == FORM_FREE) free_write(b, o);
  else fixed_write(b, o);
  free(b->text);
  free(b->place);
}
