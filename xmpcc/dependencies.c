/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/dependencies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/options.h"

/* Words end at white space that no backslash quotes. */
static size_t word_length(const char *p)
{
  size_t n = 0;
  while (p[n] && !strchr(" \t\n", p[n])) n += p[n] == '\\' && p[n + 1] && p[n + 1] != '\n' ? 2 : 1;
  return n;
}

static int ends_with(const char *p, size_t n, const char *ending)
{
  const size_t k = strlen(ending);
  return n >= k && memcmp(p + n - k, ending, k) == 0;
}

static size_t space_length(const char *p)
{
  size_t n = 0;
  while (p[n] && (strchr(" \t\n", p[n]) || (p[n] == '\\' && p[n + 1] == '\n'))) n += p[n] == '\\' ? 2 : 1;
  return n;
}

/* White space as it is, and words but for the one that goes; of -MP's rule that is all there is. */
static void drop_copy(const char *p, FILE *out, const char *ending)
{
  while (*p) {
    const size_t space = space_length(p), n = word_length(p + space);
    const char *word = p + space;
    p = word + n;
    if (n && ends_with(word, n, ending)) continue;
    if (n > 1 && word[n - 1] == ':' && ends_with(word, n - 1, ending)) continue;
    fwrite(word - space, 1, space + n, out);
  }
}

static char *list_read(const char *list)
{
  FILE *f = fopen(list, "r");
  char *text = NULL;
  size_t capacity = 0;
  if (f && getdelim(&text, &capacity, 0, f) < 0) text = (free(text), NULL);
  if (f) fclose(f);
  return text;
}

void dependencies_drop(const char *list, const char *ending)
{
  char *text = list_read(list);
  FILE *out = text && strstr(text, ending) ? fopen(list, "w") : NULL;
  if (out) {
    drop_copy(text, out, ending);
    if (fclose(out) != 0) xmpcc_fatal("cannot write %s: %m", list);
  }
  free(text);
}
