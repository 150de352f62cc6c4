/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static FILE *program, *printed;
static int depth;

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
