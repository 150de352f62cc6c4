/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/lex.h"

#include <string.h>

/* ---- white space ---- */

static int lex_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

static void lex_newline(struct lex *l) /* at it */
{
  l->at++;
  l->line++;
  l->line_begin = l->at;
}

/* The length of a backslash with the end of a line after it; 0 if there is none. */
static size_t lex_joint(const char *at, const char *end)
{
  if (end - at >= 2 && at[0] == '\\' && at[1] == '\n') return 2;
  if (end - at >= 3 && at[0] == '\\' && at[1] == '\r' && at[2] == '\n') return 3;
  return 0;
}

void lex_go(struct lex *l, const char *to)
{
  const char *newline;
  while (l->at < to && (newline = memchr(l->at, '\n', (size_t)(to - l->at)))) {
    l->at = newline;
    lex_newline(l);
  }
  l->at = to;
}

const char *lex_line_end(const char *at, const char *end)
{
  const char *p = at, *newline;
  while (p < end && (newline = memchr(p, '\n', (size_t)(end - p)))) {
    const char *before = newline > at && newline[-1] == '\r' ? newline - 1 : newline;
    if (before == at || before[-1] != '\\') return newline;
    p = newline + 1;
  }
  return end;
}

/* Behind the comment that begins at `at`. */
static const char *lex_comment_end(const char *at, const char *end)
{
  if (at[1] == '/') return lex_line_end(at, end);
  for (const char *p = at + 2; p < end && (p = memchr(p, '*', (size_t)(end - p))); p++)
    if (p + 1 < end && p[1] == '/') return p + 2;
  return end;
}

int lex_space(struct lex *l, int lines, unsigned *ended)
{
  const char *begin = l->at;
  while (l->at < l->end) {
    const char c = *l->at;
    size_t joint;
    if (lex_is_blank(c)) {
      l->at++;
    } else if (c == '\n') {
      if (!lines) break;
      lex_newline(l);
      ++*ended;
    } else if (c == '/' && l->end - l->at >= 2 && (l->at[1] == '*' || l->at[1] == '/')) {
      lex_go(l, lex_comment_end(l->at, l->end));
    } else if (c == '\\' && (joint = lex_joint(l->at, l->end))) {
      lex_go(l, l->at + joint);
    } else {
      break;
    }
  }
  return l->at > begin;
}

/* ---- tokens; each function gives the end of the one that begins at p ---- */

static const char *lex_name_end(const char *p, const char *end)
{
  while (p < end) {
    if (lex_is_name((unsigned char)*p)) p++;
    else if (*p == '\\' && end - p >= 2 && (p[1] == 'u' || p[1] == 'U')) p += 2;
    else break;
  }
  return p;
}

/* A preprocessing number: what no operator ends. */
static const char *lex_number_end(const char *p, const char *end)
{
  for (p++; p < end; p++) {
    const char before = p[-1] | 0x20;
    if (lex_is_name((unsigned char)*p) || *p == '.') continue;
    if ((*p == '+' || *p == '-') && (before == 'e' || before == 'p')) continue;
    if (*p == '\'' && end - p >= 2 && lex_is_name((unsigned char)p[1])) continue;
    break;
  }
  return p;
}

/* p is at the quote. NULL: the line ends before the literal does. */
static const char *lex_quoted_end(const char *p, const char *end)
{
  const char quote = *p;
  for (p++; p < end && *p != '\n'; p++) {
    if (*p == quote) return p + 1;
    if (*p != '\\' || p + 1 == end) continue;
    p += end - p >= 3 && p[1] == '\r' && p[2] == '\n' ? 2 : 1;
  }
  return NULL;
}

/* p is at the quote of R"delimiter( ... )delimiter". NULL: it is none. Without its end it takes all. */
static const char *lex_raw_end(const char *p, const char *end)
{
  const char *delimiter = p + 1, *open = delimiter;
  while (open < end && open - delimiter <= 16 && !strchr("()\\\" \t\n\v\f\r", *open)) open++;
  if (open == end || *open != '(' || open - delimiter > 16) return NULL;
  const size_t n = (size_t)(open - delimiter);
  for (p = open + 1; p < end && (p = memchr(p, ')', (size_t)(end - p))); p++)
    if ((size_t)(end - p) >= n + 2 && memcmp(p + 1, delimiter, n) == 0 && p[n + 1] == '"') return p + n + 2;
  return end;
}

