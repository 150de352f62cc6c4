/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static int depth, names;

int number_next(void) { return ++names; }
void indent(int by) { depth += by; }

/* ---- files ---- */

static FILE *file[FILES];
static enum file current;

void file_open(enum file f, const char *directory, const char *name)
{
  file[f] = fopen(text("%s/%s", directory, name), "w");
  if (!file[f]) {
    perror(name);
    exit(2);
  }
}

int file_is_open(enum file f) { return file[f] != NULL; }

enum file file_choose(enum file f)
{
  const enum file before = current;
  current = f;
  return before;
}

/* A directive may also be an operator, of which macros can be made, and have spaces, comments and lines. */
static const char *directive_form(const char *directive)
{
  const char *const words = directive + strlen("#pragma xmp ");
  switch (draw(25)) {
  case 0: return text("_Pragma(\"xmp %s\")", words);
  case 1: return text("DIRECTIVE(xmp %s)", words);
  case 2: return text("EXPANDED(xmp %s)", words);
  case 3: return text("#  pragma  xmp   %s", words);
  case 4: return text("#pragma xmp \\\n  %s", words);
  case 5: return text("#pragma /* a comment */ xmp %s // another", words);
  default: return directive;
  }
}

void line(const char *fmt, ...)
{
  char *made;
  va_list arguments;
  va_start(arguments, fmt);
  if (vasprintf(&made, fmt, arguments) < 0) exit(2);
  va_end(arguments);
  const int is_directive = strncmp(made, "#pragma xmp ", strlen("#pragma xmp ")) == 0;
  fprintf(
      file[current], "%*s%s\n", *made == '#' ? 0 : 2 * depth, "", is_directive ? directive_form(made) : made);
  free(made);
}

/* ---- expressions ---- */

const char *number(int k)
{
  switch (draw(9)) {
  case 0: return k >= 0 && k < 48 ? text("K%d", k) : text("%d", k);
  case 1: return text("ADD(%d, %d)", k - 2, 2);
  case 2: return text("(%d + %d)", k + 3, -3);
  case 3: return in_block && k >= 0 && k < 16 ? text("v%d", k) : text("%d", k);
  case 4: return text("(%d)", k);
  default: return text("%d", k);
  }
}

const char *sum(const char *variable, int k)
{
  if (k == 0) return variable;
  if (k > 0) return text("%s + %s", variable, number(k));
  return chance(80) ? text("%s - %s", variable, number(-k)) : text("%s + %s", variable, number(k));
}
