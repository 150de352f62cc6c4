/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/response.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/memory.h"

enum { RESPONSE_FILES_MOST = 2000 };

static char *response_read(const char *file)
{
  FILE *f = fopen(file, "r");
  char *text = NULL;
  size_t n = 0, capacity = 0;
  int c;
  if (!f) return NULL;
  while ((c = getc(f)) != EOF) {
    text = memory_grow(text, n + 1, &capacity, 1);
    text[n++] = (char)c;
  }
  fclose(f);
  text = memory_grow(text, n, &capacity, 1);
  text[n] = 0;
  return text;
}

static int response_is_space(char c) { return c && strchr(" \t\r\n\v\f", c); }

/* One word, which is put together in its own place: \ quotes one character, ' and " those between them. */
static char *response_word(char *p, char **end)
{
  char *begin = p, *to = p, quote = 0;
  for (; *p && (quote || !response_is_space(*p)); p++) {
    if (*p == '\\' && p[1]) *to++ = *++p;
    else if (quote && *p == quote) quote = 0;
    else if (!quote && (*p == '"' || *p == '\'')) quote = *p;
    else *to++ = *p;
  }
  *end = *p ? p + 1 : p;
  *to = 0;
  return begin;
}

/* Files within files wait on a stack, that of the words that are still to be read. */
static void response_push(struct words *stack, char *text)
{
  struct words list = {0};
  char *p = text;
  for (;;) {
    while (response_is_space(*p)) p++;
    if (!*p) break;
    words_add(&list, response_word(p, &p));
  }
  while (list.count) words_add(stack, list.word[--list.count]);
  free(list.word);
}

void response_words(struct words *to, int argc, char **argv)
{
  struct words stack = {0};
  unsigned files = 0;
  char *text;
  while (argc-- > 1) words_add(&stack, argv[argc]);
  while (stack.count) {
    const char *word = stack.word[--stack.count];
    if (*word != '@' || !(text = response_read(word + 1))) {
      words_add(to, word);
      continue;
    }
    if (++files > RESPONSE_FILES_MOST)
      xmpcc_fatal("%s: files of words are within each other without end", word);
    response_push(&stack, text); /* which has words of the program's whole life */
  }
  free(stack.word);
}
