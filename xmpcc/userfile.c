/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpcc/userfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "xmpcc/lex.h"

/* Only of plain files: to read from others would take their text away, or wait. */
static FILE *userfile_open(const char *file)
{
  struct stat s;
  return file && stat(file, &s) == 0 && S_ISREG(s.st_mode) ? fopen(file, "r") : NULL;
}

char *userfile_line(const char *file, unsigned line, size_t *length)
{
  FILE *f = line ? userfile_open(file) : NULL;
  char *text = NULL;
  size_t capacity = 0;
  ssize_t n = -1;
  if (!f) return NULL;
  for (unsigned k = 0; k < line && (n = getline(&text, &capacity, f)) >= 0; k++) {}
  fclose(f);
  if (n < 0) return free(text), NULL;
  while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r')) n--;
  *length = (size_t)n;
  return text;
}

/* Behind the first place of a name in a text; NULL: there is none. */
static const char *name_behind(const char *at, const char *end, const char *name, size_t length)
{
  const char *p = at;
  while (p < end && (p = memmem(p, (size_t)(end - p), name, length))) {
    if ((p == at || !lex_is_name((unsigned char)p[-1])) &&
        (p + length == end || !lex_is_name((unsigned char)p[length])))
      return p + length;
    p++;
  }
  return NULL;
}

int userfile_has(const char *file, const char *word, const char *name, size_t length)
{
  FILE *f = userfile_open(file);
  char *text = NULL;
  size_t capacity = 0;
  int found = 0;
  if (!f) return 0;
  for (ssize_t n; !found && (n = getline(&text, &capacity, f)) >= 0;) {
    const char *const behind = name_behind(text, text + n, word, strlen(word));
    found = behind && name_behind(behind, text + n, name, length);
  }
  free(text);
  fclose(f);
  return found;
}
