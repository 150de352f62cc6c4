/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static unsigned long long state;

void draw_begin(unsigned long seed)
{
  state = seed * 0x9e3779b97f4a7c15ull + 0x1234567;
  for (int i = 0; i < 8; i++) draw(2);
}

int draw(int n)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return n <= 1 ? 0 : (int)((state * 0x2545f4914f6cdd1dull >> 33) % (unsigned)n);
}

int draw_from(int low, int high) { return low + draw(high - low + 1); }
int chance(int percent) { return draw(100) < percent; }

void shuffle(int *list, int n)
{
  for (int i = n - 1; i > 0; i--) {
    const int j = draw(i + 1), kept = list[i];
    list[i] = list[j];
    list[j] = kept;
  }
}

/* ---- texts ---- */

static FILE *program, *printed;
static int depth;

const char *text(const char *fmt, ...)
{
  char *made;
  va_list arguments;
  va_start(arguments, fmt);
  if (vasprintf(&made, fmt, arguments) < 0) exit(2);
  va_end(arguments);
  return made;
}

static FILE *file_open(const char *directory, const char *name)
{
  FILE *const f = fopen(text("%s/%s", directory, name), "w");
  if (f) return f;
  perror(name);
  exit(2);
}

void files_open(const char *directory)
{
  program = file_open(directory, "random.f90");
  printed = file_open(directory, "printed");
}

void indent(int by) { depth += by; }

void line(const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  fprintf(program, "%*s", 2 * depth, "");
  vfprintf(program, fmt, arguments);
  fputc('\n', program);
  va_end(arguments);
}

void print_line(const char *fmt, ...)
{
  va_list arguments;
  va_start(arguments, fmt);
  vfprintf(printed, fmt, arguments);
  fputc('\n', printed);
  va_end(arguments);
}
