/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Programs that end too early: the language's tests, cut behind any token, with what may begin something
 * behind it. They are translated, or errors are said; nothing is read behind the last token. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"
#include "xmpcc/message.h"
#include "xmpcc/translate.h"

enum { FILES = 64, CUTS = 3000 };

static struct source *program[FILES];
static unsigned programs;

static char *file_read(const char *path, size_t *size)
{
  FILE *const f = fopen(path, "r");
  char *const text = calloc(1, 1 << 20);
  CU_ASSERT_FATAL(f && text);
  *size = fread(text, 1, (1 << 20) - 1, f);
  fclose(f);
  return text;
}

static void programs_read(void)
{
  char directory[PATH_MAX - NAME_MAX - 2], path[PATH_MAX];
  snprintf(directory, sizeof directory, "%s/tests/xmp/language", getenv("PST_SRCDIR"));
  DIR *const all = opendir(directory);
  CU_ASSERT_FATAL(all != NULL);
  for (struct dirent *each; (each = readdir(all)) != NULL && programs < FILES;) {
    size_t size;
    if (!strstr(each->d_name, ".c")) continue;
    snprintf(path, sizeof path, "%s/%s", directory, each->d_name);
    char *const text = file_read(path, &size);
    program[programs++] = source_read(text, size, "cut.c");
  }
  closedir(all);
}

/* The text has no room behind its end, so that a sanitizer sees whoever goes on there. */
static void translate_cut(const struct source *s, size_t tokens, const char *more)
{
  const struct token *const last = &s->token[tokens - 1];
  const size_t size = (size_t)(last->text + last->length - s->text), more_size = strlen(more);
  char *const text = malloc(size + more_size + 1);
  CU_ASSERT_FATAL(text != NULL);
  memcpy(text, s->text, size);
  memcpy(text + size, more, more_size);
  struct source *const cut = source_read(text, size + more_size, "cut.c");
  struct edits *const e = edits_open(cut);
  const int rc = translate(cut, e);
  CU_ASSERT((rc == 0) == (message_errors() == 0));
  edits_free(e);
  source_free(cut);
}

static void test_cuts(void)
{
  static const char *const more[] = {"", ".", "(", "[", ":", "->", "=", ",", "for (", "sizeof", "{", "a[i].",
      "\n#pragma xmp", "\n#pragma xmp loop on t[i]\n", "\n#pragma xmp gmove\n"};
  FILE *const nowhere = fopen("/dev/null", "w");
  CU_ASSERT_FATAL(nowhere != NULL);
  programs_read();
  CU_ASSERT(programs > 20);
  for (int k = 0; k < CUTS; k++) {
    const struct source *const s = program[below(programs)];
    message_set_output(nowhere);
    message_set_most(UINT_MAX);
    translate_cut(s, 1 + below(s->count - 1), more[below(sizeof more / sizeof *more)]);
  }
}

int main(void)
{
  static const struct unit_test tests[] = {{"programs that end too early", test_cuts}};
  random_begin();
  return RUN_SUITE("xmpcc/cut", tests);
}