/* The quote behind L, u, U, u8, with an R or without; NULL: none. */
static const char *lex_prefix_end(const char *p, const char *end, int *raw)
{
  if (p < end && *p == 'u' && end - p >= 2 && p[1] == '8') p += 2;
  else if (p < end && (*p == 'L' || *p == 'u' || *p == 'U')) p++;
  *raw = p < end && *p == 'R';
  if (*raw) p++;
  if (p == end) return NULL;
  return *p == '"' || (*p == '\'' && !*raw) ? p : NULL;
}

/* A literal with its prefix, or NULL. A quote without an end gives the rest of the line, of no kind. */
static const char *lex_literal_end(const char *p, const char *end, enum token_kind *kind)
{
  int raw;
  const char *quote = lex_prefix_end(p, end, &raw), *after = NULL;
  if (!quote) return NULL;
  *kind = *quote == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
  if (raw) return lex_raw_end(quote, end);
  after = lex_quoted_end(quote, end);
  if (after || quote > p) return after;
  *kind = TOKEN_OTHER;
  return lex_line_end(p, end);
}

static unsigned lex_punctuation(const char *p, const char *end)
{
  static const char *const three[] = {"...", "<<=", ">>="};
  static const char two[] = "-> ++ -- << >> <= >= == != && || *= /= %= += -= &= ^= |= ## <: :> <% %> %:";
  const size_t n = (size_t)(end - p);
  if (n >= 4 && memcmp(p, "%:%:", 4) == 0) return 4;
  for (size_t i = 0; n >= 3 && i < sizeof three / sizeof *three; i++)
    if (memcmp(p, three[i], 3) == 0) return 3;
  for (size_t i = 0; n >= 2 && i < sizeof two; i += 3)
    if (memcmp(p, two + i, 2) == 0) return 2;
  return *p && strchr("[](){}.&*+-~!/%<>^|?:;=,#", *p) ? 1 : 0;
}

static const char *lex_token_end(const char *p, const char *end, enum token_kind *kind)
{
  const unsigned char c = (unsigned char)*p;
  const char *after;
  unsigned n;
  if (c == '"' || c == '\'' || c == 'L' || c == 'u' || c == 'U' || c == 'R')
    if ((after = lex_literal_end(p, end, kind))) return after;
  *kind = TOKEN_NAME;
  if ((after = lex_name_end(p, end)) > p && !lex_is_digit(c)) return after;
  *kind = TOKEN_NUMBER;
  if (lex_is_digit(c) || (c == '.' && end - p >= 2 && lex_is_digit((unsigned char)p[1])))
    return lex_number_end(p, end);
  *kind = (n = lex_punctuation(p, end)) ? TOKEN_PUNCTUATION : TOKEN_OTHER;
  return p + (n ? n : 1);
}

void lex_token(struct lex *l, struct token *t)
{
  const char *begin = l->at;
  *t = (struct token){.text = begin,
      .line = l->line,
      .column = (unsigned)(begin - l->line_begin) + 1,
      .file = l->file,
      .system = l->system};
  const char *after = lex_token_end(begin, l->end, &t->kind);
  t->length = (unsigned)(after - begin);
  if (t->kind == TOKEN_NAME || t->kind == TOKEN_PUNCTUATION) l->at = after;
  else lex_go(l, after);
}

/* ---- lines that begin with # ---- */

static const char *lex_blanks_end(const char *p, const char *end)
{
  size_t joint = 0;
  while (p < end && (lex_is_blank(*p) || (joint = lex_joint(p, end)))) p += lex_is_blank(*p) ? 1 : joint;
  return p;
}

/* Behind the word and the blanks after it; NULL: another one is there. */
static const char *lex_word(const char *p, const char *end, const char *word)
{
  const size_t n = strlen(word);
  if ((size_t)(end - p) < n || memcmp(p, word, n) != 0) return NULL;
  if (p + n < end && lex_is_name((unsigned char)p[n])) return NULL;
  return lex_blanks_end(p + n, end);
}

enum lex_line lex_line_kind(const char *at, const char *end, const char **rest)
{
  const char *p = lex_blanks_end(at, end), *after;
  *rest = p;
  if (p < end && lex_is_digit((unsigned char)*p)) return LEX_MARK;
  if ((after = lex_word(p, end, "line")) && after < end && lex_is_digit((unsigned char)*after))
    return *rest = after, LEX_MARK;
  if ((after = lex_word(p, end, "define"))) return *rest = after, LEX_DEFINE;
  if ((after = lex_word(p, end, "undef"))) return *rest = after, LEX_UNDEF;
  if ((after = lex_word(p, end, "pragma")) && (after = lex_word(after, end, "xmp")))
    return *rest = after, LEX_XMP;
  return LEX_OTHER;
}
