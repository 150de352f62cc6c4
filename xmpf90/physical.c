/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/physical.h"

#include <string.h>
#include <strings.h>

static const char *physical_blanks_end(const char *p, const char *end)
{
  while (p < end && lexical_is_blank(*p)) p++;
  return p;
}

static int physical_begins(const char *p, const char *end, const char *word)
{
  const size_t n = strlen(word);
  return (size_t)(end - p) >= n && strncasecmp(p, word, n) == 0;
}

/* ---- free form ---- */

/* Behind the sentinel, which blanks, the line's end or a continuation mark follow; NULL: it is another word.
 * + is a mark of directives alone. */
static const char *free_sentinel(const char *at, const char *end, const char *word)
{
  if (!physical_begins(at, end, word)) return NULL;
  at += strlen(word);
  if (at < end && *at == '+' && word[2] != 0) return at;
  return at == end || lexical_is_blank(*at) || *at == '&' ? at : NULL;
}

static void free_read(struct physical *p, const struct line_options *o)
{
  const char *const at = physical_blanks_end(p->begin, p->end);
  p->text = p->begin;
  p->kind = at == p->end || *at == '!' ? PHYSICAL_COMMENT : PHYSICAL_TEXT;
  if (p->kind == PHYSICAL_TEXT || at == p->end) return;
  const char *after;
  if ((after = free_sentinel(at, p->end, "!$xmp"))) p->kind = PHYSICAL_XMP;
  else if (o->is_openmp && (after = free_sentinel(at, p->end, "!$omp"))) p->kind = PHYSICAL_OPENMP;
  else if (o->is_openmp && (after = free_sentinel(at, p->end, "!$"))) p->kind = PHYSICAL_TEXT;
  else return;
  if (after < p->end && *after == '+') p->continues = 1, after++;
  p->text = after;
  const char *const first = physical_blanks_end(after, p->end);
  if (p->kind == PHYSICAL_TEXT && (first == p->end || *first == '!')) p->kind = PHYSICAL_COMMENT;
}

/* ---- fixed form ---- */

/* Sets what follows columns 1 to 5, of which the first `skip` are a sentinel. A tab there leads to column 7,
 * or to 6 if a digit but 0 follows, which continues. */
static void fixed_columns(struct physical *p, unsigned skip, const struct line_options *o)
{
  const char *at = p->begin + (skip < (size_t)(p->end - p->begin) ? skip : (size_t)(p->end - p->begin));
  unsigned column = skip + 1;
  p->label = at;
  while (at < p->end && column < 6 && *at != '\t' && *at != '!') at++, column++;
  p->label_end = at;
  if (at < p->end && *at == '\t') {
    at++;
    if (at < p->end && *at >= '1' && *at <= '9') p->continues = 1, at++;
  } else if (at < p->end && column == 6) {
    p->continues = *at != ' ' && *at != '0' && *at != '\r';
    at++;
  }
  p->text = at;
  if (!o->width) return;
  const size_t most = o->width > 6 ? o->width - 6 : 0, has = (size_t)(p->end - at);
  p->room = (unsigned)(has < most ? most - has : 0);
  if (has > most) p->end = at + most;
}

static int fixed_is_comment(char c) { return c == 'c' || c == 'C' || c == '*' || c == '!'; }

/* Whether columns 3 to 5 have nothing but a label. */
static int fixed_is_conditional(const char *at, const char *end)
{
  for (int column = 3; column < 6 && at < end; column++, at++) {
    if (*at == '\t') return 1;
    if (*at != ' ' && !lexical_is_digit(*at)) return 0;
  }
  return 1;
}

/* Whether nothing but a comment is there: a ! in column 6 continues. */
static int fixed_is_empty(const struct physical *p)
{
  const char *const at = physical_blanks_end(p->begin, p->end);
  if (at == p->end) return 1;
  if (*at != '!') return 0;
  return at != p->begin + 5 || memchr(p->begin, '\t', 5) != NULL;
}

static void fixed_read(struct physical *p, const struct line_options *o)
{
  const char *const begin = p->begin;
  p->kind = fixed_is_comment(*begin) ? PHYSICAL_COMMENT : PHYSICAL_TEXT;
  if (p->kind == PHYSICAL_TEXT) {
    if (fixed_is_empty(p)) p->kind = PHYSICAL_COMMENT;
    else fixed_columns(p, 0, o);
    return;
  }
  if (physical_begins(begin + 1, p->end, "$xmp")) {
    p->kind = PHYSICAL_XMP;
    fixed_columns(p, 5, o);
  } else if (o->is_openmp && physical_begins(begin + 1, p->end, "$omp")) {
    p->kind = PHYSICAL_OPENMP;
    fixed_columns(p, 5, o);
  } else if (o->is_openmp && physical_begins(begin + 1, p->end, "$") &&
      fixed_is_conditional(begin + 2, p->end)) {
    p->kind = PHYSICAL_TEXT;
    fixed_columns(p, 2, o);
  }
}

/* ---- both ---- */

void physical_read(struct physical *p, const char *at, const char *end, const struct line_options *o)
{
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  *p = (struct physical){.begin = at, .end = newline ? newline : end, .next = newline ? newline + 1 : end};
  if (p->end > at && p->end[-1] == '\r') p->end--;
  p->text = p->label = p->label_end = p->end;
  if (p->end == at) p->kind = PHYSICAL_COMMENT;
  else if (*at == '#') p->kind = PHYSICAL_HASH;
  else if (o->form == FORM_FREE) free_read(p, o);
  else fixed_read(p, o);
}

const char *physical_include(const struct physical *p, size_t *length)
{
  const char *at = physical_blanks_end(*p->begin == '!' ? p->text : p->begin, p->end);
  if (!physical_begins(at, p->end, "include")) return NULL;
  at = physical_blanks_end(at + 7, p->end);
  if (at == p->end || (*at != '\'' && *at != '"')) return NULL;
  const char *const close = memchr(at + 1, *at, (size_t)(p->end - at - 1));
  if (!close || close == at + 1) return NULL;
  const char *const rest = physical_blanks_end(close + 1, p->end);
  if (rest != p->end && *rest != '!') return NULL;
  *length = (size_t)(close - at - 1);
  return at + 1;
}
