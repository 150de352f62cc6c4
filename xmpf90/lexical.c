/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/lexical.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- joining ---- */

/* Whether the text from `start` on begins with the word of a type, and nothing else is before `at`: what
 * follows the * of INTEGER*4H is a length, and no Hollerith constant. */
static int joiner_is_type(const struct joiner *j, size_t at)
{
  static const char *const types[] = {"integer", "real", "logical", "complex", "character"};
  size_t begin = j->start;
  while (begin < at && lexical_is_blank(j->text[begin])) begin++;
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    const size_t n = strlen(types[k]);
    if (at - begin >= n && strncasecmp(j->text + begin, types[k], n) == 0 &&
        (at - begin == n || lexical_is_blank(j->text[begin + n])))
      return 1;
  }
  return 0;
}

static int joiner_is_format(const struct joiner *j)
{
  size_t begin = j->start;
  while (begin < j->length && (lexical_is_blank(j->text[begin]) || lexical_is_digit(j->text[begin]))) begin++;
  return j->length - begin > 6 && strncasecmp(j->text + begin, "format", 6) == 0;
}

/* The number of characters of a Hollerith constant whose H comes next, or 0. Digits behind a name are a part
 * of it, and those that begin the statement are its label. In formats a comma may be left out: 1X5Habcde. */
static size_t joiner_hollerith(const struct joiner *j)
{
  size_t digits = j->length, n = 0;
  while (digits > j->start && lexical_is_digit(j->text[digits - 1])) digits--;
  if (digits == j->length || digits == j->start) return 0;
  const char before = j->text[digits - 1];
  if (lexical_is_name(before) || before == '.') {
    if (!strchr("xXpP", before) || !joiner_is_format(j)) return 0;
  }
  if (before == '*' && joiner_is_type(j, digits - 1)) return 0;
  for (size_t k = digits; k < j->length && n < 100000; k++) n = n * 10 + (size_t)(j->text[k] - '0');
  return n;
}

static void joiner_push(struct joiner *j, char c, struct place p)
{
  j->text = memory_grow(j->text, j->length, &j->text_capacity, 1);
  j->place = memory_grow(j->place, j->length, &j->place_capacity, sizeof *j->place);
  j->text[j->length] = c;
  j->place[j->length++] = p;
}

void joiner_add(struct joiner *j, char c, const char *file, unsigned line, unsigned column)
{
  struct place p = {file, line, column, j->spaced ? PLACE_SPACED : 0};
  size_t hollerith = 0;
  if (j->hollerith) {
    j->hollerith--;
  } else if (j->quote) {
    if (c == j->quote) j->quote = 0;
  } else if (lexical_is_blank(c)) {
    j->spaced = 1;
    if (j->keeps_blanks && j->length > j->start) joiner_push(j, ' ', p);
    return;
  } else if (c == '\'' || c == '"') {
    j->quote = c;
  } else if ((c == 'h' || c == 'H') && (hollerith = joiner_hollerith(j))) {
    j->hollerith = hollerith;
    p.flags |= PLACE_HOLLERITH;
  }
  joiner_push(j, c, p);
  j->spaced = 0;
  if (c == ';' && !joiner_in_literal(j)) j->start = j->length;
}

const struct joined *joiner_take(struct joiner *j, enum form form, struct arena *a, struct place end)
{
  struct joined *const made = arena_get(a, sizeof *made);
  struct place *const place = arena_get(a, (j->length + 1) * sizeof *place);
  *made = (struct joined){form, j->length, arena_copy(a, j->text, j->length), place};
  if (j->length) memcpy(place, j->place, j->length * sizeof *place);
  place[j->length] = end;
  j->length = j->start = j->hollerith = 0;
  j->quote = 0;
  j->spaced = 0;
  return made;
}

void joiner_free(struct joiner *j)
{
  free(j->text);
  free(j->place);
}

/* ---- tokens; each function gives the offset behind the one that begins at `at` ---- */

static int lexical_is_hollerith(const struct joined *j, size_t at)
{
  return (j->place[at].flags & PLACE_HOLLERITH) != 0;
}

/* In 1X5Habcde of a format the name is X alone. */
static size_t lexical_name_end(const struct joined *j, size_t begin, size_t end)
{
  size_t at = begin, digits;
  while (at < end && lexical_is_name(j->text[at]) && (at == begin || !lexical_is_hollerith(j, at))) at++;
  if (at == begin || at == end || !lexical_is_hollerith(j, at)) return at;
  for (digits = at; digits > begin && lexical_is_digit(j->text[digits - 1]); digits--) continue;
  return digits > begin ? digits : at;
}

size_t lexical_digits(const struct joined *j, size_t at, size_t end)
{
  while (at < end && lexical_is_digit(j->text[at])) at++;
  return at;
}

/* Behind .word. ; `at` itself where none is. */
static size_t lexical_operator_end(const struct joined *j, size_t at, size_t end)
{
  size_t k = at + 1;
  if (j->text[at] != '.') return at;
  while (k < end && lexical_is_letter(j->text[k])) k++;
  return k > at + 1 && k < end && j->text[k] == '.' ? k + 1 : at;
}

static size_t lexical_kind_end(const struct joined *j, size_t at, size_t end)
{
  const int has = at + 1 < end && j->text[at] == '_' && lexical_is_name(j->text[at + 1]);
  return has ? lexical_name_end(j, at + 1, end) : at;
}

