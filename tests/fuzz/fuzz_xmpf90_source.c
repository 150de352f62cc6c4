/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The Fortran front against arbitrary bytes: make fuzz runs it under libFuzzer,
 * tests/unit/test_xmpf90_source.c with sources that it damages.
 *
 * Input: one byte of options, and the source. Without edits it comes out byte for byte. Written anew, and
 * read again, it has the same statements: kinds, labels, texts. With edits of every sort it can be written.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/message.h"
#include "xmpf90/output.h"
#include "xmpf90/unit.h"

static unsigned long fuzz_statements, fuzz_known;

static void fuzz_claim(int holds, const char *what)
{
  if (holds) return;
  fprintf(stderr, "fuzz_xmpf90_source: %s\n", what);
  abort();
}

static struct lines *fuzz_read(const void *bytes, size_t size, const struct line_options *o)
{
  char *const text = malloc(size + 1);
  if (!text) exit(1);
  if (size) memcpy(text, bytes, size);
  return lines_read(text, size, "fuzz.f90", o);
}

static char *fuzz_write(const struct lines *l, size_t *size)
{
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (!f) exit(1);
  fuzz_claim(output_write(l, f, 0) == 0, "writing fails");
  fclose(f);
  return text;
}

static void fuzz_statement(const struct statement *s)
{
  static volatile unsigned sum; /* every byte is read */
  for (size_t k = 0; k <= s->count; k++) {
    const struct token *const t = &s->token[k];
    fuzz_claim((t->kind == TOKEN_END) == (k == s->count), "an end that is none");
    fuzz_claim(t->length > 0 || t->kind == TOKEN_END, "an empty token");
    for (unsigned i = 0; i < t->length; i++) sum = sum + (unsigned char)t->text[i];
  }
  fuzz_claim(s->body <= s->count && s->name <= s->count && s->inner <= s->count, "a place outside");
  fuzz_statements++;
  fuzz_known += s->kind != STATEMENT_OTHER;
}

/* A range of tokens is one of a statement's. */
static void fuzz_range(const struct expression *e)
{
  fuzz_claim(
      e->first <= e->last && (e->first == e->last || e->first->kind != TOKEN_END), "a range that is none");
}

static void fuzz_unit(const struct units *all, const struct unit *u)
{
  const struct symbol *y;
  fuzz_claim(u->first <= u->last && u->last <= all->l->count, "a unit that ends before it begins");
  for (size_t at = 0; (y = table_next(&u->names, &at));) {
    fuzz_range(&y->type);
    fuzz_range(&y->initial);
    fuzz_range(&y->length);
    for (int k = 0; k < y->rank; k++) fuzz_range(&y->bound[k].a), fuzz_range(&y->bound[k].b);
    fuzz_claim(
        unit_own(u, y->at) == y || y->at->length > 256 || u->kind == UNIT_ENUM, "a name that is not found");
  }
}

static void fuzz_units(struct lines *l)
{
  struct units *const all = units_read(l);
  int is_open;
  for (const struct unit *u = all->file; u;) {
    fuzz_unit(all, u);
    if (u->child) u = u->child;
    else {
      while (u && !u->next) u = u->parent;
      if (u) u = u->next;
    }
  }
  for (size_t k = 0; k < l->count; k++) {
    const struct loop *const loop = all->loop[k];
    fuzz_claim(all->of[k] != NULL, "a statement without a unit");
    for (int i = 0; loop && i < loop->count; i++) {
      fuzz_range(&loop->index[i].begin);
      fuzz_range(&loop->index[i].end);
      fuzz_range(&loop->index[i].step);
      unit_find(all, all->of[k], loop->index[i].variable, &is_open);
    }
    fuzz_claim(!loop || (loop->first == k && loop->last >= k && (!loop->outer || loop->outer->first < k)),
        "a loop that is none");
  }
  units_free(all);
}

/* Whether each is written again as what it was: marks of comments and ends of lines cannot be in a statement,
 * but where a literal has no end. */
static int fuzz_is_whole(const struct lines *l)
{
  for (size_t k = 0; k < l->count; k++)
    for (size_t i = 0; i < l->statement[k].count; i++)
      if (l->statement[k].token[i].kind == TOKEN_OTHER) return 0;
  return 1;
}

static void fuzz_same(const struct lines *l, const struct lines *again)
{
  fuzz_claim(l->count == again->count, "other statements when written anew");
  for (size_t k = 0; k < l->count; k++) {
    const struct statement *const s = &l->statement[k], *const u = &again->statement[k];
    fuzz_claim((s->kind == u->kind || s->kind == STATEMENT_FUNCTION_STATEMENT) &&
            s->label.length == u->label.length && s->count == u->count,
        "another statement when written anew");
    for (size_t i = 0; i < s->count; i++)
      fuzz_claim(s->token[i].kind == u->token[i].kind && s->token[i].length == u->token[i].length &&
              memcmp(s->token[i].text, u->token[i].text, s->token[i].length) == 0,
          "another token when written anew");
  }
}

static void fuzz_anew(struct lines *l)
{
  size_t size;
  for (size_t k = 0; k < l->count; k++) output_touch(&l->statement[k]);
  char *const text = fuzz_write(l, &size);
  struct lines *const again = fuzz_read(text, size, &l->options);
  fuzz_units(again);
  if (fuzz_is_whole(l)) fuzz_same(l, again);
  lines_free(again);
  free(text);
}

/* Edits of every sort, at places that the source's size chooses. */
static void fuzz_edited(struct lines *l, size_t seed)
{
  size_t size;
  for (size_t k = 0; k < l->count; k++, seed = seed * 1103515245 + 12345) {
    struct statement *const s = &l->statement[k];
    const size_t r = seed / 65536, at = s->count ? r % s->count : 0;
    if (r % 3 == 0) output_before(s, r % 2 ? "call before(%zu)" : "!$omp barrier %zu", k);
    if (r % 5 == 0) output_after(s, "x = '%*s'", (int)(r % 300), "y");
    if (r % 7 == 0) output_replace(s, at, s->count, "r(%zu)", k);
    if (r % 11 == 0) output_replace(s, 0, 0, "name: ");
    if (r % 13 == 0) output_remove(s);
  }
  free(fuzz_write(l, &size));
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  static FILE *nowhere;
  size_t written;
  if (!nowhere && !(nowhere = fopen("/dev/null", "w"))) exit(1);
  if (size == 0) return 0;
  message_set_output(nowhere);
  message_set_most(UINT_MAX);
  const struct line_options o = {.form = *input & 1 ? FORM_FIXED : FORM_FREE,
      .width = *input & 2 ? 72 : 0,
      .is_openmp = (*input & 4) != 0};
  struct lines *const l = fuzz_read(input + 1, size - 1, &o);
  for (size_t k = 0; k < l->count; k++) fuzz_statement(&l->statement[k]);
  char *const text = fuzz_write(l, &written);
  fuzz_claim(written == size - 1 && memcmp(text, input + 1, written) == 0, "other bytes when written again");
  free(text);
  fuzz_units(l);
  fuzz_anew(l);
  fuzz_edited(l, size);
  lines_free(l);
  return 0;
}
