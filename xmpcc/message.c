/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/lex.h"
#include "xmpcc/userfile.h"

static unsigned message_most = 20;

static FILE *message_file;
static unsigned message_count;

void message_set_most(unsigned errors) { message_most = errors; }
void message_set_output(FILE *f) { message_file = f, message_count = 0; }
unsigned message_errors(void) { return message_count; }
static FILE *message_output(void) { return message_file ? message_file : stderr; }

/* ---- the line of the source ---- */

static int message_is_here(const struct token *t, const char *line, size_t length, size_t at)
{
  const size_t n = t->length;
  if (at > length || length - at < n || memcmp(line + at, t->text, n) != 0) return 0;
  if (t->kind != TOKEN_NAME && t->kind != TOKEN_NUMBER) return 1;
  return (at == 0 || !lex_is_name((unsigned char)line[at - 1])) &&
      (at + n == length || !lex_is_name((unsigned char)line[at + n]));
}

/* The preprocessor moves what it writes: the column is where the same text stands nearest to it. */
static size_t message_column(const struct token *t, const char *line, size_t length)
{
  const size_t wanted = t->column ? t->column - 1 : 0;
  if (!t->length || t->kind == TOKEN_DIRECTIVE) return wanted;
  for (size_t away = 0; away <= length || away <= wanted; away++) {
    if (away <= wanted && message_is_here(t, line, length, wanted - away)) return wanted - away;
    if (message_is_here(t, line, length, wanted + away)) return wanted + away;
  }
  return wanted;
}

/* White space under white space keeps tabs; bytes that continue a character take no place. */
static void message_caret(FILE *f, const struct token *t, const char *line, size_t length, size_t column)
{
  size_t n = 0;
  fprintf(f, "      | ");
  for (size_t i = 0; i < column && i < length; i++)
    if (((unsigned char)line[i] & 0xc0) != 0x80) fputc(line[i] == '\t' ? '\t' : ' ', f);
  fputc('^', f);
  if (message_is_here(t, line, length, column))
    while (++n < t->length)
      if (((unsigned char)line[column + n] & 0xc0) != 0x80) fputc('~', f);
  fputc('\n', f);
}

/* ---- the message ---- */

static void message_print(const struct token *t, const char *kind, const char *fmt, va_list arguments)
    __attribute__((format(printf, 3, 0)));
static void message_print(const struct token *t, const char *kind, const char *fmt, va_list arguments)
{
  FILE *f = message_output();
  size_t length = 0, column = t->column ? t->column - 1 : 0;
  char *line = userfile_line(t->file, t->line, &length);
  if (line) column = message_column(t, line, length);
  fprintf(f, "%s:%u:%zu: %s: ", t->file ? t->file : "xmpcc", t->line, column + 1, kind);
  vfprintf(f, fmt, arguments);
  fputc('\n', f);
  if (line && column <= length) {
    fprintf(f, "%5u | ", t->line);
    fwrite(line, 1, length, f);
    fputc('\n', f);
    message_caret(f, t, line, length, column);
  }
  free(line);
}

void message_error(const struct token *at, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  message_print(at, "error", fmt, arguments);
  va_end(arguments);
  if (++message_count < message_most) return;
  fprintf(message_output(), "xmpcc: there are %u errors, so it ends here\n", message_count);
  exit(1);
}

void message_warning(const struct token *at, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  message_print(at, "warning", fmt, arguments);
  va_end(arguments);
}

void message_note(const struct token *at, const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  message_print(at, "note", fmt, arguments);
  va_end(arguments);
}