static size_t lexical_exponent_end(const struct joined *j, size_t at, size_t end)
{
  size_t k = at + 1;
  if (at >= end || !strchr("eEdDqQ", j->text[at])) return at;
  if (k < end && (j->text[k] == '+' || j->text[k] == '-')) k++;
  return k < end && lexical_is_digit(j->text[k]) ? lexical_digits(j, k, end) : at;
}

static size_t lexical_quoted_end(const struct joined *j, size_t at, size_t end)
{
  const char quote = j->text[at];
  for (size_t k = at + 1; k < end; k++) {
    if (j->text[k] != quote) continue;
    if (k + 1 == end || j->text[k + 1] != quote) return k + 1;
    k++;
  }
  return at;
}

static size_t lexical_hollerith_end(const struct joined *j, size_t digits, size_t at, size_t end)
{
  size_t n = 0;
  for (; digits < at && n < end; digits++) n = n * 10 + (size_t)(j->text[digits] - '0');
  return n < end - at ? at + 1 + n : end;
}

/* A constant that begins with a digit or a dot. */
static size_t lexical_number_end(const struct joined *j, size_t at, size_t end, enum token_kind *kind)
{
  size_t k = lexical_digits(j, at, end);
  *kind = TOKEN_NUMBER;
  if (k < end && lexical_is_hollerith(j, k))
    return *kind = TOKEN_STRING, lexical_hollerith_end(j, at, k, end);
  if (k < end && j->text[k] == '.' && lexical_operator_end(j, k, end) == k) k = lexical_digits(j, k + 1, end);
  k = lexical_kind_end(j, lexical_exponent_end(j, k, end), end);
  if (k + 1 < end && j->text[k] == '_' && (j->text[k + 1] == '\'' || j->text[k + 1] == '"')) {
    const size_t quoted = lexical_quoted_end(j, k + 1, end); /* 4_'abc' */
    if (quoted > k + 1) return *kind = TOKEN_STRING, quoted;
  }
  return k;
}

/* A name, or a literal that begins with one: kind_'abc', z'ff'. */
static size_t lexical_word_end(const struct joined *j, size_t at, size_t end, enum token_kind *kind)
{
  const size_t k = lexical_name_end(j, at, end);
  *kind = TOKEN_NAME;
  if (k == end || (j->text[k] != '\'' && j->text[k] != '"')) return k;
  if (j->text[k - 1] != '_' && (k > at + 1 || !strchr("bBoOzZxX", j->text[at]))) return k;
  const size_t quoted = lexical_quoted_end(j, k, end);
  if (quoted > k) *kind = TOKEN_STRING;
  return quoted;
}

static int lexical_is_logical(const struct joined *j, size_t at, size_t end)
{
  return (end - at == 6 && strncasecmp(j->text + at, ".true.", 6) == 0) ||
      (end - at == 7 && strncasecmp(j->text + at, ".false.", 7) == 0);
}

static size_t lexical_dot_end(const struct joined *j, size_t at, size_t end, enum token_kind *kind)
{
  const size_t k = lexical_operator_end(j, at, end);
  if (k == at && at + 1 < end && lexical_is_digit(j->text[at + 1]))
    return lexical_number_end(j, at, end, kind);
  *kind = TOKEN_PUNCTUATION;
  if (k == at) return at + 1;
  if (!lexical_is_logical(j, at, k)) return k;
  *kind = TOKEN_NUMBER;
  return lexical_kind_end(j, k, end);
}

static size_t lexical_punctuation_end(const struct joined *j, size_t at, size_t end, enum token_kind *kind)
{
  static const char two[] = "== /= <= >= => //";
  *kind = TOKEN_PUNCTUATION;
  for (size_t k = 0; end - at >= 2 && k < sizeof two; k += 3)
    if (memcmp(j->text + at, two + k, 2) == 0) return at + 2;
  if (!j->text[at] || !strchr("()[]+-*/=<>,:;%?", j->text[at])) *kind = TOKEN_OTHER;
  return at + 1;
}

static size_t lexical_end(const struct joined *j, size_t at, size_t end, enum token_kind *kind)
{
  const char c = j->text[at];
  if (lexical_is_letter(c) || c == '_' || c == '$') return lexical_word_end(j, at, end, kind);
  if (lexical_is_digit(c)) return lexical_number_end(j, at, end, kind);
  if (c == '.') return lexical_dot_end(j, at, end, kind);
  if (c == '\'' || c == '"') {
    const size_t k = lexical_quoted_end(j, at, end);
    *kind = k > at ? TOKEN_STRING : TOKEN_OTHER;
    return k > at ? k : end;
  }
  return lexical_punctuation_end(j, at, end, kind);
}

struct token lexical_piece(const struct joined *j, size_t at, size_t n, enum token_kind kind)
{
  const struct place *const p = &j->place[at];
  return (struct token){.kind = kind,
      .text = j->text + at,
      .length = (unsigned)n,
      .line = p->line,
      .column = p->column,
      .file = p->file,
      .spaced = (p->flags & PLACE_SPACED) != 0};
}

size_t lexical_token(const struct joined *j, size_t at, size_t end, struct token *t)
{
  enum token_kind kind = TOKEN_END;
  while (at < end && lexical_is_blank(j->text[at])) at++;
  const size_t after = at < end ? lexical_end(j, at, end, &kind) : at;
  *t = lexical_piece(j, at, after - at, kind);
  return after;
}
