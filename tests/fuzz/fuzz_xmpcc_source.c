/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The reader of preprocessed sources, with its macros, and the writers of edits against arbitrary bytes: make
 * fuzz runs it under libFuzzer, tests/unit/test_xmpcc_source.c with sources that it damages.
 *
 * Input: the source. Its tokens follow each other within the text. Written again without edits it has as many
 * lines, and the same tokens but for directives. With edits, and for readers, it can be written. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/edit.h"
#include "xmpcc/message.h"
#include "xmpcc/source.h"

enum { FUZZ_PRAGMAS_MOST = 19 }; /* each may have one error, and the 20th ends the program */

static FILE *fuzz_messages;
static unsigned long fuzz_accepted, fuzz_refused;

static void fuzz_claim(int holds, const char *what)
{
  if (holds) return;
  fprintf(stderr, "fuzz_xmpcc_source: %s\n", what);
  abort();
}

static struct source *fuzz_read(const char *bytes, size_t size)
{
  char *text = malloc(size + 1);
  if (!text) exit(1);
  if (size) memcpy(text, bytes, size);
  return source_read(text, size, "fuzz.c");
}

/* The texts of a directive's tokens may be of macros. */
static void fuzz_list(const struct token *t)
{
  static volatile unsigned sum; /* every byte is read */
  for (; t->kind != TOKEN_END; t++)
    for (unsigned i = 0; i < t->length; i++) sum = sum + (unsigned char)t->text[i];
}

static void fuzz_tokens(const struct source *s)
{
  const char *at = s->text;
  for (size_t i = 0; i < s->count; i++) {
    const struct token *t = &s->token[i];
    fuzz_claim(t->text >= at && t->text + t->length <= s->text + s->size, "a token outside of the text");
    fuzz_claim((t->kind == TOKEN_END) == (i + 1 == s->count), "an end that is none");
    fuzz_claim((t->list != NULL) == (t->kind == TOKEN_DIRECTIVE), "a list of what is no directive");
    fuzz_claim(t->length > 0 || t->kind == TOKEN_END, "an empty token");
    if (t->list) fuzz_list(t->list);
    at = t->text + t->length;
  }
}

static char *fuzz_write(const struct edits *e, int readable, size_t *size)
{
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (!f) exit(1);
  fuzz_claim(edits_write(e, f, readable) == 0, "writing fails");
  fclose(f);
  return text;
}

static size_t fuzz_lines(const char *text, size_t size)
{
  size_t n = 0;
  for (size_t i = 0; i < size; i++) n += text[i] == '\n';
  return n;
}

static void fuzz_same_tokens(const struct source *s, const struct source *again)
{
  size_t k = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct token *t = &s->token[i], *u = &again->token[k];
    if (t->kind == TOKEN_DIRECTIVE) continue;
    fuzz_claim(k++ < again->count && t->kind == u->kind && t->length == u->length && t->line == u->line &&
            strcmp(t->file, u->file) == 0 && memcmp(t->text, u->text, t->length) == 0,
        "other tokens when written again");
  }
  fuzz_claim(k == again->count, "more tokens when written again");
}

static void fuzz_unedited(const struct source *s)
{
  struct edits *e = edits_open(s);
  size_t size;
  char *text = fuzz_write(e, 0, &size);
  fuzz_claim(fuzz_lines(text, size) == fuzz_lines(s->text, s->size), "other lines when written again");
  struct source *again = fuzz_read(text, size);
  fuzz_same_tokens(s, again);
  source_free(again);
  free(text);
  text = fuzz_write(e, 1, &size);
  free(text);
  edits_free(e);
}

/* Edits of every sort, at tokens that the source's size chooses. */
static void fuzz_edited(const struct source *s)
{
  struct edits *e = edits_open(s);
  size_t size;
  for (size_t i = 0, k = s->size; i < s->count; i++, k = k * 1103515245 + 12345) {
    const struct token *t = &s->token[i];
    if (k / 65536 % 4 == 0) edit_before(e, t, "{ b%zu;", i);
    if (k / 65536 % 5 == 0) edit_after(e, t, "} /* %c */", '"');
    if (k / 65536 % 7 == 0) free(edits_text(e, s->token + i / 2, t));
    if (k / 65536 % 6 == 0) edit_replace(e, s->token + i - i % 3, t, "r(%zu)", i);
    if (k / 65536 % 31 == 0) edit_at_end(e, t, "end(%zu);", i);
  }
  free(fuzz_write(e, 0, &size));
  free(fuzz_write(e, 1, &size));
  edits_free(e);
}

static int fuzz_has_many_pragmas(const uint8_t *input, size_t size)
{
  int n = 0;
  for (size_t i = 0; i + 6 <= size; i++) n += memcmp(input + i, "pragma", 6) == 0;
  return n > FUZZ_PRAGMAS_MOST;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  if (!fuzz_messages && !(fuzz_messages = fopen("/dev/null", "w"))) exit(1);
  if (fuzz_has_many_pragmas(input, size)) return 0;
  message_set_output(fuzz_messages); /* which counts from 0 then */
  struct source *s = fuzz_read((const char *)input, size);
  if (message_errors()) fuzz_refused++;
  else fuzz_accepted++;
  fuzz_tokens(s);
  message_set_output(fuzz_messages);
  fuzz_unedited(s);
  fuzz_edited(s);
  source_free(s);
  return 0;
}
